// No input has an error above the bound that is proved and certified for it: random inputs and climbed ones, run by the
// machine, against MPFR; and all pairs of floats of small ranges.
//
// FAULTLINE_INPUTS=10000000 certificate_tests --gtest_filter='Soundness*' tries as many, over all functions.
#include "made_proofs.h"

#include "certificate/check.h"
#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/table.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace faultline::certificate {
namespace {

using model::Certificate;

// Of all tests together, whatever their number of functions.
uint64_t inputs_in_all() {
  const char* wanted = std::getenv("FAULTLINE_INPUTS");
  return wanted ? std::strtoull(wanted, nullptr, 10) : 46'000;
}

struct Benchmark {
  std::string name;
  std::vector<prove::InputDimension> inputs;
};

// The lines of published.csv: benchmark, ranges, ...
std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  std::ifstream stream(FAULTLINE_ROOT "/benchmarks/bounds/published.csv");
  std::string line;
  for (std::getline(stream, line); std::getline(stream, line);) {
    const size_t comma = line.find(',');
    Benchmark benchmark{line.substr(0, comma), {}};
    std::istringstream ranges(line.substr(comma + 1, line.find(',', comma + 1) - comma - 1));
    for (std::string range; ranges >> range;) {
      const size_t sign = range.find('='), colon = range.find(':');
      benchmark.inputs.push_back(
          test::doubles(std::stod(range.substr(sign + 1, colon - sign - 1)), std::stod(range.substr(colon + 1))));
    }
    all.push_back(std::move(benchmark));
  }
  return all;
}

// The functions of one path, which all of these are.
class Subject {
public:
  Subject(const std::string& code, const std::vector<prove::InputDimension>& inputs)
      : proof_(code, inputs, {}, true), inputs_(inputs) {
    proof_.run(2'000);
    certificate_ = test::certificate_of(proof_, inputs);
    const auto& path = certificate_.paths.at(0);
    values_.resize(inputs.size() + path.constants.size() + path.steps.size(), numeric::BigFloat(bits));
    for (size_t i = 0; i < path.constants.size(); ++i)
      mpfr_set_d(values_[inputs.size() + i].raw(), path.constants[i].low, MPFR_RNDN);
  }

  const Certificate& certificate() const { return certificate_; }

  // The absolute error; fails if one is above its bound.
  double error_at(const exec::Input& input) {
    const long double computed = proof_.session().run(input).outputs[0].value;
    const numeric::BigFloat& exact = exact_at(input);
    const double errors[3] = {numeric::absolute_error(computed, exact),
                              numeric::ulp_error(computed, exact, certificate_.outputs[0].format),
                              numeric::relative_error(computed, exact)};
    for (size_t measure = 0; measure < 3; ++measure)
      if (!(errors[measure] <= certificate_.outputs[0].claims[measure]))
        ADD_FAILURE() << model::text(model::all_measures[measure]) << " error " << errors[measure] << " above "
                      << certificate_.outputs[0].claims[measure] << " at " << double(input[0]);
    return errors[0];
  }

  // Half of them anywhere, half near the worst so far.
  double largest_error(uint64_t inputs, numeric::Rng& rng) {
    exec::Input worst;
    double largest = -1;
    for (uint64_t i = 0; i < inputs && !testing::Test::HasFailure(); ++i) {
      const exec::Input input = i % 2 == 0 || worst.empty() ? anywhere(rng) : near(worst, rng);
      if (const double error = error_at(input); error > largest) {
        largest = error;
        worst = input;
      }
    }
    return largest;
  }

private:
  static constexpr long bits = 256; // what cancels is no more than the 53 of a double, four times

  const numeric::BigFloat& exact_at(const exec::Input& input) {
    const auto& path = certificate_.paths[0];
    for (size_t i = 0; i < input.size(); ++i)
      mpfr_set_ld(values_[i].raw(), input[i], MPFR_RNDN);
    size_t slot = input.size() + path.constants.size();
    for (const model::CertifiedStep& step : path.steps)
      ops::evaluate(step.op, values_[slot++].raw(), values_[step.operands[0]].raw(), values_[step.operands[1]].raw(),
                    values_[step.operands[2]].raw());
    return values_[path.outputs[0]];
  }

  exec::Input anywhere(numeric::Rng& rng) const {
    exec::Input input;
    for (const prove::InputDimension& side : inputs_)
      input.push_back(clamped(side.range.low + (side.range.high - side.range.low) * rng.uniform(), side));
    return input;
  }
  exec::Input near(exec::Input input, numeric::Rng& rng) const {
    const double width = std::exp2(-double(rng.below(50)));
    for (size_t i = 0; i < input.size(); ++i)
      if (rng.below(2))
        input[i] =
            clamped(double(input[i]) + (inputs_[i].range.high - inputs_[i].range.low) * width * (rng.uniform() - 0.5),
                    inputs_[i]);
    return input;
  }
  static double clamped(double value, const prove::InputDimension& side) {
    return std::clamp(value, side.range.low, side.range.high);
  }

  test::Proof proof_;
  std::vector<prove::InputDimension> inputs_;
  Certificate certificate_;
  std::vector<numeric::BigFloat> values_;
};

TEST(Soundness, NoInputOfABenchmarkIsAboveItsBound) {
  std::ifstream file(FAULTLINE_ROOT "/benchmarks/bounds/functions.c");
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  const std::vector<Benchmark> all = benchmarks();
  ASSERT_EQ(all.size(), 23u);
  numeric::Rng rng(1);
  for (const Benchmark& benchmark : all) {
    SCOPED_TRACE(benchmark.name);
    Subject subject("#define " + benchmark.name + " f\n" + code, benchmark.inputs);
    ASSERT_FALSE(check(subject.certificate(), 1).refusal);
    const double largest = subject.largest_error(inputs_in_all() / all.size(), rng);
    EXPECT_GT(largest * 8, subject.certificate().outputs[0].claims[0]) << "a bound this far off says nothing";
  }
}

TEST(Soundness, NoPairOfFloatsIsAboveItsBound) {
  const auto side = uint64_t(std::sqrt(double(inputs_in_all()) / 8));
  uint64_t pairs = 0;
  for (const char* formula : {"x * y + 1 / (x + 3)", "(x - y) * (x + y)", "sqrtf(x * x + y * y)", "x / (x + y)"}) {
    SCOPED_TRACE(formula);
    // From below 1 to above it, where the unit changes; in the other from a power of two.
    const float low_x = 1 - float(side / 2) * 0x1p-24f, low_y = 0x1p-3f;
    float high_x = low_x, high_y = low_y;
    for (uint64_t i = 1; i < side; ++i) {
      high_x = std::nextafterf(high_x, 2);
      high_y = std::nextafterf(high_y, 2);
    }
    Subject subject(fmt::format("#include <math.h>\nfloat f(float x, float y) {{ return {}; }}", formula),
                    {test::floats(low_x, high_x), test::floats(low_y, high_y)});
    ASSERT_FALSE(check(subject.certificate(), 1).refusal);
    for (float x = low_x; x <= high_x && !HasFailure(); x = std::nextafterf(x, 2))
      for (float y = low_y; y <= high_y; y = std::nextafterf(y, 2), ++pairs)
        subject.error_at({x, y});
  }
  EXPECT_EQ(pairs, 4 * side * side);
}

} // namespace
} // namespace faultline::certificate
