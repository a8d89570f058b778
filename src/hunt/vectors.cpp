#include "hunt/vectors.h"

#include "base/error.h"
#include "base/text.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/given_input.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace faultline::hunt {

using namespace model;
using numeric::Value;

namespace {

// Makes a report from a set. If the file has no array sizes, they follow from the names of the cells.
TargetReport report_of(const VectorSet& set) {
  TargetReport report;
  report.function = set.function;
  std::map<std::string, uint64_t> lengths;
  if (!set.vectors.empty())
    for (const NamedNumber& cell : set.vectors.front().input)
      if (const std::string parameter = model::parameter_of(cell.name);
          parameter + "[" == cell.name.substr(0, parameter.size() + 1))
        ++lengths[parameter];
  for (const auto& [parameter, length] : lengths)
    if (!set.sizes.contains(parameter))
      report.extents.push_back({parameter, {length}});
  for (const auto& [parameter, extents] : set.sizes)
    report.extents.push_back({parameter, extents});
  return report;
}

// Compares one run with its vector.
class Comparison {
public:
  Comparison(const VectorSet& set, const model::Target& target, double factor, CheckedSet& checked)
      : set_(set), target_(target), factor_(factor), checked_(checked) {}

  void ended(size_t i, const std::string& ending) {
    const TestVector& vector = set_.vectors[i];
    checked_.unlike += ending != vector.ending;
    if (!vector.ending.empty())
      return; // it did not return when the vector was made, either
    checked_.failures.push_back({i, "", {}, worst_before(vector), infinity, ending});
    checked_.largest.add(infinity);
  }

  void returned(size_t i, const std::vector<Value>& values) {
    const TestVector& vector = set_.vectors[i];
    bool unlike = !vector.ending.empty();
    for (const VectorOutput& output : vector.outputs) {
      const auto cell = std::ranges::find(target_.outputs, output.name, &model::Cell::name);
      const auto place = size_t(cell - target_.outputs.begin());
      if (cell == target_.outputs.end() || place >= values.size()) {
        checked_.missing = "the function has no output " + output.name;
        return;
      }
      const Number now = judge::number_of(values[place], cell->type);
      unlike = unlike || now.hex != output.computed.hex;
      if (output.is_known())
        compare(i, output, now, values[place], cell->type);
    }
    checked_.unlike += unlike;
  }

private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  static double worst_before(const TestVector& vector) {
    const double worst = vector.worst();
    return std::isnan(worst) ? 0 : worst;
  }

  void compare(size_t i, const VectorOutput& output, const Number& now, Value value, const model::Type& type) {
    const Value reference = *numeric::parse_long_double(output.reference.hex); // checked by the reader
    const double error = now.hex == output.computed.hex || !type.floating
                             ? output.ulps
                             : numeric::ulp_error(value, numeric::BigFloat(reference, 64), type.format);
    checked_.largest_before.add(output.ulps);
    checked_.largest.add(error);
    if (model::grew(output.ulps, error, factor_))
      checked_.failures.push_back({i, output.name, now, output.ulps, error, ""});
  }

  const VectorSet& set_;
  const model::Target& target_;
  double factor_;
  CheckedSet& checked_;
};

// The number of candidates measured per requested vector. Errors distinguish similar candidates, and cost runs of the
// oracle. A guess.
constexpr size_t measured_per_vector = 2;

struct KnownProblem {
  Input input;
  std::string fault;
};

std::string key_of(const Input& input) {
  std::string key;
  for (const Value value : input)
    key += numeric::hex_float(value) + " ";
  return key;
}

// Removes settings of other functions of the hunt.
void drop_other_targets(Settings& settings, const model::Target& target) {
  const auto is_other = [&](const auto& entry) {
    const auto is_named = [&](const auto& own) {
      return own.name == entry.first || model::parameter_of(own.name) == entry.first;
    };
    return entry.first != "*" && std::ranges::none_of(target.inputs, is_named) &&
           std::ranges::none_of(target.parameters, is_named);
  };
  std::erase_if(settings.sizes, is_other);
  std::erase_if(settings.aliases, is_other);
  std::erase_if(settings.ranges, is_other);
  std::erase_if(settings.everyday, is_other);
  std::erase_if(settings.formats, is_other);
  std::erase_if(settings.held, is_other);
}

class Maker {
public:
  Maker(const std::vector<Problem>& problems, const Options& options, size_t most, const std::atomic<bool>& stop)
      : problems_(problems), options_(options), most_(most), stop_(stop), program_(load_program(options)) {
    Options as_written = options;
    as_written.sources.as_written = true;
    written_.emplace(load_program(as_written));
  }

