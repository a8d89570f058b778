// The sources of a program with some of its declarations of `double` as `float`.
//
// What belongs together (a pointer, the array it points to, the parameter that takes it) is found by the compiler: what
// does not compile as float becomes double again, with what stands on the lines of the message.
#pragma once

#include "program/capture/section.h"
#include "program/compiling/compiler_process.h"
#include "run/declarations.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace faultline::run {

class NarrowedSources {
public:
  // Reads the sources of the records, and the headers of the project that they include. All is narrowed. Throws
  // UserError if a source is not C or C++, cannot be read, or if nothing says `double`.
  explicit NarrowedSources(const std::vector<program::Record>& records);

  // The absolute path of a file that reports name; else one with this name.
  std::string path_of(const std::string& shown) const;

  // Makes the declarations that a line uses double again: only the variable that it sets, or all. Returns their number.
  size_t widen_target(const std::string& file, int line);
  size_t widen_line(const std::string& file, int line);
  size_t widen_function(const std::string& file, int line); // all that are declared in the function around the line

  // Widens until all sources compile. False if a message names no declaration that is still float.
  bool close();
  // The records whose sources are different, with new bitcode. Throws UserError if one does not compile.
  std::vector<program::Record> compiled() const;

  std::vector<const Declaration*> declarations(bool narrowed) const; // those with names
  std::string diff() const;
  const std::string& message() const { return message_; } // of the compiler, if close() failed

private:
  struct Text {
    std::string text;
    std::vector<Token> tokens;
  };
  struct Unit {
    program::Record record;
    std::vector<std::string> files; // source and headers
  };

  void read_unit(const program::Record& record);
  std::vector<size_t> used(const std::string& file, size_t begin, size_t end) const; // by these tokens
  std::vector<size_t> meant(const std::string& name, const std::string& file, int line) const;
  std::pair<size_t, size_t> tokens_of_line(const std::string& file, int line) const;
  std::pair<size_t, size_t> statement_of(const Declaration& declaration) const;
  size_t widen(const std::vector<size_t>& declarations);
  bool is_narrow(size_t declaration) const;
  bool keep_sizes_together();
  std::string edited_text(const std::string& file) const;
  void write_overlay(const std::string& folder) const;
  std::string complaints(const Unit& unit, const std::string& folder) const;
  size_t widen_for(const std::string& complaints, const Unit& unit);

  std::map<std::string, Text> texts_; // by absolute path
  std::vector<Unit> units_;
  std::vector<Declaration> declarations_;
  std::vector<bool> narrow_;
  std::map<std::string, std::vector<size_t>> by_name_;
  std::string message_;
};

} // namespace faultline::run
