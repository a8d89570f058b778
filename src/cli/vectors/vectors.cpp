#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "finding/vectors/csv.h"
#include "frontend/error.h"
#include "frontend/reading/bounded_stream.h"
#include "hunt/vectors/checking.h"
#include "numeric/decimal.h"
#include "report/vectors/checked_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
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

// Those of the functions that -f names.
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
                              .examples = examples,
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
