// What a template is instantiated with: double and float, or what the user's name says (stats::ratio<long double>).
#pragma once

#include "harness/type_reader.h"

#include <string>
#include <vector>

namespace faultline::harness {

struct TemplateArguments {
  Bindings bindings;
  std::vector<std::string> written; // in the order of the parameters
  std::string shown;                // what stands in the name: what the user wrote, or the one type of all
  size_t explicitly = 0;            // how many a call has to write: the others follow from the arguments
  bool deduced = false;             // some type is that of a function, which a call does not write
  std::string obstacle;             // why there is no instance; empty: there is

  std::string instance(const std::string& name) const; // stats::ratio<double>
  std::string type(const std::string& name) const;     // of a class, with all arguments: Matrix<double, 3>
  std::string call(const std::string& name) const;
};

// `named`: lists of arguments that the user wrote; empty: none.
std::vector<TemplateArguments> arguments_for(CXCursor declaration, const std::vector<std::string>& named);

// The names after -f.
class Asked {
public:
  explicit Asked(const std::vector<std::string>& names);

  bool names(const std::string& qualified) const;  // this function, by its name in full or its last parts, or a pattern
  bool any_or(const std::string& qualified) const; // no name was given at all, or this one
  bool names_others() const;                       // some name has a namespace or a class in it
  std::vector<std::string> arguments_of(const std::string& qualified) const; // "long double" of f<long double>

private:
  struct Name {
    std::string plain, arguments;
  };
  static bool fits(const Name& name, const std::string& qualified);
  std::vector<Name> names_;
};

} // namespace faultline::harness