  // Makes the vectors of a function. Calls `working` now and then.
  VectorSet of(const TargetReport& report, std::function<void()> working) {
    working_ = std::move(working);
    VectorSet set;
    set.function = report.function;
    set.file = report.file;
    try {
      make(report, set);
    } catch (const base::UserError& problem) {
      set.note = base::first_line(problem.what());
    }
    return set;
  }

private:
  struct Subject {
    model::Target target;
    Settings settings;
  };

  Subject subject(program::Program& program, const std::string& function, Fit fit) const {
    Options own = options_;
    own.functions = {function};
    Subject made{single_target(program, own, fit), {}};
    made.settings = settings_for(made.target, own);
    drop_other_targets(made.settings, made.target);
    measure(program, made.target, made.settings, own);
    return made;
  }

  void make(const TargetReport& report, VectorSet& set) {
    const Subject subject = this->subject(program_, report.function, Fit::huntable);
    set.target = subject.target;
    set.sizes = subject.settings.sizes;
    set.sizes.erase("*"); // the default for all is not part of a set
    std::vector<KnownProblem> known = problems_in(report, subject);
    bool cut = false;
    std::vector<VectorCandidate> all = candidates(subject, known, cut);
    const std::vector<size_t> first = chosen_vectors(all, measured_per_vector * most_);
    std::vector<VectorCandidate> some;
    for (const size_t i : first)
      some.push_back(all[i]);
    const std::vector<TestVector> measured = measure_all(subject, some);
    cut = cut || measured.size() < some.size();
    some.resize(measured.size());
    for (size_t i = 0; i < some.size(); ++i)
      if (const double worst = measured[i].worst(); !std::isnan(worst))
        some[i].error = 1 + model::error_bucket(worst);
    const std::vector<size_t> chosen = chosen_vectors(some, most_);
    for (const size_t i : chosen)
      set.vectors.push_back(named(measured[i], some[i], known, subject.target));
    set.outcomes = outcomes_in(all);
    set.covered = outcomes_shown(some, chosen);
    if (cut)
      set.note = "cut off by the clock: another run may choose others";
  }

  // Returns one input for each problem that the function is part of.
  std::vector<KnownProblem> problems_in(const TargetReport& report, const Subject& subject) const {
    std::vector<KnownProblem> known;
    for (const Problem& problem : problems_) {
      const auto own = std::ranges::find(problem.findings, &report, &Evidence::target);
      if (own != problem.findings.end())
        known.push_back({input_of(subject.target, subject.settings, own->finding->input), problem.fault});
    }
    return known;
  }

  // Explores the code as it is written, in which every condition of the source is a branch. Optimised code may have
  // other inputs.
  std::vector<VectorCandidate> candidates(const Subject& subject, const std::vector<KnownProblem>& known, bool& cut) {
    CandidatesTask task{{}, most_};
    for (const KnownProblem& problem : known)
      task.inputs.push_back(problem.input);
    try {
      const Subject written = this->subject(*written_, subject.target.function, Fit::callable);
      if (std::ranges::equal(written.target.inputs, subject.target.inputs, {}, &model::Cell::name, &model::Cell::name))
        return candidates(*written_, written, std::move(task), cut);
    } catch (const base::UserError&) { // uses the optimised code
    }
    return candidates(program_, subject, std::move(task), cut);
  }

  std::vector<VectorCandidate> candidates(program::Program& program, const Subject& subject, CandidatesTask task,
                                          bool& cut) const {
    std::vector<VectorCandidate> told;
    const Assignment assignment{.job = job_for(subject.target, subject.settings, options_, std::move(task)),
                                .target = &subject.target,
                                .on_message = [&](const Message& message) {
                                  working_();
                                  if (std::holds_alternative<WorkerDeath>(message))
                                    told.clear(); // the next worker sends them again
                                  else if (const auto* candidate = std::get_if<CandidateMessage>(&message))
                                    told.push_back({candidate->region, checked_input(subject.target, candidate->input),
                                                    candidate->decisions, 0});
                                  else if (const auto* done = std::get_if<CandidatesDone>(&message))
                                    cut = done->cut;
                                }};
    run_alone(assignment, program, options_.worker, stop_);
    return told;
  }

  // Fewer than the candidates if time was up.
  std::vector<TestVector> measure_all(const Subject& subject, const std::vector<VectorCandidate>& candidates) {
    std::vector<TestVector> measured(candidates.size());
    std::vector<Input> inputs;
    for (const VectorCandidate& candidate : candidates)
      inputs.push_back(candidate.input);
    Options own = options_;
    own.limits.oracle_operations = std::numeric_limits<uint64_t>::max(); // the number of candidates limits it
    const ManyRuns runs{.program = program_,
                        .target = subject.target,
                        .limits = own.worker,
                        .inputs = inputs.size(),
                        .task =
                            [&](size_t first) {
                              return MeasureTask{{inputs.begin() + long(first), inputs.end()}};
                            },
                        .on_result =
                            [&](size_t i, const Message& message) {
                              working_();
                              if (const auto* result = std::get_if<Measurement>(&message))
                                fill(measured[i], *result, subject.target);
                            },
                        .on_death = [&](size_t i, const WorkerDeath& died) { measured[i].ending = detail_of(died); }};
    measured.resize(run_all(job_for(subject.target, subject.settings, own, {}), runs));
    return measured;
  }

