#include "cli/completion/scripts.h"

#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "frontend/error.h"

#include <fmt/format.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  source <(faultline completion bash)                                            in this shell
  faultline completion bash > ~/.local/share/bash-completion/completions/faultline
  faultline completion zsh > "${fpath[1]}/_faultline"
  faultline completion fish > ~/.config/fish/completions/faultline.fish

make install puts all three where the shells look.)";

} // namespace

int completion(const CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline completion",
             .description = "Prints the script by which a shell completes faultline's commands and options.",
             .examples = examples,
             .operand = "SHELL",
             .operand_help = "bash, zsh or fish",
             .many_operands = false,
             .options = {}},
            line);
  refuse_flags(line);
  const std::string shell = said.value(operands);
  if (shell == "bash")
    print(bash_completion());
  else if (shell == "zsh")
    print(zsh_completion());
  else if (shell == "fish")
    print(fish_completion());
  else
    throw frontend::UserError(frontend::status_usage,
                              shell.empty() ? "no shell given" : fmt::format("unknown shell '{}'", shell),
                              "faultline completion bash, zsh or fish");
  return frontend::status_nothing;
}

} // namespace faultline::cli
