// How well the estimates that guide a search agree with the oracle: the residues (tape/residue.h) and the adjoint's
// first-order estimate (tape/adjoint.h) against lifted execution, on GSL's one-argument functions. The inputs are what
// a search scores: samples over all floats, samples of ordinary size, and the candidates of the bracket search. An
// estimate agrees if it is within a factor of 10 of the oracle's error; errors up to 1e-10 are left out.
#include "benchmarks/gsl/reference.h"
#include "frontend/error.h"
#include "frontend/program.h"
#include "oracle/lifted.h"
#include "search/strategy.h"
#include "tape/adjoint.h"
#include "tape/residue.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace {

using namespace faultline;

struct Agreement {
  uint64_t inputs = 0, residues = 0, adjoint = 0;

  void print(const char* what) const {
    const double all = inputs ? double(inputs) : 1;
    std::printf("  %-44s %8lu %9.1f %% %9.1f %%\n", what, static_cast<unsigned long>(inputs),
                100 * double(residues) / all, 100 * double(adjoint) / all);
  }
};

// By the size of the oracle's error: up to 1 some digit may be right; beyond it the size is that of the exact value.
// Beyond 2^53 in size a double has no fraction, and the exact value of a periodic function needs more digits than
// residues have.
struct Agreements {
  Agreement all, up_to_one, beyond, ordinary;
};

bool within_ten(double estimate, double error) { return estimate >= error / 10 && estimate <= error * 10; }

double first_order(const tape::Tape& tape, uint32_t record) {
  if (record == 0)
    return 0;
  const double error = tape::estimate_error(tape, record).absolute;
  return std::fabs(error / (tape.value(record) + error));
}

void compare(exec::Session& session, const exec::Input& input, Agreements& agreements) {
  constexpr double least = 1e-10;
  const exec::Run run = session.run(input);
  if (run.outcome != exec::Outcome::returned || !std::isfinite(run.outputs.front().value))
    return;
  const tape::Tape tape(run, session.sites(), input.size());
  tape::Residues residues;
  const double estimate = tape::estimated_error(tape, {0}, residues).relative;
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
  for (Agreement* agreement : concerned) {
    ++agreement->inputs;
    agreement->residues += within_ten(estimate, output.relative);
    agreement->adjoint += within_ten(linear, output.relative);
  }
}

void measure(const char* function, Agreements& sampled, Agreements& proposed) {
  constexpr int samples = 400;
  frontend::Program program = frontend::Program::load({{BENCH_GSL}, {}, {}});
  const frontend::Target target = program.find({function}, {}).front();
  search::Space space;
  for (const frontend::Cell& cell : target.inputs) {
    const long double end = cell.type.floating ? std::numeric_limits<double>::max() : 0; // the mode: full precision
    space.dimensions.push_back({cell.name, cell.type.floating, cell.type.format, -end, end});
  }
  exec::Limits limits;
  limits.oracle_operations = ~uint64_t(0);
  exec::Session session(std::move(program), target, limits);
  numeric::Rng rng(1);
  for (int i = 0; i < samples; ++i) {
    exec::Input input = space.sample_floats(rng);
    if (i % 2)
      for (size_t d = 0; d < input.size(); ++d)
        if (!space.dimensions[d].held())
          input[d] = std::ldexp(double(rng.coin() ? 1 + rng.uniform() : -1 - rng.uniform()), int(rng.below(16)) - 8);
    compare(session, input, sampled);
  }
  search::Evaluator evaluator(session, {}, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, rng};
  for (const search::Candidate& candidate : search::search_bracket(quest))
    compare(session, candidate.input, proposed);
}

} // namespace

int main() {
  // GSL's error handler says a line for every abort.
  if (std::freopen("/dev/null", "w", stderr) == nullptr)
    return 1;
  Agreements sampled, proposed;
  for (const benchmarks::GslReference& reference : benchmarks::gsl_references()) {
    if (reference.arguments != 1)
      continue;
    try {
      measure(reference.function, sampled, proposed);
    } catch (const frontend::UserError&) {
      continue; // of an integer: there is nothing to sample
    }
  }
  std::printf("\nEstimates within a factor of 10 of the oracle's error, where that exceeds 1e-10\n");
  std::printf("  %-44s %8s %11s %11s\n", "inputs", "number", "residues", "adjoint");
  sampled.all.print("samples");
  sampled.up_to_one.print("  error up to 1");
  sampled.beyond.print("  error above 1");
  sampled.ordinary.print("  argument up to 2^53");
  proposed.all.print("candidates of the bracket search");
  proposed.up_to_one.print("  error up to 1");
  proposed.beyond.print("  error above 1");
  proposed.ordinary.print("  argument up to 2^53");
}
