// Remarks on standard error: what the user should know and no error is.
#pragma once

#include <string>

namespace faultline::cli {

// "faultline: TEXT". Further lines of the text, such as what to try, are lines here as well.
void tell_remark(const std::string& text);

// The same, but a text that was told is not told again: plots and tests each load the program once more.
void tell_remark_once(const std::string& text);

} // namespace faultline::cli
