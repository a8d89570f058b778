// faultline-bench: chooses the suite, and turns errors into messages and exit statuses, as faultline does.
#pragma once

namespace faultline::suite {

int run(int argc, char** argv);

} // namespace faultline::suite
