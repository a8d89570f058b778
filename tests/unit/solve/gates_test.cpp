#include "solve/bits/gates.h"

#include "numeric/random.h"
#include "solve/bits/bits.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

// A circuit over four inputs whose gates carry their truth tables: bit k is the value under assignment k.
class Shadowed {
public:
  explicit Shadowed(uint64_t seed) : rng_(seed) {
    drawn_ = {{Gate(false), 0}, {Gate(true), 0xffff}};
    for (const unsigned table : {0xaaaau, 0xccccu, 0xf0f0u, 0xff00u})
      drawn_.push_back({gates.input(), table});
  }

  struct Entry {
    Gate gate;
    unsigned table;
  };

  Entry any() {
    const Entry entry = drawn_[rng_.below(drawn_.size())];
    return rng_.coin() ? entry : Entry{!entry.gate, ~entry.table & 0xffff};
  }

  Entry grow() {
    const Entry a = any(), b = any(), c = any();
    switch (rng_.below(6)) {
    case 0:
      return keep(gates.both(a.gate, b.gate), a.table & b.table);
    case 1:
      return keep(gates.either(a.gate, b.gate), a.table | b.table);
    case 2:
      return keep(gates.differ(a.gate, b.gate), a.table ^ b.table);
    case 3:
      return keep(gates.parity(a.gate, b.gate, c.gate), a.table ^ b.table ^ c.table);
    case 4:
      return keep(gates.choose(a.gate, b.gate, c.gate), (a.table & b.table) | (~a.table & 0xffff & c.table));
    default:
      return keep(gates.majority(a.gate, b.gate, c.gate),
                  (a.table & b.table) | (a.table & c.table) | (b.table & c.table));
    }
  }

  Gate input(int i) const { return drawn_[size_t(2 + i)].gate; }

  Gates gates;

private:
  Entry keep(Gate gate, unsigned table) {
    drawn_.push_back({gate, table});
    return drawn_.back();
  }

  numeric::Rng rng_;
  std::vector<Entry> drawn_;
};

TEST(Gates, ACircuitHasTheModelsOfItsFunctionAndNoOthers) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Shadowed circuit(seed);
    Shadowed::Entry last{};
    for (int i = 0; i < 12; ++i)
      last = circuit.grow();
    circuit.gates.require(last.gate);
    Cadical solver;
    Cnf cnf(circuit.gates, solver);
    std::vector<Gate> inputs;
    for (int i = 0; i < 4; ++i)
      inputs.push_back(circuit.input(i));
    cnf.encode(inputs);
    unsigned models = 0;
    while (solver.solve(Deadline(60)) == Answer::sat) {
      unsigned assignment = 0;
      std::vector<int> others;
      for (int i = 0; i < 4; ++i) {
        const bool value = cnf.value(inputs[size_t(i)]);
        assignment |= unsigned(value) << i;
        others.push_back(value ? -cnf.literal(inputs[size_t(i)]) : cnf.literal(inputs[size_t(i)]));
      }
      ASSERT_EQ(models >> assignment & 1, 0u);
      models |= 1u << assignment;
      solver.clause(others);
    }
    ASSERT_EQ(models, last.table) << "seed " << seed;
  }
}

TEST(Gates, SimplifiedGatesAreWhatTheyWere) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Shadowed circuit(seed);
    for (int i = 0; i < 60; ++i) {
      const Shadowed::Entry grown = circuit.grow();
      if (grown.gate.constant())
        ASSERT_EQ(grown.table, grown.gate.is_true() ? 0xffffu : 0u);
      else if (grown.table == 0xaaaau && grown.gate.number() <= 4)
        ASSERT_EQ(grown.gate, circuit.input(0));
    }
  }
}

TEST(Gates, EqualGatesAreBuiltOnce) {
  Gates gates;
  const Gate a = gates.input(), b = gates.input(), c = gates.input();
  EXPECT_EQ(gates.both(a, b), gates.both(b, a));
  EXPECT_EQ(gates.parity(a, !b, c), !gates.parity(c, a, b));
  EXPECT_EQ(gates.majority(!a, !b, !c), !gates.majority(c, b, a));
  EXPECT_EQ(gates.choose(!a, b, c), gates.choose(a, c, b));
  EXPECT_EQ(gates.choose(a, !b, !c), !gates.choose(a, b, c));
  EXPECT_EQ(gates.both(a, gates.both(!a, b)), Gate(false));
  EXPECT_EQ(gates.both(a, !gates.both(a, b)), gates.both(a, !b));
  EXPECT_EQ(gates.size(), 11u); // the constant, three inputs, three conjunctions, two choices, one of each other kind
}

TEST(Gates, AFalseRequirementHasNoModel) {
  Gates gates;
  const Gate a = gates.input();
  gates.require(gates.both(a, gates.differ(a, true)));
  EXPECT_TRUE(gates.contradictory());
  Cadical solver;
  Cnf cnf(gates, solver);
  cnf.encode();
  EXPECT_EQ(solver.solve(Deadline(60)), Answer::unsat);
}

TEST(Cadical, APassedDeadlineIsNoAnswer) {
  Cadical solver;
  solver.clause({solver.variable()});
  EXPECT_EQ(solver.solve(Deadline(-1)), Answer::unknown);
}

} // namespace
} // namespace faultline::solve
