#include "cli/completion/choices.h"
#include "cli/completion/scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\')
      result += '\\';
    result += letter;
  }
  return result + "'";
}

std::string value_of(const CompletedOption& option) {
  switch (option.follows) {
  case Follows::nothing:
    break;
  case Follows::words:
    return fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option.words, " "))));
  case Follows::files:
    return " -r -F";
  case Follows::folders:
    return " -x -a '(__fish_complete_directories)'";
  case Follows::anything:
    return " -x";
  }
  return "";
}

std::string option_line(const Command& command, const CompletedOption& option) {
  std::string line = fmt::format("complete -c faultline -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return line + value_of(option) + " -d " + quoted(option.help) + "\n";
}

} // namespace

std::string fish_completion() {
  std::string text = "# fish completion of faultline; made by: faultline completion fish\n"
                     "complete -c faultline -n __fish_use_subcommand -f\n";
  for (const Command& command : all_commands())
    text += fmt::format("complete -c faultline -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.summary));
  text += "complete -c faultline -n __fish_use_subcommand -l version -d 'the version'\n"
          "complete -c faultline -n __fish_use_subcommand -s h -l help -d 'the commands'\n";
  for (const Command& command : all_commands()) {
    if (const std::vector<std::string> words = words_of(command.operand); !words.empty())
      text += fmt::format("complete -c faultline -n '__fish_seen_subcommand_from {}' -f -a {}\n", command.name,
                          quoted(fmt::format("{}", fmt::join(words, " "))));
    for (const CompletedOption& option : completed_options(command))
      text += option_line(command, option);
  }
  return text;
}

} // namespace faultline::cli
