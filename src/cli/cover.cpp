#include "hunt/cover.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "exec/native_program.h"
#include "finding/settings/values.h"
#include "finding/vectors/csv.h"
#include "frontend/error.h"
#include "frontend/sources.h"
#include "hunt/vectors.h"
#include "numeric/decimal.h"
#include "report/checked_text.h"
#include "report/cover_text.h"
#include "report/tests/regression_test.h"
#include "report/tests/test_frame.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* cover_examples = R"(Examples:
  faultline cover foo.c -f foo                      an input for each outcome of each comparison, or a proof
  faultline cover foo.c -f foo -o foo_test.cpp      the inputs as a GoogleTest file; .c for plain C, .json for scripts
  faultline cover foo.c -f foo --paths              all paths, not only all outcomes
  faultline cover foo.c -f foo --loop-bound 2       loops turned twice at most

A branch outcome is covered (an input shows it, and a fresh process has confirmed that), infeasible (all paths are
known, and the solver named has proven that none shows it), or open. Exit status: 0 none is open, 4 some are.)";

using Render = std::string (*)(const finding::CoverReport&);

struct Output {
  OutputFile file;
  Render render;
  bool is_test = false;
};

std::vector<Output> outputs(const std::vector<std::string>& files) {
  std::vector<Output> all;
  for (const std::string& file : files) {
    const std::string ending = std::filesystem::path(file).extension().string();
    const Render render = file == "-" || ending == ".json"                          ? report::cover_json
                          : ending == ".cpp" || ending == ".cc" || ending == ".cxx" ? report::test_file_cpp
                          : ending == ".c"                                          ? report::test_file_c
                                                                                    : nullptr;
    if (!render)
      throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                      ".cpp (GoogleTest), .c, .json, or -o - for JSON on standard output");
    all.push_back({OutputFile(file), render, render != report::cover_json});
  }
  return all;
}

} // namespace

int cover(const CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline cover",
             .description = "Finds an input for each branch outcome of a function, or proves that there is none.",
             .examples = cover_examples,
             .operand = "SOURCE",
             .operand_help = source_help,
             .many_operands = true,
             .options = options_of(finding::command::cover)},
            line);
  finding::Settings usual;
  usual.budget_seconds = seconds_to_explore(usual);
  campaign::Options options = options_from(said, line, usual);
  options.worker.confinement = confinement_from(said);
  if (options.functions.size() > 1)
    throw UserError(status_usage, "cover is for one function", "-f FUNCTION");
  finding::ExploreTask how;
  how.every_path = said.is_on("paths");
  if (said.has("loop-bound"))
    how.loop_bound =
        int(std::min<uint64_t>(finding::positive_whole("--loop-bound", said.value("loop-bound")), 1'000'000));
  const std::vector<Output> files = outputs(said.values("report"));
  const bool quiet = said.is_on("quiet");
  const bool json_only =
      std::any_of(files.begin(), files.end(), [](const Output& output) { return output.file.is_standard_output(); });

  if (!json_only && !quiet)
    tell_configuration(options);
  ProgressDisplay progress(progress_mode(quiet, STDERR_FILENO), stderr);
  const base::Stopwatch watch;
  const Interrupt interrupt;
  const finding::CoverReport report = campaign::cover(
      options, how,
      [&](uint64_t runs) {
        finding::Progress now;
        now.function = "paths";
        now.targets = 1;
        now.evaluations = runs;
        now.seconds = watch.seconds();
        progress.update(now);
      },
      interrupt.flag());
  progress.clear();
  if (!json_only)
    print(report::cover_text(report, report::style_of(STDOUT_FILENO)));
  for (const Output& output : files) {
    const auto form = output.render == report::test_file_c ? report::TestForm::c : report::TestForm::google_test;
    if (const std::string reason = report::no_call_reason(report.target, form); output.is_test && !reason.empty())
      throw UserError(status_usage, reason, "-o FILE.json has the inputs");
    const std::string text = output.render(report);
    const auto kind = form == report::TestForm::c ? exec::MainProgram::c : exec::MainProgram::google_test;
    if (const std::string error = output.is_test ? exec::error_in(text, kind, {}) : ""; !error.empty())
      throw UserError(status_usage, fmt::format("the tests do not compile, and are not written: {}", error),
                      "-o FILE.json has the inputs");
    output.file.write(text);
  }
  if (report.interrupted)
    fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return report.interrupted || report.count(finding::Standing::open) > 0 ? frontend::status_inconclusive
                                                                         : frontend::status_nothing;
}

