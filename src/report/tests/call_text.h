// A call of a target, as a test writes it: with plain arguments and arrays where there is a plain prototype
// (report/tests/prototype.h), else through a block of bytes (report/tests/call_text.h).
#pragma once

#include "finding/finding.h"
#include "frontend/target.h"
#include "report/tests/prototype.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

struct Called {
  std::string before;     // statements, a line each, indented
  std::string expression; // the call
  std::string after = {}; // statements that take the result apart, if it is not a scalar
};

class CallText {
public:
  // `headers`: the test includes some that declare the function. `own_name` is what the test calls a function that it
  // declares by its symbol. The target must outlive it.
  CallText(const frontend::Target& target, bool cpp, bool headers, const std::string& own_name);

  // Why no call of this function can be written; empty if one can.
  std::string refused() const;

  std::vector<std::string> structs() const; // definitions, that several functions may need
  std::string declaration() const;          // with an end of line, or empty

  Called call(const std::vector<finding::NamedNumber>& input) const;

  // An output after the call, other than the scalar that is returned: what must be said before, and its name.
  struct Reading {
    std::string statements, value;
  };
  Reading read(const frontend::Cell& output) const;

private:
  Called plain(const std::vector<finding::NamedNumber>& input) const;

  const frontend::Target& target_;
  bool cpp_;
  std::string own_name_;
  std::optional<Prototype> prototype_;
};

// Is it the scalar that is returned?
bool is_result(const frontend::Cell& output);

} // namespace faultline::report
