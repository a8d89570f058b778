// The program: chooses the subcommand, and turns errors into messages and exit statuses.
#pragma once

#include <functional>

namespace faultline::cli {

int run(int argc, char** argv);

// What the work returns; or, where it throws, the exit status, when the user has been told.
int guarded(const std::function<int()>& work);

} // namespace faultline::cli
