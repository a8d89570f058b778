// How well the estimates that guide a search agree with the oracle: the search's score and the adjoint's first-order
// estimate (tape/adjoint.h) against lifted execution, on GSL's one-argument functions. The inputs are what a search
// scores: samples over all floats, samples of ordinary size, and the candidates of the bracket search. The score of a
// sample is what its residues say (tape/residue.h); that of a candidate is the one it was handed over with, for which a
// path that rounding chose was put right if possible (search/scorer.h). An estimate agrees if it is within a factor
// of 10 of the oracle's error; errors up to 1e-10 are left out.
//
//   bench_estimate [--misses] [SEED]    --misses: scores that do not agree, one a line
#include "oracle/lifted.h"
#include "oracle/meaning/catalogue.h"
#include "program/program.h"
#include "search/strategy.h"
#include "tape/adjoint.h"
#include "tape/residue.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

namespace {

using namespace faultline;

struct Agreement {
  uint64_t inputs = 0, score = 0, adjoint = 0;

  void print(const char* what) const {
    const double all = inputs ? double(inputs) : 1;
    std::printf("  %-44s %8lu %9.1f %% %9.1f %%\n", what, static_cast<unsigned long>(inputs), 100 * double(score) / all,
                100 * double(adjoint) / all);
  }
};

// By the size of the oracle's error: up to 1 some digit may be right; beyond it the size is that of the exact value.
// Beyond 2^53 in size a double has no fraction, and the exact value of a periodic function needs more digits than
// residues have. `right_path`: those whose run decides everything as exact arithmetic does.
struct Agreements {
  Agreement all, up_to_one, beyond, ordinary, right_path, wrong_path;

  void print(const char* what) const {
    all.print(what);
    up_to_one.print("  error up to 1");
    beyond.print("  error above 1");
    ordinary.print("  argument up to 2^53");
    right_path.print("  on the exact path");
    wrong_path.print("  on another path");
  }
};

struct Wishes {
  uint64_t seed = 1;
  bool misses = false;
};

bool within_ten(double estimate, double error) { return estimate >= error / 10 && estimate <= error * 10; }

double first_order(const tape::Tape& tape, uint32_t record) {
  if (record == 0)
    return 0;
  const double error = tape::estimate_error(tape, record).absolute;
  return std::fabs(error / (tape.value(record) + error));
}

double residues_say(const tape::Tape& tape) {
  tape::Residues residues;
  return tape::estimated_error(tape, {0}, residues).relative;
}

// A candidate has a score; the score of a sample is what the residues say.
void compare(exec::Session& session, const exec::Input& input, std::optional<double> score, const Wishes& wishes,
             Agreements& agreements) {
  constexpr double least = 1e-10;
  const exec::Run run = session.run(input);
  if (run.outcome != exec::Outcome::returned || !std::isfinite(run.outputs[0].value))
    return;
  const tape::Tape tape(run, session.sites(), input.size());
  const double estimate = score ? *score : residues_say(tape);
  const double linear = first_order(tape, tape.outputs().front().record);
  const oracle::Judgement judgement = oracle::judge_lifted(session, input, tape, {0});
  if (judgement.certainty == oracle::Certainty::unknown)
    return;
  const oracle::OutputJudgement& output = judgement.outputs.front();
  if (!(output.relative > least) || !std::isfinite(output.relative) || !(output.ulps > 1) || output.absolute < 1e-307)
    return;
  std::vector<Agreement*> concerned = {&agreements.all,
                                       output.relative <= 1 ? &agreements.up_to_one : &agreements.beyond};
  if (std::fabs(input[0]) <= 0x1p53L)
    concerned.push_back(&agreements.ordinary);
  concerned.push_back(judgement.flip ? &agreements.wrong_path : &agreements.right_path);
  if (wishes.misses && !within_ten(estimate, output.relative))
    std::printf("%s(%.17Lg): %s %.3g, oracle %.3g%s\n", session.target().function.c_str(), input[0],
                score ? "candidate" : "sample", estimate, output.relative, judgement.flip ? ", another path" : "");
  for (Agreement* agreement : concerned) {
    ++agreement->inputs;
    agreement->score += within_ten(estimate, output.relative);
    agreement->adjoint += within_ten(linear, output.relative);
  }
}

void measure(const char* function, const Wishes& wishes, Agreements& sampled, Agreements& proposed) {
  constexpr int samples = 400;
  program::Program program = program::Program::load({{BENCH_GSL}, {}, {}});
  const model::Target target = program.find({function}, {}).front();
  search::Space space;
  for (const model::Cell& cell : target.inputs) {
    const long double end = cell.type.floating ? std::numeric_limits<double>::max() : 0; // the mode: full precision
    space.dimensions.push_back({cell.name, cell.type.floating, cell.type.format, -end, end});
  }
  exec::Limits limits;
  limits.oracle_operations = ~uint64_t(0);
  exec::Session session(std::move(program), target, limits);
  numeric::Rng rng(wishes.seed);
  for (int i = 0; i < samples; ++i) {
    exec::Input input = space.sample_floats(rng);
    if (i % 2)
      for (size_t d = 0; d < input.size(); ++d)
        if (!space.dimensions[d].held())
          input[d] = std::ldexp(double(rng.coin() ? 1 + rng.uniform() : -1 - rng.uniform()), int(rng.below(16)) - 8);
    compare(session, input, std::nullopt, wishes, sampled);
  }
  search::Evaluator evaluator(session, {}, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, rng};
  for (const search::Candidate& candidate : search::search_bracket(quest))
    compare(session, candidate.input, candidate.score, wishes, proposed);
}

// The precision mode does not count.
bool is_gsl_function_of_one_float(const oracle::CatalogueEntry& entry) {
  const model::Target target = oracle::target_of(entry);
  size_t floats = 0, integers = 0;
  for (const model::Cell& cell : target.inputs)
    (cell.type.floating ? floats : integers) += cell.name != "mode";
  return std::string_view(entry.name).starts_with("gsl_sf_") && floats == 1 && integers == 0;
}

} // namespace

int main(int count, char** arguments) {
  // GSL's error handler prints a line for every abort.
  if (std::freopen("/dev/null", "w", stderr) == nullptr)
    return 1;
  Wishes wishes;
  for (int i = 1; i < count; ++i)
    if (const std::string_view argument = arguments[i]; argument == "--misses")
      wishes.misses = true;
    else
      wishes.seed = std::strtoull(arguments[i], nullptr, 10);
  Agreements sampled, proposed;
  for (const oracle::CatalogueEntry* entry : oracle::catalogue_entries())
    if (is_gsl_function_of_one_float(*entry))
      measure(entry->name, wishes, sampled, proposed);
  std::printf("\nEstimates within a factor of 10 of the oracle's error, where that exceeds 1e-10\n");
  std::printf("  %-44s %8s %11s %11s\n", "inputs", "number", "score", "adjoint");
  sampled.print("samples");
  proposed.print("candidates of the bracket search");
}
