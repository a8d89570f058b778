// Fortran statements as text: comments are removed and continued lines are joined, in fixed and in free form. The
// preprocessor's conditions are ignored: code under any condition counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::program {

enum class FortranForm : uint8_t { fixed, free };
FortranForm fortran_form(const std::string& file); // by its ending

// `#include "file"` becomes the statement include "file".
std::vector<std::string> fortran_statements(const std::string& text, FortranForm form);

// Splits a statement into words: names, numbers, and single characters. A string is one word, with its quotes.
std::vector<std::string> fortran_words(const std::string& statement);

std::string lower_case(std::string word);

} // namespace faultline::program
