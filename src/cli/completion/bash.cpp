#include "cli/completion/choices.h"
#include "cli/completion/scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {
namespace {

// What stands between quotes here has none in it: names of options, commands and files' endings.
constexpr const char* beginning = R"(# bash completion of faultline; made by: faultline completion bash
_faultline_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }
_faultline_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}
_faultline() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} i
  COMPREPLY=()
  if [[ $word == '=' ]]; then # bash takes --option=value for three words
    word=
  elif [[ $before == '=' ]] && (( COMP_CWORD > 2 )); then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for (( i = 2; i < COMP_CWORD; ++i )); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then # the compiler's flags
      _faultline_files -f "$word"
      return
    fi
  done
)";

// The actions of the shell for a value.
std::string action(const CompletedOption& option) {
  switch (option.follows) {
  case Follows::words:
    return fmt::format("_faultline_words '{}' \"$word\"; return", fmt::join(option.words, " "));
  case Follows::files:
    return "_faultline_files -f \"$word\"; return";
  case Follows::folders:
    return "_faultline_files -d \"$word\"; return";
  case Follows::anything:
    return "return";
  case Follows::nothing:
    break;
  }
  return "";
}

std::string command_case(const Command& command) {
  std::vector<std::string> names;
  std::string values;
  for (const CompletedOption& option : completed_options(command)) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.follows != Follows::nothing)
      values += fmt::format("    {}) {} ;;\n", fmt::join(option.names, "|"), action(option));
  }
  std::string text = fmt::format("  {})\n", command.name);
  if (!values.empty())
    text += fmt::format("    case $before in\n{}    esac\n", values);
  const std::vector<std::string> words = words_of(command.operand);
  return text + fmt::format("    options='{}'\n    operands='{}' ;;\n", fmt::join(names, " "), fmt::join(words, " "));
}

} // namespace

std::string bash_completion() {
  std::string text = beginning;
  text += fmt::format("  if (( COMP_CWORD == 1 )); then\n    _faultline_words '{} --help --version' \"$word\"\n"
                      "    return\n  fi\n  local options= operands=\n  case $command in\n",
                      fmt::join(words_of(Operand::commands), " "));
  for (const Command& command : all_commands())
    text += command_case(command);
  return text + R"(  esac
  if [[ $word == -* ]]; then
    _faultline_words "$options" "$word"
  elif [[ $operands && $before == "$command" ]]; then
    _faultline_words "$operands" "$word"
  else
    _faultline_files -f "$word"
  fi
}
complete -F _faultline faultline
)";
}

} // namespace faultline::cli
