// faultline record, and faultline run --record: a program of the user runs with the user's rights, and its functions
// note what they are called with.
#include "cli/command_line.h"

#include "base/error.h"
#include "base/text.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "model/csv_lines.h"
#include "model/settings/seen.h"
#include "program/compiling/compiler_process.h"
#include "run/recording.h"

#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace faultline::cli {

using base::UserError;

namespace {

constexpr const char* usual_file = "seen.json";
constexpr const char* record_examples = R"(Examples:
  faultline record -- ./app input.txt              what the functions of ./app are called with, in seen.json
  faultline record -o tests.json -- make check     a test suite: every program that it starts
  faultline hunt ./app --seen seen.json            then: ranges, relations, first inputs and what is everyday

The program, or a library that it loads, must be built with faultline cc, faultline c++ or faultline fc. It is run as
you would run it, without a sandbox. The exit status is the program's own.)";

// Prints what was not recorded, and why: the reasons that most functions have, with the first functions.
void tell_limits(const run::Recording& recording, size_t most_named) {
  for (const run::WithoutTwin& file : recording.without_twin)
    fmt::print(stderr, "faultline: note: {} ran as it is, and was not recorded: {}\n", file.file, file.reason);
  if (recording.runs.unrecorded.empty())
    return;
  fmt::print(stderr, "faultline: note: {} called, but not recorded:\n",
             base::counted(recording.runs.unrecorded.size(), "function"));
  size_t shown = 0;
  for (const model::UnseenFunction& unseen : recording.runs.unrecorded)
    if (++shown <= most_named)
      fmt::print(stderr, "  {}: {}\n", unseen.function, unseen.reason);
  if (shown > most_named)
    fmt::print(stderr, "  and {} more, in the file\n", shown - most_named);
}

std::string summary(const run::Recording& recording, const std::string& file) {
  uint64_t calls = 0, sampled = 0, relations = 0;
  for (const model::SeenFunction& seen : recording.runs.functions) {
    calls += seen.calls;
    sampled += seen.sampled;
    relations += seen.relations.size();
  }
  std::string text =
      fmt::format("faultline: {} seen in {}, {} noted", base::counted(recording.runs.functions.size(), "function"),
                  base::counted(recording.runs.processes, "process"), base::counted(calls, "call"));
  if (relations > 0)
    text += fmt::format(", {}", base::counted(relations, "relation"));
  if (sampled > 0)
    text += fmt::format("; {} called too often to note every call", sampled);
  return text + fmt::format("\nfaultline: {} is written; next: faultline hunt FILE --seen {}\n", file,
                            model::shell_quoted(file));
}

// Refuses a word that is neither an option nor the value of one: it is probably the program, without --.
void refuse_unmarked_program(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "-o" || words[i] == "--twin")
      ++i;
    else if (!words[i].starts_with("-"))
      throw UserError(
          base::status_usage, fmt::format("{}: put -- before the program", words[i]),
          fmt::format("faultline record -- {}", model::shell_line({words.begin() + std::ptrdiff_t(i), words.end()})));
}

} // namespace

int record_run(const std::vector<std::string>& command, const std::string& given, bool quiet) {
  const std::string file = given.empty() ? usual_file : given;
  if (command.empty())
    throw UserError(base::status_usage, "no program given", "faultline record -- ./app ARGUMENTS");
  const OutputFile output(file); // before the run: it may be refused
  const program::TemporaryFolder folder;
  const int status = run::run_recorded(command, folder.path());
  run::Recording recording = run::recording_in(folder.path());
  recording.runs.command = command;
  if (!quiet)
    tell_limits(recording, 10);
  if (status != 0 && !quiet)
    fmt::print(stderr, "faultline: note: {} failed, with exit status {}\n", command.front(), status);
  if (recording.runs.functions.empty()) {
    const bool captured = recording.twins > 0 || !recording.without_twin.empty();
    const UserError nothing(base::status_unsuitable,
                            captured ? "nothing was seen: none of the functions that can be tested was called"
                                     : "nothing was seen: no program that ran has code that faultline cc has compiled",
                            captured ? "functions that were inlined are not called; faultline list ./app"
                                     : "build it with faultline cc; faultline list ./app shows what it has");
    if (status == 0)
      throw nothing;
    fmt::print(stderr, "faultline: {}\n", nothing.what());
    return status;
  }
  output.write(model::seen_text(recording.runs));
  if (!quiet)
    fmt::print(stderr, "{}", summary(recording, file));
  return status;
}

int record(const CommandLine& line) {
  refuse_unmarked_program(line.words);
  const model::RawSettings raw = parse({.name = "record",
                                        .description = "Runs a program and records the arguments of its functions.",
                                        .examples = record_examples},
                                       line);
  const std::string file = raw.has("seen-file") ? raw.value("seen-file") : "";
  if (raw.has("twin")) { // for a recorded process
    OutputFile(file).write(run::answer_for(raw.value("twin")));
    return base::status_nothing;
  }
  return record_run(line.flags, file, raw.is_on("quiet"));
}

} // namespace faultline::cli
