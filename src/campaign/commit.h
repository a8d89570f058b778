// The commit that is checked out where the sources are: read from Git's own files, as a campaign starts no programs in
// folders of other people.
#pragma once

#include <string>

namespace faultline::campaign {

// Of the repository that the folder lies in; empty: there is none, or it cannot be told.
std::string commit_of(const std::string& folder);

} // namespace faultline::campaign
