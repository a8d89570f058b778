// What the mode is for: the decisions settle which operations ran, and every leaf that claims to be determined.
#include "deciding.h"

#include "numeric/random.h"
#include "tape/path.h"

#include <map>

namespace faultline::test {
namespace {

struct Program {
  std::string name, text;
};
void PrintTo(const Program& program, std::ostream* stream) { *stream << program.name; }

class SamePath : public testing::TestWithParam<Program> {};

TEST_P(SamePath, IsTheSameComputation) {
  exec::Session session =
      open_deciding("#include <math.h>\n#include <stdint.h>\n#include <string.h>\n" + GetParam().text);
  struct Trace {
    std::vector<uint32_t> sites;
    std::vector<double> determined;
    bool operator==(const Trace&) const = default;
  };
  std::map<std::vector<int64_t>, Trace> traces;
  numeric::Rng rng(5);
  int again = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto n = (long double)(int64_t(rng.below(9)) - 2);
    const tape::Tape tape = read(session, {double(rng.below(4096)) / 256 - 4, n});
    std::vector<int64_t> path;
    for (const tape::Branch& branch : tape::path(tape))
      path.insert(path.end(), {int64_t(branch.site), branch.outcome});
    Trace trace;
    for (uint32_t record = 1; record < tape.size(); ++record) {
      trace.sites.push_back(tape.record(record).site);
      if (tape.site(record).determined)
        trace.determined.push_back(tape.value(record));
      if (tape.site(record).parameter == 1)
        EXPECT_EQ(tape.exact(record), n);
    }
    const auto [known, fresh] = traces.try_emplace(path, trace);
    again += !fresh;
    ASSERT_EQ(known->second, trace) << "run " << i;
  }
  EXPECT_GT(traces.size(), 1u);
  EXPECT_GT(again, 1000);
}

INSTANTIATE_TEST_SUITE_P(
    Of, SamePath,
    testing::Values(
        Program{"status",
                "__attribute__((noinline)) static int g(double x, int n, double *y) { if (x < 0) return 1; "
                "*y = x / 3; return n > 2 ? 2 : 0; }\n"
                "double f(double x, int n) { double y = 1; int s = g(x, n, &y); return s == 2 ? y * 5 : s ? y "
                "- 1 : y + 1; }"},
        Program{"loop",
                "double f(double x, int n) { double s = 1; for (int i = 0; i < n; i++) { s = s * x + i; if (s > "
                "50) break; } return s; }"},
        Program{"table",
                "static const double t[8] = {.1, .2, .3, .5, .7, .11, .13, .17}; static const int next[8] = {3, "
                "1, 4, 1, 5, 0, 2, 6};\n"
                "double f(double x, int n) { int i = (int)x & 7; double s = 0; do { s += t[i] * x; i = "
                "next[i]; } while (i > 1); return n & 1 ? s : s / 3; }"},
        Program{"bits", "double f(double x, int n) { uint64_t u; memcpy(&u, &x, 8); int e = (int)(u >> 52 & 2047) - "
                        "1023; double s = x; while (e > 0) { s /= 2; e--; } return s + n; }"},
        Program{"frexp", "double f(double x, int n) { int e; double m = frexp(x, &e); if (e + n > 3) return m * 3; "
                         "return ldexp(m, n) - 1; }"},
        Program{"counts",
                "double f(double x, int n) { int c[4] = {0, 0, 0, 0}; for (int i = 0; i < 6; i++) c[(i * n) & "
                "3] += i; double s = x; for (int i = 0; i < 4; i++) if (c[i] > 4) s = s * x + 1; return s; }"},
        Program{"statics", "static int calls; static int last;\n__attribute__((noinline)) static void note(int k) { "
                           "calls++; last = k; }\n"
                           "double f(double x, int n) { note((int)x); if (x > 3) note(n); if (calls == 2 && last > 1) "
                           "return x * 3; return x / 7; }"},
        Program{"pointers",
                "__attribute__((noinline)) static void put(int **p, int v) { **p = v; }\n"
                "double f(double x, int n) { int a = 1, b = 2; int *p = x > 2 ? &a : &b; put(&p, n); return "
                "a > b ? x * 3 : x - 3; }"}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::test
