#include "hunt/vectors/checking.h"

#include "frontend/error.h"
#include "hunt/targets/targets.h"
#include "hunt/vectors/input_runs.h"
#include "hunt/worker_death.h"
#include "judge/number.h"
#include "numeric/decimal.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace faultline::campaign {

using finding::CheckedSet;
using finding::TestVector;
using finding::VectorOutput;
using finding::VectorSet;

namespace {

// The names of the cells tell how long arrays were, where the file does not.
finding::TargetReport report_of(const VectorSet& set) {
  finding::TargetReport report;
  report.function = set.function;
  std::map<std::string, uint64_t> lengths;
  if (!set.vectors.empty())
    for (const finding::NamedNumber& cell : set.vectors.front().input)
      if (const std::string parameter = frontend::parameter_of(cell.name);
          parameter + "[" == cell.name.substr(0, parameter.size() + 1))
        ++lengths[parameter];
  for (const auto& [parameter, length] : lengths)
    if (!set.sizes.contains(parameter))
      report.extents.push_back({parameter, {length}});
  for (const auto& [parameter, extents] : set.sizes)
    report.extents.push_back({parameter, extents});
  return report;
}

// What one run says of its vector.
class Comparison {
public:
  Comparison(const VectorSet& set, const frontend::Target& target, double factor, CheckedSet& checked)
      : set_(set), target_(target), factor_(factor), checked_(checked) {}

  void ended(size_t i, const std::string& ending) {
    const TestVector& vector = set_.vectors[i];
    checked_.unlike += ending != vector.ending;
    if (!vector.ending.empty())
      return; // it did not return before either
    checked_.failures.push_back({i, "", {}, worst_before(vector), infinity, ending});
    checked_.largest.add(infinity);
  }

  void returned(size_t i, const std::vector<long double>& values) {
    const TestVector& vector = set_.vectors[i];
    bool unlike = !vector.ending.empty();
    for (const VectorOutput& output : vector.outputs) {
      const auto cell = std::ranges::find(target_.outputs, output.name, &frontend::Cell::name);
      const auto place = size_t(cell - target_.outputs.begin());
      if (cell == target_.outputs.end() || place >= values.size()) {
        checked_.missing = "the function has no output " + output.name;
        return;
      }
      const finding::Number now = judge::number_of(values[place], cell->type);
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

  void compare(size_t i, const VectorOutput& output, const finding::Number& now, long double value,
               const frontend::Type& type) {
    const long double reference = *numeric::parse_long_double(output.reference.hex); // the reader has seen to it
    const double error = now.hex == output.computed.hex || !type.floating
                             ? output.ulps
                             : numeric::ulp_error(value, numeric::BigFloat(reference, 64), type.format);
    checked_.largest_before.add(output.ulps);
    checked_.largest.add(error);
    if (finding::grew(output.ulps, error, factor_))
      checked_.failures.push_back({i, output.name, now, output.ulps, error, ""});
  }

  const VectorSet& set_;
  const frontend::Target& target_;
  double factor_;
  CheckedSet& checked_;
};

} // namespace

VectorChecker::VectorChecker(const Options& options, double factor)
    : options_(options), factor_(factor), program_(std::make_unique<frontend::Program>(load_program(options))) {}

VectorChecker::~VectorChecker() = default;

CheckedSet VectorChecker::check(const VectorSet& set) {
  CheckedSet checked{.function = set.function, .missing = {}, .vectors = set.vectors.size(), .failures = {}};
  if (set.vectors.empty())
    return checked;
  try {
    Options own = options_;
    own.functions = {set.function};
    const FoundIn found = found_in(*program_, own, report_of(set), set.vectors.front().input);
    std::vector<finding::Input> inputs;
    for (const TestVector& vector : set.vectors)
      inputs.push_back(input_of(found.target, found.settings, vector.input));
    Comparison comparison(set, found.target, factor_, checked);
    run_inputs(job_for(found.target, found.settings, own, {}), inputs,
               {.program = *program_,
                .target = found.target,
                .limits = own.worker,
                .task = [](std::vector<finding::Input> rest) { return finding::RunTask{std::move(rest)}; },
                .on_result =
                    [&](size_t i, const finding::Message& message) {
                      const auto* run = std::get_if<finding::RunMessage>(&message);
                      if (run && run->returned)
                        comparison.returned(i, run->outputs);
                      else if (run)
                        comparison.ended(i, run->ending);
                    },
                .on_death = [&](size_t i, const finding::WorkerDeath& died) { comparison.ended(i, detail_of(died)); }});
  } catch (const frontend::UserError& problem) {
    const std::string what = problem.what();
    checked.missing = what.substr(0, what.find('\n'));
  }
  return checked;
}

} // namespace faultline::campaign
