// The C that FPCores become, statement by statement: each operation is one, and stands where it stands in the file.
//
// #line says the line. The column is made: an operator is preceded by as many blanks as it has characters before it in
// the file. So the compiler's debug information, and with it every report, speaks of the file's places.
//
// Nothing of the file stands in the text: names of values are ours, numbers are written anew.
#pragma once

#include "frontend/fpcore/form.h"
#include "numeric/format.h"

#include <string>

namespace faultline::frontend::fpcore {

// What an expression has come to: a name or a literal of C.
struct Value {
  std::string text;
  bool is_truth = false; // TRUE or FALSE; else a number
  numeric::Format format = numeric::Format::binary64;
};

const char* c_type(numeric::Format format);
const char* c_suffix(numeric::Format format); // of the library's functions: sinf, sin, sinl
inline const char* c_type(const Value& value) { return value.is_truth ? "int" : c_type(value.format); }
numeric::Format wider(numeric::Format a, numeric::Format b);

// What all statements of a function have in common.
struct Written {
  int names = 0;    // of values
  size_t bytes = 0; // of text, counted again wherever statements become part of others
};

class Statements {
public:
  explicit Statements(Written& written) : written_(written) {}

  // What follows stands in this line.
  void at(const Place& place);
  void add(const std::string& text) {
    text_ += text;
    written_.bytes += text.size();
  }

  // TYPE name = BEFORE operation AFTER; with the operation at its place.
  Value assign(const Value& type, const std::string& before, const Place& place, const std::string& operation,
               const std::string& after);
  // A variable, without a value.
  Value declare(const Value& type);

  Statements inner() const { return Statements(written_); }
  const std::string& text() const { return text_; }
  const Written& written() const { return written_; }

private:
  std::string name() { return "value_" + std::to_string(++written_.names); }

  std::string text_;
  Written& written_;
};

// An operation in the middle of an expression, at its place.
std::string placed(const Place& place, const std::string& operation);

} // namespace faultline::frontend::fpcore
