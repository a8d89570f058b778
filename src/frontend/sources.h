// The inputs from which a program is loaded, as given by the user.
#pragma once

#include "frontend/compiling/flag_filter.h"
#include "frontend/fpcore/expression_writer.h"
#include "frontend/target.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <vector>

namespace faultline::frontend {

class CompilationDatabase;

struct Sources {
  std::vector<std::string> files;
  std::vector<std::string> flags;   // after --, and from files, if they are safe to use
  std::string compilation_database; // -p
  Trust trust = Trust::no;          // --trust-flags: for flags of the database
  ProjectFolders project = {};      // where flags of the database, and of built objects, may lead
  // Not optimised: every condition of the source is a branch of its own. The optimiser evaluates conditions early and
  // merges others. Bitcode is used as it is.
  bool as_written = false;
  // For harnesses (frontend/harnessed_source.h): the requested functions, and the sizes of their arguments.
  std::vector<std::string> functions = {};
  ShapesOf shapes_of = {};
  std::vector<std::string> readable = {}; // --allow-read: sources may name the files in these folders, too
  // The folders of the project (frontend/project_files.h), kept while the files are loaded.
  std::optional<std::vector<std::string>> folders = {};
  std::vector<std::string> rejects = {}; // --reject (frontend/handlers.h): the compiler must not inline their calls
  fpcore::Preconditions preconditions = fpcore::Preconditions::checked; // of FPCores, beyond ranges
  bool of_database = false;                                 // the files are those of the database: only -p was given
  std::shared_ptr<const CompilationDatabase> recorded = {}; // the database, kept while the files are loaded
};

// Limits for reading a file as a stream: a device or a pipe may be endless.
struct ReadLimits {
  uint64_t all;                  // bytes of the whole file
  uint64_t between = UINT64_MAX; // bytes from one mark_progress() to the next
};

class BoundedStream {
public:
  // Throws UserError if the file cannot be opened or is a folder. Reading throws UserError at a limit or on failure.
  BoundedStream(const std::string& file, const ReadLimits& limits, const std::string& hint);
  ~BoundedStream();
  BoundedStream(const BoundedStream&) = delete;
  BoundedStream& operator=(const BoundedStream&) = delete;

  std::istream& stream() { return stream_; }
  void mark_progress(); // what was read so far has been processed and is not kept

private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::istream stream_;
};

// Returns all of a small file. Throws UserError as above.
std::string bounded_content(const std::string& file, uint64_t most_bytes, const std::string& hint);

} // namespace faultline::frontend
