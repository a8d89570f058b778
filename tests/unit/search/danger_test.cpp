// Readings: a spot that is mixed up with another, or a sign that is read wrong, is a danger zone that is not bracketed.
#include "searching.h"

#include "search/bracket/danger.h"
#include "tape/intended.h"

#include <map>

namespace faultline::test {
namespace {

using ops::Op;
using search::changes;
using search::DangerReader;
using search::Reading;
using search::Signal;
using search::Spot;

Spot spot(uint32_t site, uint32_t execution) { return {site * Spot::executions + execution}; }

std::map<uint32_t, double> readings_of(DangerReader& reader, const tape::Tape& tape) {
  std::vector<Reading> readings;
  reader.read(tape, readings);
  std::map<uint32_t, double> by_spot;
  for (const Reading& reading : readings)
    EXPECT_TRUE(by_spot.emplace(reading.spot.index, reading.value).second) << "two readings of one spot";
  return by_spot;
}

struct Told {
  std::string name, expression;
  Op op;
  Signal signal;
  double below, above; // inputs between which the reading changes
};
void PrintTo(const Told& told, std::ostream* stream) { *stream << told.name; }

class DangerOf : public testing::TestWithParam<Told> {};

TEST_P(DangerOf, ChangesAcrossItsCentreAndNotBesideIt) {
  exec::Session session = open_math("double f(double x) { return " + GetParam().expression + "; }");
  tape::note_intended_roundings(session, read(session, {GetParam().below}));
  DangerReader reader(session.sites());
  const Spot at = spot(site_of(session, GetParam().op), 0);
  ASSERT_EQ(reader.signal(at), GetParam().signal);
  auto reading = [&](double x) { return reader.read(read(session, {x}), at); };
  const double low = GetParam().below, high = GetParam().above;
  EXPECT_TRUE(changes(GetParam().signal, reading(low), reading(high))) << reading(low) << " " << reading(high);
  EXPECT_FALSE(changes(GetParam().signal, reading(low), reading(low * (1 - 1e-9))));
  EXPECT_FALSE(changes(GetParam().signal, reading(high), reading(high * (1 + 1e-9))));
}

INSTANTIATE_TEST_SUITE_P(
    All, DangerOf,
    testing::Values(Told{"difference", "x - 3.5", Op::fsub, Signal::crossing, 3.4, 3.6},
                    Told{"sum", "x * x + (1.25 - x * 3)", Op::fadd, Signal::crossing, 0.4, 0.6},
                    Told{"logarithm_at_one", "log(x)", Op::log, Signal::crossing, 0.9, 1.1},
                    Told{"sine_at_pi", "sin(x)", Op::sin, Signal::crossing, 3.1, 3.2},
                    Told{"cosine_at_its_zero", "cos(x)", Op::cos, Signal::crossing, 1.5, 1.6},
                    Told{"tangent_at_its_pole", "tan(x)", Op::tan, Signal::crossing, 1.5, 1.6},
                    Told{"comparison", "x < 0.1 ? x : x * 3", Op::cmp_olt, Signal::decision, 0.09, 0.11},
                    Told{"floor", "floor(x) * 0.3", Op::floor, Signal::jump, 1.9, 2.1},
                    Told{"conversion_to_integer", "(double)(int)x * 0.3", Op::to_int, Signal::jump, 2.9, 3.1},
                    Told{"magic_number", "(x + 0x1.8p52) - 0x1.8p52", Op::round_add, Signal::jump, 2.4, 2.6}),
    [](const auto& info) { return info.param.name; });

constexpr const char* loop = R"(
  double f(double x, int n) {
    volatile double s = 100;
    #pragma clang loop unroll(disable)
    for (int i = 1; i <= n; i++)
      s = s - x * i;
    return s;
  })";

TEST(DangerReader, TellsTheFirstExecutionsAndTheLastApart) {
  exec::Session session = open_math(loop);
  DangerReader reader(session.sites());
  const uint32_t site = site_of(session, Op::fsub);
  for (int n = 1; n <= 12; ++n) {
    const tape::Tape tape = read(session, {1, (long double)n});
    const std::map<uint32_t, double> readings = readings_of(reader, tape);
    double s = 100;
    for (int i = 1; i <= n; ++i) {
      s -= i;
      if (i < int(Spot::executions))
        EXPECT_EQ(readings.at(spot(site, uint32_t(i - 1)).index), s) << "execution " << i << " of " << n;
    }
    const auto last = readings.find(spot(site, Spot::executions - 1).index);
    EXPECT_EQ(last != readings.end(), n >= int(Spot::executions)) << n;
    if (last != readings.end())
      EXPECT_EQ(last->second, s) << "the last of " << n;
  }
}

TEST(DangerReader, ReadsASpotAsItReadsThemAll) {
  exec::Session session = open_math(loop);
  DangerReader reader(session.sites());
  for (int n : {0, 3, 7, 8, 20}) {
    const tape::Tape tape = read(session, {1.5, (long double)n});
    const std::map<uint32_t, double> readings = readings_of(reader, tape);
    for (uint32_t index = 0; index < reader.spots(); ++index) {
      const Spot at{index};
      if (reader.signal(at) == Signal::none)
        continue;
      const double alone = reader.read(tape, at);
      const auto found = readings.find(index);
      EXPECT_EQ(std::isnan(alone), found == readings.end());
      EXPECT_EQ(reader.find(tape, at) == 0, found == readings.end());
      if (found != readings.end())
        EXPECT_EQ(alone, found->second);
    }
  }
}

TEST(DangerReader, ForgetsTheLastRun) {
  exec::Session session = open_math(loop);
  DangerReader reader(session.sites());
  const std::map<uint32_t, double> before = readings_of(reader, read(session, {1, 3}));
  readings_of(reader, read(session, {1, 20}));
  EXPECT_EQ(readings_of(reader, read(session, {1, 3})), before);
}

TEST(DangerReader, NeverGivesNaN) {
  exec::Session session = open_math(
      "double f(double x, double y) { return log(x) + sqrt(y) - pow(x, y) + (x < y ? fmod(x, y) : sin(x) - y); }");
  DangerReader reader(session.sites());
  const double values[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e308, 5e-324};
  for (double x : values)
    for (double y : values)
      for (const auto& [index, value] : readings_of(reader, read(session, {x, y})))
        EXPECT_FALSE(std::isnan(value)) << ops::name(session.sites().sites[Spot{index}.site()].op);
}

TEST(DangerReader, OffersNoSpotWithoutDanger) {
  exec::Session session = open_math("double f(double x) { return sqrt(x * x / 3) * x; }");
  DangerReader reader(session.sites());
  EXPECT_TRUE(readings_of(reader, read(session, {1.5})).empty());
}

TEST(Changes, AreSignsForCrossingsAndValuesForJumps) {
  EXPECT_TRUE(changes(Signal::crossing, -1e-300, 1e300));
  EXPECT_FALSE(changes(Signal::crossing, 1, 2));
  EXPECT_TRUE(changes(Signal::decision, 0.0, -1));
  EXPECT_FALSE(changes(Signal::decision, 0.0, 1));
  EXPECT_TRUE(changes(Signal::jump, 1, 2));
  EXPECT_FALSE(changes(Signal::jump, -2, -2));
}

} // namespace
} // namespace faultline::test
