// The order of closing: a spot that never has its turn is a fault that stays hidden behind a noisier one.
#include "searching.h"

#include "search/bracket/line_search.h"

#include <map>

namespace faultline::test {
namespace {

using search::Bracket;
using search::DangerReader;
using search::in_turns;
using search::Signal;
using search::Spot;

constexpr const char* three_signals = "double f(double x) { double d = x - 3; double r = floor(x) * d; if (x < 0.1) r "
                                      "= r * 3; return log(x) * r; }";

struct Order {
  exec::Session session = open_math(three_signals);
  DangerReader reader{session.sites()};
  std::vector<Spot> crossings, decisions, jumps;

  Order() {
    for (uint32_t site = runtime::first_program_site; site < session.sites().sites.size(); ++site) {
      const Spot first{site * Spot::executions};
      const Signal signal = reader.signal(first);
      if (signal != Signal::none)
        (signal == Signal::crossing ? crossings : signal == Signal::decision ? decisions : jumps).push_back(first);
    }
  }

  std::vector<Bracket> taken(const std::vector<Bracket>& brackets, size_t of_spot, uint64_t seed = 1) {
    numeric::Rng rng(seed);
    return in_turns(brackets, reader, of_spot, rng);
  }
};

Bracket bracket(Spot spot, int number, long double width) { return {spot, number, number + 1, -1, 1, width}; }

TEST(Turns, EverySpotHasOneBeforeAnyHasTwo) {
  Order order;
  ASSERT_GE(order.crossings.size(), 2u);
  ASSERT_FALSE(order.decisions.empty());
  ASSERT_FALSE(order.jumps.empty());
  std::vector<Spot> spots = order.crossings;
  spots.push_back(order.decisions[0]);
  spots.push_back(order.jumps[0]);
  std::vector<Bracket> brackets;
  for (size_t s = 0; s < spots.size(); ++s)
    for (int i = 0; i < (s == 0 ? 500 : 3); ++i)
      brackets.push_back(bracket(spots[s], i, 1 + i));
  const std::vector<Bracket> taken = order.taken(brackets, 24);
  ASSERT_GE(taken.size(), spots.size());
  std::set<uint32_t> first;
  for (size_t i = 0; i < spots.size(); ++i)
    EXPECT_TRUE(first.insert(taken[i].spot.index).second) << "turn " << i;
  EXPECT_EQ(order.reader.signal(taken[0].spot), Signal::crossing);
  EXPECT_EQ(order.reader.signal(taken[spots.size() - 2].spot), Signal::decision);
  EXPECT_EQ(order.reader.signal(taken[spots.size() - 1].spot), Signal::jump);
}

TEST(Turns, TheNarrowestBracketOfASpotComesFirst) {
  Order order;
  std::vector<Bracket> brackets;
  for (int i = 0; i < 50; ++i)
    brackets.push_back(bracket(order.crossings[0], i, 1 + (i * 37 + 11) % 50));
  const std::vector<Bracket> taken = order.taken(brackets, 24);
  ASSERT_EQ(taken.size(), 24u);
  EXPECT_EQ(taken[0].width, 1);
  std::set<long double> widths;
  for (const Bracket& one : taken)
    widths.insert(one.width);
  EXPECT_EQ(widths.size(), 24u) << "none twice";
  for (int narrow = 1; narrow <= 8; ++narrow)
    EXPECT_TRUE(widths.contains(narrow)) << "the narrow ones take every other turn";
  EXPECT_GT(*widths.rbegin(), 25) << "and any others the rest";
}

TEST(Turns, ASpotHasNoMoreThanItsShare) {
  Order order;
  std::vector<Bracket> brackets;
  for (Spot spot : {order.crossings[0], order.decisions[0], order.jumps[0]})
    for (int i = 0; i < 100; ++i)
      brackets.push_back(bracket(spot, i, 1 + i));
  std::map<uint32_t, size_t> counts;
  for (const Bracket& one : order.taken(brackets, 12))
    ++counts[one.spot.index];
  EXPECT_EQ(counts[order.crossings[0].index], 12u);
  EXPECT_LT(counts[order.decisions[0].index], 12u);
  EXPECT_LT(counts[order.jumps[0].index], counts[order.decisions[0].index]);
  EXPECT_GT(counts[order.jumps[0].index], 0u);
}

TEST(Turns, DependOnTheSeedAlone) {
  Order order;
  std::vector<Bracket> brackets;
  for (int i = 0; i < 200; ++i)
    brackets.push_back(bracket(order.crossings[size_t(i) % 2], i, 1 + i % 7));
  auto text = [&](uint64_t seed) {
    std::string all;
    for (const Bracket& one : order.taken(brackets, 20, seed))
      all += fmt::format("{}:{} ", one.spot.index, int(one.low));
    return all;
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(Turns, OfNoBracketsAreNone) {
  Order order;
  EXPECT_TRUE(order.taken({}, 24).empty());
}

} // namespace
} // namespace faultline::test