namespace {

constexpr const char* vectors_examples = R"(Examples:
  faultline hunt foo.c -o foo.csv                  write test vectors, 50 for each function (--vectors N)
  faultline vectors foo.csv foo.c                  run them against the code as it is now
  faultline vectors foo.csv other/foo.c -f foo     against another implementation, one function
  faultline vectors foo.csv foo.c --factor 4       an error may grow to four times what it was
  faultline vectors foo.csv foo.c -- -ffast-math   against another build

A vector fails if its error, in units in the last place of what is right, grew by more than the factor, or if the call
does not return any more; errors below 2 ulps count as 2. Exit status: 0 none failed, 1 some did, 3 none did, but a
function of the file is not in the sources, or they do not compile.)";

double factor_from(const finding::Said& said) {
  if (!said.has("factor"))
    return 2;
  const auto factor = numeric::parse_double(said.value("factor"));
  if (!factor || !(*factor >= 1 && *factor < 1e300))
    throw UserError(status_usage, fmt::format("--factor {}: is not a number of at least 1", said.value("factor")),
                    "--factor 2");
  return *factor;
}

// Loads the vectors of the functions that -f names.
std::vector<finding::VectorSet> load_vectors(const std::string& file, const std::vector<std::string>& functions) {
  const char* hint = "faultline hunt ... -o FILE.csv writes such files";
  std::vector<finding::VectorSet> sets =
      finding::parse_vectors(frontend::bounded_content(file, finding::most_vector_bytes, hint), file);
  std::erase_if(sets, [&](const finding::VectorSet& set) {
    frontend::Target named;
    named.function = set.function;
    return !functions.empty() && std::ranges::none_of(functions, [&](const std::string& pattern) {
      return frontend::answers_to(named, pattern);
    });
  });
  if (sets.empty())
    throw UserError(
        status_usage,
        fmt::format("{}: has no vectors of {}", file, functions.empty() ? "any function" : "these functions"), hint);
  return sets;
}

} // namespace

int vectors(const CommandLine& line) {
  finding::Said said = parse({.name = "faultline vectors",
                              .description = "Runs test vectors against a build, and fails where an error grew.",
                              .examples = vectors_examples,
                              .operand = "FILE.csv SOURCE",
                              .operand_help = "what hunt -o FILE.csv wrote, and the code to run",
                              .many_operands = true,
                              .options = options_of(finding::command::vectors)},
                             line);
  std::vector<std::string> words = said.values(operands);
  if (words.empty())
    throw UserError(status_usage, "no file of vectors given", "faultline vectors FILE.csv SOURCE");
  report::CheckedVectors all{words.front(), factor_from(said), {}, {}};
  words.erase(words.begin());
  said.set(operands, words);
  const std::vector<OutputFile> files = json_files(said.values("report"));
  all.sets = load_vectors(all.file, said.values("function"));
  campaign::Options options = options_from(said, line);
  options.worker.confinement = confinement_from(said);
  options.functions.clear();
  for (const finding::VectorSet& set : all.sets)
    options.functions.push_back(set.function);
  const Interrupt interrupt;
  campaign::VectorChecker checker(options, all.factor);
  for (const finding::VectorSet& set : all.sets)
    if (!interrupt.flag())
      all.checked.push_back(checker.check(set));
  if (std::ranges::none_of(files, &OutputFile::is_standard_output))
    print(report::checked_text(all, said.is_on("quiet")));
  for (const OutputFile& file : files)
    file.write(report::checked_json(all));
  if (interrupt.flag())
    fmt::print(stderr, "faultline: interrupted; this is what was seen until then\n");
  if (all.failed() > 0)
    return frontend::status_found;
  if (all.missing() > 0)
    return frontend::status_unsuitable;
  return interrupt.flag() ? frontend::status_inconclusive : frontend::status_nothing;
}

} // namespace faultline::cli
