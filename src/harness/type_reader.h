// Reads libclang's types as forms.
#pragma once

#include "harness/form.h"

#include <clang-c/Index.h>
#include <map>
#include <string>

namespace faultline::harness {

// The arguments of a template's parameters: forms of types, values of integers.
struct Bindings {
  std::map<std::string, Form> types;
  std::map<std::string, long> values;
};

Form scalar_form(const std::string& type, bool floating);
Form function_form(); // double(double)

Form form_of(CXType type, const Bindings& bindings);

// Returns the form of a class, made from its constructor's arguments or its fields. `type` is its name in code.
Form class_form(CXCursor definition, const std::string& type, const Bindings& bindings);

// Reads a parameter: its name, its form, and how it is passed.
Argument argument_of(CXCursor parameter, size_t index, const Bindings& bindings);

} // namespace faultline::harness