  static void fill(TestVector& vector, const Measurement& measured, const model::Target& target) {
    vector.ending = measured.ending;
    for (const MeasuredOutput& output : measured.outputs) {
      if (output.output >= target.outputs.size())
        continue;
      const model::Cell& cell = target.outputs[output.output];
      vector.outputs.push_back({cell.name, judge::number_of(output.computed, cell.type),
                                output.reference ? judge::number_of(*output.reference, cell.type) : Number(),
                                output.ulps, output.reference_by});
    }
  }

  static TestVector named(TestVector vector, const VectorCandidate& candidate, const std::vector<KnownProblem>& known,
                          const model::Target& target) {
    vector.region = candidate.region;
    vector.input = judge::named_input(target, candidate.input);
    int precision = numeric::info(numeric::Format::binary64).precision;
    for (const model::Cell& cell : target.outputs)
      if (cell.type.floating)
        precision = std::min(precision, numeric::info(cell.type.format).precision);
    vector.fault = class_of(vector, precision);
    if (candidate.region == Region::problem)
      for (const KnownProblem& problem : known)
        if (key_of(problem.input) == key_of(candidate.input)) {
          vector.fault = problem.fault;
          break;
        }
    return vector;
  }

  static uint64_t outcomes_in(const std::vector<VectorCandidate>& all) {
    std::vector<size_t> indices(all.size());
    for (size_t i = 0; i < indices.size(); ++i)
      indices[i] = i;
    return outcomes_shown(all, indices);
  }

  const std::vector<Problem>& problems_;
  const Options& options_;
  size_t most_;
  const std::atomic<bool>& stop_;
  std::function<void()> working_;
  program::Program program_;
  std::optional<program::Program> written_;
};

} // namespace

VectorChecker::VectorChecker(const Options& options, double factor)
    : options_(options), factor_(factor), program_(std::make_unique<program::Program>(load_program(options))) {}

VectorChecker::~VectorChecker() = default;

CheckedSet VectorChecker::check(const VectorSet& set) {
  CheckedSet checked{.function = set.function, .missing = {}, .vectors = set.vectors.size(), .failures = {}};
  if (set.vectors.empty())
    return checked;
  try {
    Options own = options_;
    own.functions = {set.function};
    const FoundIn found = found_in(*program_, own, report_of(set), set.vectors.front().input);
    std::vector<Input> inputs;
    for (const TestVector& vector : set.vectors)
      inputs.push_back(input_of(found.target, found.settings, vector.input));
    Comparison comparison(set, found.target, factor_, checked);
    const ManyRuns runs{.program = *program_,
                        .target = found.target,
                        .limits = own.worker,
                        .inputs = inputs.size(),
                        .task =
                            [&](size_t first) {
                              return RunTask{{inputs.begin() + long(first), inputs.end()}};
                            },
                        .on_result =
                            [&](size_t i, const Message& message) {
                              const auto* run = std::get_if<RunMessage>(&message);
                              if (run && run->returned)
                                comparison.returned(i, run->outputs);
                              else if (run)
                                comparison.ended(i, run->ending);
                            },
                        .on_death = [&](size_t i, const WorkerDeath& died) { comparison.ended(i, detail_of(died)); }};
    const size_t tried = run_all(job_for(found.target, found.settings, own, {}), runs);
    if (tried < inputs.size())
      checked.missing = fmt::format("time was up, twice the budget, after {} of {} vectors", tried, inputs.size());
  } catch (const base::UserError& problem) {
    checked.missing = base::first_line(problem.what());
  }
  return checked;
}

std::vector<VectorSet> test_vectors(const RankedReport& ranked, const Options& options, size_t most,
                                    const std::atomic<bool>& stop, const VectorsProgress& progress) {
  std::vector<const TargetReport*> hunted;
  for (const TargetReport& target : ranked.report.targets)
    if (target.outcome != TargetOutcome::refused)
      hunted.push_back(&target);
  std::vector<VectorSet> sets;
  Maker maker(ranked.problems, options, most, stop);
  for (const TargetReport* target : hunted)
    if (!stop)
      sets.push_back(maker.of(*target, [&] {
        if (progress)
          progress(sets.size(), hunted.size(), target->function);
      }));
  return sets;
}

} // namespace faultline::hunt
