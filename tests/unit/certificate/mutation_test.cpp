// Modified certificates: those that are still accepted are true, by runs of their own code.
//
// FAULTLINE_MUTANTS=1000 certificate_tests --gtest_filter='Mutants*' makes as many of them.
#include "made_proofs.h"
#include "replayed.h"

#include "base/error.h"
#include "certificate/check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace faultline::certificate {
namespace {

using model::Certificate;
using model::CertifiedPath;
using model::ProofNode;
using Kind = model::ProofNode::Kind;
using test::certificate_for;
using test::doubles;
using test::floats;

class Tampering {
public:
  Tampering(Certificate& certificate, numeric::Rng& rng) : certificate_(certificate), rng_(rng) {}

  void once() {
    using Change = void (Tampering::*)();
    static constexpr Change changes[] = {&Tampering::claim,      &Tampering::bound,       &Tampering::all_bounds,
                                         &Tampering::lose_box,   &Tampering::move_cut,    &Tampering::other_cut,
                                         &Tampering::swap_nodes, &Tampering::operand,     &Tampering::constant,
                                         &Tampering::operation,  &Tampering::format,      &Tampering::path_of_box,
                                         &Tampering::outcome,    &Tampering::range,       &Tampering::error,
                                         &Tampering::output,     &Tampering::input_format};
    (this->*changes[rng_.below(std::size(changes))])();
  }

private:
  template <class T> T& any(std::vector<T>& list) { return list[rng_.below(list.size())]; }
  CertifiedPath& path() { return any(certificate_.paths); }
  // A little or a lot, up or down.
  double moved(double value) {
    switch (rng_.below(5)) {
    case 0:
      return std::nextafter(value, -1e300);
    case 1:
      return std::nextafter(value, 1e300);
    case 2:
      return -value;
    default:
      return value * std::exp2((double(rng_.below(2001)) - 1000) / 500);
    }
  }
  double& claim_of_some() {
    double* claim = nullptr;
    for (model::CertifiedOutput& output : certificate_.outputs)
      for (double& candidate : output.claims)
        if (candidate != model::no_claim && (!claim || rng_.below(2)))
          claim = &candidate;
    return *claim;
  }

  void claim() { claim_of_some() = std::fabs(moved(claim_of_some())); }
  void bound() {
    if (!certificate_.bounds.empty())
      any(certificate_.bounds) = std::fabs(moved(certificate_.bounds.front()));
  }
  // What a forger would do: everything a little better.
  void all_bounds() {
    const double factor = 1 - double(1 + rng_.below(500)) / 1000;
    for (model::CertifiedOutput& output : certificate_.outputs)
      for (double& claimed : output.claims)
        claimed *= factor;
    for (double& bounded : certificate_.bounds)
      bounded *= factor;
  }
  // The box beside it takes its place.
  void lose_box() {
    for (size_t tries = 0; tries < 20; ++tries) {
      const size_t at = rng_.below(certificate_.tree.size());
      if (at + 2 >= certificate_.tree.size() || certificate_.tree[at].kind != Kind::cut ||
          certificate_.tree[at + 1].kind != Kind::bounded)
        continue;
      const auto leaf = size_t(std::count_if(certificate_.tree.begin(), certificate_.tree.begin() + long(at),
                                             [](const ProofNode& node) { return node.kind == Kind::bounded; }));
      const auto bounds = certificate_.bounds.begin() + long(leaf * certificate_.claims());
      certificate_.bounds.erase(bounds, bounds + long(certificate_.claims()));
      certificate_.tree.erase(certificate_.tree.begin() + long(at), certificate_.tree.begin() + long(at) + 2);
      return;
    }
  }
  void move_cut() {
    ProofNode& node = any(certificate_.tree);
    node.at = node.kind == Kind::cut ? moved(node.at) : 0;
  }
  void other_cut() {
    if (ProofNode& node = any(certificate_.tree); node.kind == Kind::cut)
      node.which = uint32_t(rng_.below(certificate_.inputs.size()));
  }
  void swap_nodes() { std::swap(any(certificate_.tree), any(certificate_.tree)); }
  void operand() {
    CertifiedPath& code = path();
    if (code.steps.empty())
      return;
    model::CertifiedStep& step = any(code.steps);
    if (rng_.below(2))
      std::swap(step.operands[0], step.operands[1]);
    else
      step.operands[rng_.below(3)] = uint32_t(rng_.below(certificate_.inputs.size() + code.constants.size() + 2));
  }
  void constant() {
    if (CertifiedPath& code = path(); !code.constants.empty()) {
      model::CertifiedConstant& changed = any(code.constants);
      changed.low = changed.high = moved(changed.high);
    }
  }
  void operation() {
    if (CertifiedPath& code = path(); !code.steps.empty()) {
      model::CertifiedStep& step = any(code.steps);
      const auto other = ops::Op(rng_.below(ops::operation_count));
      if (ops::arity(other) == ops::arity(step.op) && ops::is_decision(other) == ops::is_decision(step.op))
        step.op = other;
    }
  }
  numeric::Format any_format() { return numeric::Format(rng_.below(3)); }
  void format() {
    if (CertifiedPath& code = path(); !code.steps.empty())
      any(code.steps).format = any_format();
  }
  void input_format() { any(certificate_.inputs).format = any_format(); }
  void path_of_box() {
    if (ProofNode& node = any(certificate_.tree); node.kind == Kind::bounded)
      node.which = uint32_t(rng_.below(certificate_.paths.size()));
  }
  void outcome() {
    if (CertifiedPath& code = path(); !code.steps.empty())
      if (model::CertifiedStep& step = any(code.steps); step.outcome)
        step.outcome = *step.outcome ^ 1;
  }
  void range() {
    model::CertifiedInput& input = any(certificate_.inputs);
    (rng_.below(2) ? input.low : input.high) = moved(rng_.below(2) ? input.low : input.high);
  }
  void error() {
    model::CertifiedInput& input = any(certificate_.inputs);
    input.rounded = !input.rounded && rng_.below(2);
    input.error = input.rounded ? 0 : double(rng_.below(3)) * 1e-16;
  }
  void output() {
    CertifiedPath& code = path();
    code.outputs[0] = uint32_t(rng_.below(certificate_.inputs.size() + code.constants.size() + code.steps.size()));
  }

