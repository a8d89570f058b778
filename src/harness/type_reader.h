// From a type of libclang to its form.
#pragma once

#include "harness/form.h"

#include <clang-c/Index.h>
#include <map>
#include <string>

namespace faultline::harness {

// What the parameters of a template stand for: the forms of types, the values of integers.
struct Bindings {
  std::map<std::string, Form> types;
  std::map<std::string, long> values;
};

Form scalar_form(const std::string& type, bool floating);
Form function_form(); // double(double)

Form form_of(CXType type, const Bindings& bindings);

// The form of a class, made from the arguments of its constructor or its fields. `type` is what code calls it.
Form class_form(CXCursor definition, const std::string& type, const Bindings& bindings);

// A parameter with its name, and how it is passed.
Argument argument_of(CXCursor parameter, size_t index, const Bindings& bindings);

} // namespace faultline::harness
