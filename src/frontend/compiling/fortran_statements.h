// Fortran's statements, as text: comments are gone, continued lines are joined, in fixed and in free form. Conditions
// of the preprocessor are not looked at: whatever they guard counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::frontend {

enum class FortranForm : uint8_t { fixed, free };
FortranForm fortran_form(const std::string& file); // by its ending

// `#include "file"` is a statement of its own: include "file".
std::vector<std::string> fortran_statements(const std::string& text, FortranForm form);

// A statement in words: names and numbers, and each other character by itself. A string is one word, with its quotes.
std::vector<std::string> fortran_words(const std::string& statement);

std::string lower_case(std::string word);

} // namespace faultline::frontend
