// A subject: a library compiled to bitcode by scripts/fetch-subjects into build/subjects.
#pragma once

#include <string>

namespace faultline::suite {

// Returns the path of SUBJECT.bc: in `folder` if one is given, else where fetch-subjects writes it, in the current
// folder or in the source tree in which this executable was built. If it does not exist, runs that tree's
// fetch-subjects, which takes minutes and reports its progress on standard error. Throws frontend::UserError.
std::string subject_file(const std::string& subject, const std::string& folder);

// Returns a folder of the source tree: below the current folder, or in the tree in which this executable was built.
// Throws frontend::UserError.
std::string source_folder(const std::string& folder);

} // namespace faultline::suite
