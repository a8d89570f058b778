// A call of a target in a test: with plain arguments and arrays if there is a plain prototype
// (report/tests/prototype.h), else through a block of bytes.
#pragma once

#include "model/finding.h"
#include "model/target.h"
#include "report/tests/prototype.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

struct CallCode {
  std::string before;     // statements, one per line, indented
  std::string expression; // the call
  std::string after = {}; // statements that decompose the result if it is not a scalar
};

class CallText {
public:
  // `headers`: the test includes headers that declare the function. `own_name` is the test's name for a function that
  // it declares by its symbol. The target must outlive the object.
  CallText(const model::Target& target, bool cpp, bool headers, const std::string& own_name);

  // Returns why no call of this function can be written; empty if one can.
  std::string refused() const;

  std::vector<std::string> structs() const; // definitions, which several functions may need
  std::string declaration() const;          // with a line break, or empty

  CallCode call(const std::vector<model::NamedNumber>& input) const;

  // Reads an output, other than the returned scalar, after the call: statements, and the name of the value.
  struct OutputRead {
    std::string statements, value;
  };
  OutputRead read(const model::Cell& output) const;

private:
  CallCode plain(const std::vector<model::NamedNumber>& input) const;

  const model::Target& target_;
  bool cpp_;
  std::string own_name_;
  std::optional<Prototype> prototype_;
};

// True for the returned scalar.
bool is_result(const model::Cell& output);

} // namespace faultline::report
