// Edits that put a candidate in the place of an expression: in the language of the file, with the names and the layout
// of the code around it, and a comment of one line.
#pragma once

#include "fix/source_question.h"
#include "model/edit.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::fix {

// Returns the edits of the function's file; nothing if the candidate cannot be written there (it repeats a call that
// may have effects, or needs statements where only an expression can stand). `why`: the text of the comment.
std::optional<std::vector<model::Edit>> edits_for(const Function& function, const std::string& file,
                                                  const PlaceQuestion& question, const std::vector<Branch>& branches,
                                                  const std::string& why);

// "write log1p(x) for log(1 + x)", of the code without layout.
std::string advice_for(const Function& function, const std::string& file, const PlaceQuestion& question,
                       const std::vector<Branch>& branches);

} // namespace faultline::fix
