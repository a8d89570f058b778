// The inputs from which a program is loaded, as given by the user.
#pragma once

#include "frontend/compiling/flag_filter.h"
#include "frontend/fpcore/expression_writer.h"
#include "frontend/target.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <vector>

namespace faultline::frontend {

class CompilationDatabase;

struct Sources {
  std::vector<std::string> files;
  std::vector<std::string> flags;   // after --, and from files, if they are safe to use
  std::string compilation_database; // -p
  Trust trust = Trust::no;          // --trust-flags: of what the database says
  // Not optimised: every condition of the source is a branch of its own. The optimiser evaluates conditions that the
  // source guards, and merges others. Bitcode is taken as it is.
  bool as_written = false;
  // For harnesses (frontend/harness/): the functions that are asked for, and the sizes of their arguments.
  std::vector<std::string> functions = {};
  ShapesOf shapes_of = {};
  std::vector<std::string> rejects = {}; // --reject (frontend/handlers.h): the compiler is to leave their calls alone
  fpcore::Preconditions preconditions = fpcore::Preconditions::checked; // those of FPCores that are more than ranges
  bool of_database = false;                                 // the files are those that the database lists: -p alone
  std::shared_ptr<const CompilationDatabase> recorded = {}; // the database, read, while the files are
};

// A file that is read as a stream, up to a limit: a device or a pipe need not have an end.
struct ReadLimits {
  uint64_t all;                  // bytes of the whole file
  uint64_t between = UINT64_MAX; // bytes from one mark_progress() to the next
};

class BoundedStream {
public:
  // Throws UserError: it cannot be opened, or is a folder. Reading throws UserError when it comes to a limit, or fails.
  BoundedStream(const std::string& file, const ReadLimits& limits, const std::string& hint);
  ~BoundedStream();
  BoundedStream(const BoundedStream&) = delete;
  BoundedStream& operator=(const BoundedStream&) = delete;

  std::istream& stream() { return stream_; }
  void mark_progress(); // what was read until now has become something, and is not kept as it was

private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::istream stream_;
};

// All of a small file. Throws UserError as above.
std::string bounded_content(const std::string& file, uint64_t most_bytes, const std::string& hint);

} // namespace faultline::frontend
