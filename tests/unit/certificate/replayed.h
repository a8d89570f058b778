// Runs the code of a certificate: in floats, as the machine does, and in MPFR, to see whether what it claims is so.
#pragma once

#include "certificate/check.h"
#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/op.h"
#include "ops/table.h"

#include <cmath>
#include <string>
#include <vector>

namespace faultline::test {

class Replayed {
public:
  explicit Replayed(const model::Certificate& certificate) : certificate_(certificate) {
    certificate::BoxWalk walk(certificate);
    for (certificate::Leaf leaf; walk.next(leaf);)
      if (leaf.node.kind == model::ProofNode::Kind::bounded)
        leaves_.push_back(leaf);
  }

  // What is wrong at one of so many inputs of any boxes; empty: nothing.
  std::string falsehood(int inputs, uint64_t seed) {
    numeric::Rng rng(seed);
    for (int i = 0; i < inputs && !leaves_.empty(); ++i)
      if (std::string wrong = falsehood_at(leaves_[rng.below(leaves_.size())], rng); !wrong.empty())
        return wrong;
    return "";
  }
  double largest() const { return largest_; } // absolute error of the first output that was seen

private:
  static constexpr long bits = 300;
  struct Pair {
    long double run = 0;
    numeric::BigFloat exact = numeric::BigFloat(bits);
  };

  static double to_double(const numeric::Real& real) { return arf_get_d(real.raw(), ARF_RND_NEAR); }

  // One of the floats between the ends, or an end.
  static double float_between(double low, double high, numeric::Format format, numeric::Rng& rng) {
    const double at = low + (high - low) * (double(rng.below(1u << 20)) / ((1u << 20) - 1));
    const double rounded = double(numeric::nearest(at, std::min(format, numeric::Format::binary64)));
    return rounded >= low && rounded <= high ? rounded : low;
  }

  Pair input_from(const model::CertifiedInput& input, const numeric::Range& side, numeric::Rng& rng) const {
    Pair pair;
    pair.run = float_between(to_double(side.low), to_double(side.high), input.format, rng);
    const double half = std::ldexp(1.0, numeric::ulp_exponent(pair.run, input.format) - 1);
    // Less than what is allowed, so that reals that are rounded do round to the float.
    const double error = (input.rounded ? half : input.error) * (double(rng.below(2001)) / 1000 - 1) * 0.999 / 2;
    mpfr_set_ld(pair.exact.raw(), pair.run, MPFR_RNDN);
    mpfr_add_d(pair.exact.raw(), pair.exact.raw(), error, MPFR_RNDN);
    return pair;
  }

  static long double evaluated(const model::CertifiedStep& step, const long double* x) {
    return step.op == ops::Op::fptrunc || step.op == ops::Op::fpext
               ? numeric::nearest(x[0], step.format)
               : ops::evaluate(step.op, step.format, x[0], x[1], x[2]);
  }

  // The outcome in a run, or in exact arithmetic.
  static int64_t decided(const model::CertifiedStep& step, const Pair* const* x, bool exact) {
    if (ops::is_to_int(step.op)) {
      if (!exact)
        return int64_t(ops::evaluate80(step.op, x[0]->run));
      numeric::BigFloat result(bits);
      ops::evaluate(step.op, result.raw(), x[0]->exact.raw(), nullptr, nullptr);
      return mpfr_get_si(result.raw(), MPFR_RNDN);
    }
    const int order =
        exact ? mpfr_cmp(x[0]->exact.raw(), x[1]->exact.raw()) : (x[0]->run > x[1]->run) - (x[0]->run < x[1]->run);
    return ops::holds(step.op, ops::order_between(order, 0));
  }

  std::string falsehood_at(const certificate::Leaf& leaf, numeric::Rng& rng) {
    const model::CertifiedPath& path = certificate_.paths[leaf.node.which];
    std::vector<Pair> slots;
    for (size_t i = 0; i < certificate_.inputs.size(); ++i)
      slots.push_back(input_from(certificate_.inputs[i], leaf.box[i], rng));
    for (const model::CertifiedConstant& constant : path.constants) {
      Pair& pair = slots.emplace_back();
      pair.run = constant.low;
      mpfr_set_ld(pair.exact.raw(), pair.run, MPFR_RNDN);
    }
    for (const model::CertifiedStep& step : path.steps) {
      const Pair* x[3] = {&slots[step.operands[0]], &slots[step.operands[1]], &slots[step.operands[2]]};
      Pair result;
      if (step.outcome) {
        if (decided(step, x, false) != *step.outcome || decided(step, x, true) != *step.outcome)
          return "an input of the box takes another path";
        result.run = (long double)*step.outcome;
        mpfr_set_ld(result.exact.raw(), result.run, MPFR_RNDN);
      } else {
        const long double runs[3] = {x[0]->run, x[1]->run, x[2]->run};
        result.run = evaluated(step, runs);
        ops::evaluate(step.op, result.exact.raw(), x[0]->exact.raw(), x[1]->exact.raw(), x[2]->exact.raw());
        if (!std::isfinite(result.run))
          return "an operation has no result";
      }
      slots.push_back(std::move(result));
    }
    return compared(leaf, path, slots);
  }

  std::string compared(const certificate::Leaf& leaf, const model::CertifiedPath& path,
                       const std::vector<Pair>& slots) {
    const double* bound = leaf.bounds;
    for (size_t i = 0; i < certificate_.outputs.size(); ++i) {
      const Pair& result = slots[path.outputs[i]];
      const double absolute = numeric::absolute_error(result.run, result.exact);
      if (i == 0)
        largest_ = std::max(largest_, absolute);
      const double errors[3] = {absolute, numeric::ulp_error(result.run, result.exact, certificate_.outputs[i].format),
                                numeric::relative_error(result.run, result.exact)};
      for (size_t measure = 0; measure < 3; ++measure) {
        const double claim = certificate_.outputs[i].claims[measure];
        if (claim == model::no_claim)
          continue;
        const bool holds = errors[measure] <= *bound * (1 + 1e-12); // errors are rounded
        if (!holds || *bound++ > claim)
          return fmt::format("an error of {} ({}), and {} was to be the largest", errors[measure],
                             model::text(model::all_measures[measure]), claim);
      }
    }
    return "";
  }

  const model::Certificate& certificate_;
  std::vector<certificate::Leaf> leaves_;
  double largest_ = 0;
};

} // namespace faultline::test
