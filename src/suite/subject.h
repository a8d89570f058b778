// A subject: a library compiled to bitcode by scripts/fetch-subjects, which leaves it in build/subjects.
#pragma once

#include <string>

namespace faultline::suite {

// The path of SUBJECT.bc: in `folder` if one is given, else where fetch-subjects leaves it, in the current folder or in
// the source tree that this executable was built in. If it is not there, that tree's fetch-subjects is run, which takes
// minutes and tells on standard error what it does. Throws frontend::UserError.
std::string subject_file(const std::string& subject, const std::string& folder);

// A folder of the source tree: below the current folder, or in the tree that this executable was built in. Throws
// frontend::UserError.
std::string source_folder(const std::string& folder);

} // namespace faultline::suite
