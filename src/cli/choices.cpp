#include "cli/choices.h"

#include "base/error.h"
#include "cli/command_line.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "model/settings/settings.h"
#include "report/kind_pages.h"
#include "search/strategy.h"
#include "solve/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace faultline::cli {

using model::Form;
using model::Setting;

namespace {

// Returns the possible values of a setting. The table of settings cannot list strategies and solvers, because their
// layers are above it.
std::vector<std::string> words_for(const Setting& setting) {
  const std::string_view key = setting.key;
  if (key == "strategy")
    return search::strategy_names();
  if (key == "kind")
    return report::kind_names();
  if (key == "solver") {
    std::vector<std::string> names;
    for (const solve::NamedSolver& solver : solve::solvers())
      names.emplace_back(solver.name);
    return names;
  }
  return *setting.choices ? model::comma_list(setting.choices) : std::vector<std::string>{};
}

Follows what_follows(const Setting& setting) {
  const std::string_view value = setting.value;
  if (setting.form == Form::flag)
    return Follows::nothing;
  if (!words_for(setting).empty())
    return Follows::words;
  if (value == "DIR")
    return Follows::folders;
  if (setting.form == Form::path || value == "FILE")
    return Follows::files;
  return Follows::anything;
}

} // namespace

std::vector<CompletedOption> completed_options(const Command& command) {
  std::vector<CompletedOption> options;
  for (const Setting& setting : options_of(command.options))
    if (*setting.option)
      options.push_back({model::comma_list(setting.option), setting.help, setting.value, what_follows(setting),
                         words_for(setting), setting.repeatable()});
  options.push_back({{"-h", "--help"}, "what it does, and its options", "", Follows::nothing, {}, false});
  return options;
}

namespace {

// Quoted text in this script needs no escapes: names of options and commands, and endings of files.
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

// Returns the shell's action that completes a value.
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

std::string fish_value_of(const CompletedOption& option) {
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
  return line + fish_value_of(option) + " -d " + quoted(option.help) + "\n";
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

namespace {

// Escapes a text for single quotes, and puts a backslash before each of these letters, which _arguments interprets.
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

// Returns ":DESCRIPTION:ACTION", empty for a flag.
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

// Returns one specification per name: '*--range=[help]:x=LO\:HI: '
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
  // If the file is autoloaded, it is the body of the function; if it is sourced, it defines the function.
  return text + "  esac\n}\nif [[ $funcstack[1] == _faultline ]]; then\n  _faultline \"$@\"\nelse\n"
                "  compdef _faultline faultline\nfi\n";
}

namespace {

constexpr const char* completion_examples = R"(Examples:
  source <(faultline completion bash)                                            in this shell
  faultline completion bash > ~/.local/share/bash-completion/completions/faultline
  faultline completion zsh > "${fpath[1]}/_faultline"
  faultline completion fish > ~/.config/fish/completions/faultline.fish

make install puts all three where the shells look.)";

} // namespace

int completion(const CommandLine& line) {
  const model::RawSettings raw =
      parse({.name = "completion",
             .description = "Prints the script by which a shell completes faultline's commands and options.",
             .examples = completion_examples,
             .operand = "SHELL",
             .operand_help = "bash, zsh or fish"},
            line);
  refuse_flags(line);
  const std::string shell = raw.value(operands);
  if (shell == "bash")
    print(bash_completion());
  else if (shell == "zsh")
    print(zsh_completion());
  else if (shell == "fish")
    print(fish_completion());
  else
    throw base::UserError(base::status_usage,
                          shell.empty() ? "no shell given" : fmt::format("unknown shell '{}'", shell),
                          "faultline completion bash, zsh or fish");
  return base::status_nothing;
}

} // namespace faultline::cli
