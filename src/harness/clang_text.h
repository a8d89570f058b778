// Strings of libclang, as values; names and types as code can have them.
#pragma once

#include <clang-c/Index.h>
#include <string>
#include <vector>

namespace faultline::harness {

std::string text_of(CXString string);

// A type as it can be written anywhere: without typedefs, const and references.
std::string type_text(CXType type);

// std::vector, stats::Circle: with its namespaces and classes, but for inline and unnamed ones; no template arguments.
std::string qualified_name(CXCursor cursor);

bool is_same(CXCursor a, CXCursor b);

std::vector<CXCursor> children_of(CXCursor cursor);

// Splits at the commas that are in no brackets: "double, std::array<int, 3>" has two parts.
std::vector<std::string> split_arguments(const std::string& text);

} // namespace faultline::harness
