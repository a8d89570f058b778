#include "cli/completion/choices.h"
#include "cli/completion/scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {
namespace {

// Within single quotes, and with a backslash before each of these letters: _arguments takes them for its own.
std::string escaped(const std::string& text, std::string_view letters) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\'')
      result += "'\\'";
    else if (letters.find(letter) != std::string_view::npos)
      result += '\\';
    result += letter;
  }
  return result;
}

// ":what it is:who completes it", empty for a flag.
std::string value_of(const CompletedOption& option) {
  const std::string what = escaped(option.value, ":\\");
  switch (option.follows) {
  case Follows::nothing:
    break;
  case Follows::words:
    return fmt::format(":{}:({})", what, fmt::join(option.words, " "));
  case Follows::files:
    return fmt::format(":{}:_files", what);
  case Follows::folders:
    return fmt::format(":{}:_files -/", what);
  case Follows::anything:
    return fmt::format(":{}: ", what);
  }
  return "";
}

// One specification for each name: '*--range=[help]:x=LO\:HI: '
std::vector<std::string> specifications(const Command& command) {
  std::vector<std::string> all;
  for (const CompletedOption& option : completed_options(command))
    for (const std::string& name : option.names) {
      const char* joint = option.follows == Follows::nothing ? "" : name.starts_with("--") ? "=" : "+";
      const std::string others = option.repeatable ? "*" : fmt::format("({})", fmt::join(option.names, " "));
      all.push_back(
          fmt::format("'{}{}{}[{}]{}'", others, name, joint, escaped(option.help, "[]:\\"), value_of(option)));
    }
  const std::vector<std::string> words = words_of(command.operand);
  if (!words.empty())
    all.push_back(fmt::format("'1:what:({})'", fmt::join(words, " ")));
  all.push_back("'*:file:_files'");
  return all;
}

} // namespace

std::string zsh_completion() {
  std::string text = "#compdef faultline\n# zsh completion of faultline; made by: faultline completion zsh\n"
                     "_faultline() {\n  local -a commands\n  commands=(\n";
  for (const Command& command : all_commands())
    text += fmt::format("    '{}:{}'\n", command.name, escaped(command.summary, ""));
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n    return\n  fi\n"
          "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const Command& command : all_commands())
    text += fmt::format("  {})\n    _arguments -s \\\n      {} ;;\n", command.name,
                        fmt::join(specifications(command), " \\\n      "));
  // Read by a function's autoload the file is the function; sourced, it defines it.
  return text + "  esac\n}\nif [[ $funcstack[1] == _faultline ]]; then\n  _faultline \"$@\"\nelse\n"
                "  compdef _faultline faultline\nfi\n";
}

} // namespace faultline::cli
