#include "base/clock.h"
#include "base/error.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "exec/native_program.h"
#include "hunt/single_target.h"
#include "hunt/vectors.h"
#include "model/settings/settings.h"
#include "model/vectors/vector.h"
#include "numeric/decimal.h"
#include "program/sources.h"
#include "report/checked_text.h"
#include "report/cover_text.h"
#include "report/tests/regression_test.h"
#include "report/tests/test_frame.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

constexpr const char* cover_examples = R"(Examples:
  faultline cover foo.c -f foo                      an input for each outcome of each comparison, or a proof
  faultline cover foo.c -f foo -o foo_test.cpp      the inputs as a GoogleTest file; .c for plain C, .json for scripts
  faultline cover foo.c -f foo --paths              all paths, not only all outcomes
  faultline cover foo.c -f foo --loop-bound 2       loops turned twice at most

A branch outcome is covered (an input shows it, and a fresh process has confirmed that), infeasible (all paths are
known, and the solver named has proven that none shows it), or open. Exit status: 0 none is open, 4 some are.)";

struct CoverFormat {
  const char* ending;
  std::string (*render)(const model::CoverReport&);
};

constexpr CoverFormat cover_formats[] = {{".json", report::cover_json},
                                         {".cpp", report::test_file_cpp},
                                         {".cc", report::test_file_cpp},
                                         {".cxx", report::test_file_cpp},
                                         {".c", report::test_file_c}};

struct CoverOutput {
  explicit CoverOutput(const std::string& name)
      : render(format_for(name, cover_formats, ".cpp (GoogleTest), .c, .json, or -o - for JSON on standard output")
                   .render),
        file(name) {}

  std::string (*render)(const model::CoverReport&); // first, so that a refused ending touches no file
  OutputFile file;
  bool is_test() const { return render != report::cover_json; }
};

} // namespace

int cover(const CommandLine& line) {
  const model::RawSettings raw =
      parse_sources("cover", "Finds an input for each branch outcome of a function, or proves that there is none.",
                    cover_examples, line);
  model::Settings usual;
  usual.budget_seconds = seconds_to_explore(usual);
  hunt::Options options = options_from(raw, line, usual);
  options.worker.confinement = confinement_from(raw);
  if (options.functions.size() > 1)
    throw UserError(status_usage, "cover is for one function", "-f FUNCTION");
  model::ExploreTask how;
  how.every_path = raw.is_on("paths");
  if (raw.has("loop-bound"))
    how.loop_bound = int(std::min<uint64_t>(model::positive_whole("--loop-bound", raw.value("loop-bound")), 1'000'000));
  const std::vector<std::string>& names = raw.values("report");
  const std::vector<CoverOutput> files(names.begin(), names.end());
  const bool quiet = raw.is_on("quiet");
  const bool json_only = std::any_of(files.begin(), files.end(),
                                     [](const CoverOutput& output) { return output.file.is_standard_output(); });

  if (!json_only && !quiet)
    tell_configuration(options);
  ProgressDisplay progress(progress_mode(quiet, STDERR_FILENO), stderr);
  const base::Stopwatch watch;
  const Interrupt interrupt;
  const model::CoverReport report = hunt::cover(
      options, how,
      [&](uint64_t runs) {
        model::Progress now;
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
  for (const CoverOutput& output : files) {
    const auto form = output.render == report::test_file_c ? report::TestForm::c : report::TestForm::google_test;
    if (const std::string reason = report::no_call_reason(report.target, form); output.is_test() && !reason.empty())
      throw UserError(status_usage, reason, "-o FILE.json has the inputs");
    const std::string text = output.render(report);
    const auto kind = form == report::TestForm::c ? exec::MainProgram::c : exec::MainProgram::google_test;
    if (const std::string error = output.is_test() ? exec::error_in(text, kind, {}) : ""; !error.empty())
      throw UserError(status_usage, fmt::format("the tests do not compile, and are not written: {}", error),
                      "-o FILE.json has the inputs");
    output.file.write(text);
  }
  if (report.interrupted)
    fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return report.interrupted || report.count(model::BranchState::open) > 0 ? base::status_inconclusive
                                                                          : base::status_nothing;
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

double factor_from(const model::RawSettings& raw) {
  if (!raw.has("factor"))
    return 2;
  const auto factor = numeric::parse_double(raw.value("factor"));
  if (!factor || !(*factor >= 1 && *factor < 1e300))
    throw UserError(status_usage, fmt::format("--factor {}: is not a number of at least 1", raw.value("factor")),
                    "--factor 2");
  return *factor;
}

// Loads the vectors of the functions that -f names.
std::vector<model::VectorSet> load_vectors(const std::string& file, const std::vector<std::string>& functions) {
  const char* hint = "faultline hunt ... -o FILE.csv writes such files";
  std::vector<model::VectorSet> sets =
      model::parse_vectors(base::bounded_content(file, model::most_vector_bytes, hint), file);
  std::erase_if(sets, [&](const model::VectorSet& set) {
    model::Target named;
    named.function = set.function;
    return !functions.empty() && std::ranges::none_of(functions, [&](const std::string& pattern) {
      return program::answers_to(named, pattern);
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
  model::RawSettings raw = parse({.name = "vectors",
                                  .description = "Runs test vectors against a build, and fails where an error grew.",
                                  .examples = vectors_examples,
                                  .operand = "FILE.csv SOURCE",
                                  .operand_help = "what hunt -o FILE.csv wrote, and the code to run",
                                  .many_operands = true},
                                 line);
  std::vector<std::string> words = raw.values(operands);
  if (words.empty())
    throw UserError(status_usage, "no file of vectors given", "faultline vectors FILE.csv SOURCE");
  report::CheckedVectors all{words.front(), factor_from(raw), {}, {}};
  words.erase(words.begin());
  raw.set(operands, words);
  const std::vector<OutputFile> files = json_files(raw.values("report"));
  all.sets = load_vectors(all.file, raw.values("function"));
  hunt::Options options = options_from(raw, line);
  options.worker.confinement = confinement_from(raw);
  options.functions.clear();
  for (const model::VectorSet& set : all.sets)
    options.functions.push_back(set.function);
  const Interrupt interrupt;
  hunt::VectorChecker checker(options, all.factor);
  for (const model::VectorSet& set : all.sets)
    if (!interrupt.flag())
      all.checked.push_back(checker.check(set));
  if (std::ranges::none_of(files, &OutputFile::is_standard_output))
    print(report::checked_text(all, raw.is_on("quiet")));
  for (const OutputFile& file : files)
    file.write(report::checked_json(all));
  if (interrupt.flag())
    fmt::print(stderr, "faultline: interrupted; this is what was seen until then\n");
  if (all.failed() > 0)
    return base::status_found;
  if (all.missing() > 0)
    return base::status_unsuitable;
  return interrupt.flag() ? base::status_inconclusive : base::status_nothing;
}

} // namespace faultline::cli
