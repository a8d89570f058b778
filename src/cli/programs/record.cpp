#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "cli/programs/recorded_program.h"
#include "finding/json/seen_json.h"
#include "finding/shell.h"
#include "frontend/error.h"
#include "frontend/program.h"
#include "frontend/temporary_folder.h"
#include "hunt/seen/recording.h"
#include "hunt/seen/signatures.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {

using frontend::UserError;

namespace {

constexpr const char* usual_file = "seen.json";
constexpr const char* examples = R"(Examples:
  faultline record -- ./app input.txt              what the functions of ./app are called with, in seen.json
  faultline record -o tests.json -- make check     a test suite: every program that it starts
  faultline hunt ./app --seen seen.json            then: ranges, first inputs and what is everyday by these runs

The program, or a library that it loads, must be built with faultline cc, faultline c++ or faultline fc. It is run as
you would run it, without a sandbox. The exit status is the program's own.)";

// For the recorder itself, which is no place for a compiler's libraries.
int write_signatures(const std::string& program, const std::string& file) {
  frontend::Sources sources;
  sources.files = {program};
  frontend::Program loaded = frontend::Program::load(sources);
  OutputFile(file).write(campaign::signatures_of(loaded.targets({})));
  return frontend::status_nothing;
}

std::string plural(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : std::string_view(what).ends_with('s') ? "es" : "s");
}

// What is left out, and why.
void tell_limits(const campaign::Recording& recording) {
  if (recording.not_writable > 0)
    fmt::print(stderr, "faultline: note: in {} the system does not let code be changed: nothing was noted there\n",
               plural(recording.not_writable, "process"));
}

std::string summary(const campaign::Recording& recording, const std::string& file) {
  uint64_t calls = 0, sampled = 0;
  for (const finding::SeenFunction& seen : recording.runs.functions) {
    calls += seen.calls;
    sampled += seen.sampled;
  }
  std::string text =
      fmt::format("faultline: {} seen in {}, {} noted", plural(recording.runs.functions.size(), "function"),
                  plural(recording.runs.processes, "process"), plural(calls, "call"));
  if (sampled > 0)
    text += fmt::format("; {} called too often to note every call", sampled);
  return text + fmt::format("\nfaultline: {} is written; next: faultline hunt FILE --seen {}\n", file,
                            finding::shell_quoted(file));
}

// A word that is neither an option nor the value of one is where the program was meant to begin.
void refuse_program_without_mark(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "-o" || words[i] == "--signatures")
      ++i;
    else if (!words[i].starts_with("-"))
      throw UserError(
          frontend::status_usage, fmt::format("{}: put -- before the program", words[i]),
          fmt::format("faultline record -- {}", finding::shell_line({words.begin() + std::ptrdiff_t(i), words.end()})));
}

} // namespace

int record(const CommandLine& line) {
  refuse_program_without_mark(line.words);
  const finding::Said said = parse({.name = "faultline record",
                                    .description = "Runs a program, and notes what its functions are called with.",
                                    .examples = examples,
                                    .operand = "",
                                    .operand_help = "",
                                    .options = options_of(finding::command::record)},
                                   line);
  const std::string file = said.has("seen-file") ? said.value("seen-file") : usual_file;
  if (said.has("signatures"))
    return write_signatures(said.value("signatures"), file);
  if (line.flags.empty())
    throw UserError(frontend::status_usage, "no program given", "faultline record -- ./app ARGUMENTS");
  const OutputFile output(file); // now: it may be refused
  const frontend::TemporaryFolder folder;
  const int status = run_recorded(line.flags, folder.path());
  campaign::Recording recording = campaign::recording_in(folder.path());
  recording.runs.command = line.flags;
  const bool quiet = said.is_on("quiet");
  if (!quiet)
    tell_limits(recording);
  if (status != 0 && !quiet)
    fmt::print(stderr, "faultline: note: {} failed, with exit status {}\n", line.flags.front(), status);
  if (recording.runs.functions.empty()) {
    const UserError nothing(
        frontend::status_unsuitable,
        recording.files_of_code == 0 ? "nothing was seen: no program that ran has code that faultline cc has compiled"
                                     : "nothing was seen: none of the functions that can be hunted in was called",
        recording.files_of_code == 0 ? "build it with faultline cc; faultline list ./app shows what it has"
                                     : "functions that were inlined are not called; faultline list ./app");
    if (status == 0)
      throw nothing;
    fmt::print(stderr, "faultline: {}\n", nothing.what());
    return status;
  }
  output.write(finding::seen_text(recording.runs));
  if (!quiet)
    fmt::print(stderr, "{}", summary(recording, file));
  return status;
}

} // namespace faultline::cli
