// The program: chooses the subcommand, and turns errors into messages and exit statuses (cli.md).
#pragma once

namespace faultline::cli {

int run(int argc, char** argv);

} // namespace faultline::cli