  Certificate& certificate_;
  numeric::Rng& rng_;
};

std::vector<Certificate> seeds() {
  return {
      certificate_for("double f(double x) { return 3 * x; }", {doubles(1, 1.25)}, 30),
      certificate_for("double f(double x) { return ((x * 0.1 + 2) * x - 0.3) * x + 1; }", {doubles(-2, 3)}, 60),
      certificate_for("#include <math.h>\ndouble f(double x) { if (x < 0.5) return x * 0.1; return x > 0.75 ? sin(x) : "
                      "exp(x) - 1; }",
                      {doubles(0.1, 2)}, 60),
      certificate_for(
          "double f(double x) { double s = x; for (int i = 0; i < 4; i++) s = 0.5 * (s + 2 / s); return s; }",
          {doubles(1, 2)}, 30),
      certificate_for("float f(float x, float y) { return x * y + 1 / (x + 3); }", {floats(0.5, 2), floats(-1, 1)}, 60),
      certificate_for("#include <math.h>\ndouble f(double x) { int n = (int)x; return n * x + floor(x); }",
                      {doubles(0, 3)}, 60),
      certificate_for("#include <math.h>\ndouble f(double x, double y) { return pow(x, 1.5) * tanh(y) - atan2(x, y) + "
                      "log1p(y); }",
                      {doubles(1, 2), doubles(0.5, 1)}, 60),
      certificate_for("double f(double x) { return x * 0.1; }",
                      {test::with_error(doubles(0.25, 1), {.absolute = 0, .rounded = true})}, 30),
  };
}

// The damaged copy as it is read from its file; none if no reader takes it.
std::optional<Certificate> mutant(const Certificate& seed, numeric::Rng& rng) {
  Certificate damaged;
  do {
    damaged = seed;
    for (uint64_t changes = 1 + rng.below(3); changes > 0; --changes)
      Tampering(damaged, rng).once();
  } while (damaged == seed);
  try {
    return model::parse_certificate(model::certificate_text(damaged), "mutant.proof.json");
  } catch (const base::UserError&) {
    return {};
  }
}

TEST(Mutants, AreRefusedOrTrue) {
  const char* wanted = std::getenv("FAULTLINE_MUTANTS");
  const int mutants = wanted ? std::atoi(wanted) : 400;
  const std::vector<Certificate> originals = seeds();
  for (const Certificate& original : originals)
    ASSERT_FALSE(check(original, 1).refusal);
  numeric::Rng rng(1);
  int unreadable = 0, refused = 0, accepted = 0;
  for (int i = 0; i < mutants; ++i) {
    const Certificate& original = originals[size_t(i) % originals.size()];
    const std::optional<Certificate> damaged = mutant(original, rng);
    if (!damaged)
      ++unreadable;
    else if (check(*damaged, 1).refusal)
      ++refused;
    else {
      ++accepted;
      ASSERT_EQ(test::Replayed(*damaged).falsehood(300, uint64_t(i)), "") << model::certificate_text(*damaged);
    }
  }
  RecordProperty("unreadable", unreadable);
  RecordProperty("refused", refused);
  RecordProperty("accepted", accepted);
  EXPECT_GT(refused, mutants / 3);
  EXPECT_GT(accepted, mutants / 50) << "some damage does no harm: otherwise nothing is tested here";
}

} // namespace
} // namespace faultline::certificate
