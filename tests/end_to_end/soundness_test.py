"""What is called exact, proved or verified is that, also where the compiler, the machine or memory has a say."""
import json
from fractions import Fraction

from faultline_case import FaultlineCase

CODE = r"""
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xmmintrin.h>
double celsius(double f) { return (f - 32) * (5.0 / 9.0); }
double recurrence(double x) {
  double a = 2, b = -4;
  for (int i = 0; i < 16; i++) { double c = 111 - 1130 / b + 3000 / (b * a); a = b; b = c; }
  return x + b;
}
float rest(int n, float x) { return (float)n - x; }
float direction(float y, float x) { return atan2f(y, x); }
double cross(double y, double z) { return y * z - z * y; }
double third(double x) { return x / 3; }
double smaller(double x, double y) { double a = x * 0.1, b = y * 0.3; return a < b ? a : b; }
double clamped(double x) { double y = x * 0.3; if (y < 0.2) y = 0.2; if (y > 0.7) y = 0.7; return y; }
double upward(double x) { fesetround(FE_UPWARD); double y = x / 3 * 1.1; fesetround(FE_TONEAREST); return y; }
static double plain(double x) { return x; }
static double lossy(double x) { return (x + 1e17) - 1e17; }
static double (*const table[4096])(double) = {[0 ... 4094] = plain, [4095] = lossy};
double selected(double x) { uint64_t u; memcpy(&u, &x, 8); return table[u & 4095](x); }
double printed(double x) { char text[40]; double y = x; snprintf(text, sizeof text, "%.6g", x); sscanf(text, "%lf", &y);
  return y; }
__attribute__((noinline)) static void touch(double *p) { uint32_t *q = (uint32_t *)p; q[1] += ((q[0] & 0xffffff) + 1) >> 24 << 20; }
double touched(double x) { double a[1] = {x}; touch(a); return ((a[0] - x) + 1e17) - 1e17; }
__attribute__((noinline)) static void shorten(double *p) { uint32_t *q = (uint32_t *)p; q[0] &= 0xfffff000u; }
double shortened(double x) { double a[1] = {x}; shorten(a); double d = (x - a[0]) * 0x1p40; return (d + 1e17) - 1e17; }
double flushed(double x) { unsigned m = _mm_getcsr(); _mm_setcsr(m | 0x8040); volatile double v = x; double y = v * 0.75;
  volatile double r = y; _mm_setcsr(m); return r; }
volatile double sink;
double unneeded(double x) { double d = fabs(x * 3.0 - 4.2345678901); sink = 1 / d; return x * 0.5; }
int is_turned(double x) { double a[1] = {x}; touch(a); if (a[0] - x > 0) return 1; return 0; }
int is_upward(double x) { int m = fegetround(); fesetround(FE_UPWARD); double y = x * x; fesetround(m);
  if (y == 0x1.862f35e474f96p+0) return 1; return 0; }
typedef struct { double a, b; } Pair;
static Pair made(void) { Pair p = {1, 3}; return p; }
static double quotient(const Pair *p) { return p->a / p->b; }
static double inverses(const double *c, int n) { double s = 0; for (int i = 0; i < n; i++) s += 1 / c[i]; return s; }
double by_value(double x) { Pair p = made(); return x * (p.a / p.b); }
double by_pointer(double x) { Pair p = {1, 3}; return x * quotient(&p); }
double by_table(double x) { double c[] = {3}; return x * inverses(c, 1); }
double by_exact_parts(double x) { return x * ((0.25 + 0.75) / 3); }
double by_folded_call(double x) { return x * (fmod(7.5, 2) / 4.5); }
static const double third_part = 1.0 / 3, thirds[2] = {1.0 / 3, 2.0 / 3};
static double kept = 3;
double by_name(double x) { return x * third_part; }
double by_element(double x) { return x * thirds[0]; }
double by_variable(double x) { return x * (1 / kept); }
double by_index(double x) { return x * thirds[x > 1.5]; }
double middle(double a, double b, double c) {
  double x = a * 0.1, y = b * 0.1, z = c * 0.1;
  if (x < y) { if (y < z) return y; return x < z ? z : x; }
  if (x < z) return x;
  return y < z ? z : y;
}
double lowpass(double x) { double y = 0; for (int i = 0; i < 200; i++) y += 0.1 * (x - y); return y; }
double distance(double x, double y) { return sqrt(x * x + y * y); }
double turn(double x) { return fmod(x * 360, 360); }
double factorial(double x) { return tgamma(x + 1); }
double drum(double x) { return j0(x); }
static int calls;
double counted(double x) { return calls++ > 0 ? (x + 1e8) - 1e8 : x; }
"""

CXX = r"""
struct Earth { static constexpr double flattening = 1.0 / 3; };
template <class T> T third(T x) { constexpr T part = T(1) / T(3); return x * part; }
constexpr double share(double n) { return 1 / n; }
inline constexpr double of_three = share(3);
extern "C" {
double member(double x) { return x * Earth::flattening; }
double of_template(double x) { return third(x); }
double of_function(double x) { return x * of_three; }
}
"""

VIRTUAL = r"""
#include <cstdint>
#include <cstring>
struct Plain { virtual double of(double x) const { return x; } virtual ~Plain() {} };
struct Lossy : Plain { double of(double x) const override { return (x + 1e17) - 1e17; } };
static Plain plain;
static Lossy lossy;
static Plain *const table[16] = {&plain, &plain, &plain, &plain, &plain, &plain, &plain, &plain, &plain, &lossy,
                                 &plain, &plain, &plain, &plain, &plain, &plain};
extern "C" double dispatched(double x) { uint64_t u; memcpy(&u, &x, 8); return table[u & 15]->of(x); }
"""


def exact_recurrence():
    a, b = Fraction(2), Fraction(-4)
    for _ in range(16):
        a, b = b, 111 - Fraction(1130) / b + Fraction(3000) / (b * a)
    return 1 + b


class Soundness(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("code.c", CODE)

    def bound(self, function, *words, status=0, flags=()):
        run = self.run_faultline("bound", "code.c", "-f", function, *words, "--time", "1s", "-o", "-",
                                 *(["--", *flags] if flags else []), status=status)
        return run.json["targets"][0]

    def refused(self, function, reason, *flags):
        text = json.dumps(self.bound(function, "--range", "x=1:2", status=4, flags=flags))
        self.assertIn(reason, text)

    def test_constants_that_the_compiler_folds_are_roundings(self):
        explained = self.run_faultline("explain", "code.c", "-f", "recurrence", "--at", "x=1", "-o", "-", status=0).json
        reference = float(explained["targets"][0]["findings"][0]["output"]["reference"]["decimal"])
        self.assertAlmostEqual(reference, float(exact_recurrence()), delta=1e-6)
        # 5.0 / 9.0, the difference and the product round: at this input by more than one product would.
        self.assertGreaterEqual(self.bound("celsius", "--range", "f=60:61")["outputs"][0]["relative"]["proven"], 1.48e-16)

    def test_constants_that_reach_an_operation_by_memory_or_by_name_are_roundings(self):
        for function in ("by_value", "by_pointer", "by_table", "by_exact_parts", "by_folded_call", "by_name", "by_element",
                         "by_variable"):
            with self.subTest(function):
                relative = self.bound(function, "--range", "x=1:2")["outputs"][0]["relative"]
                # The quotient and the product round: at this input by more than one product would.
                self.assertGreaterEqual(relative["proven"], 1.47e-16)
                self.assertGreaterEqual(relative["found"], 1.2e-16)

    def test_a_table_with_rounded_elements_is_named(self):
        self.assertEqual(self.bound("by_index", "--range", "x=1:2")["with_initial_values_of"], ["thirds"])

    def test_constants_of_classes_and_templates_are_roundings(self):
        self.write("code.cpp", CXX)
        for function in ("member", "of_template", "of_function"):
            with self.subTest(function):
                run = self.run_faultline("bound", "code.cpp", "-f", function, "--range", "x=1:2", "--time", "1s", "-o", "-", status=0)
                self.assertGreaterEqual(run.json["targets"][0]["outputs"][0]["relative"]["proven"], 1.47e-16)

    def test_integers_round_when_they_become_floats(self):
        proven = self.bound("rest", "--hold", "n=16777217", "--range", "x=16777210:16777218")["outputs"][0]
        self.assertGreaterEqual(proven["absolute"]["proven"], 1)

    def test_the_error_of_a_library_function_covers_the_largest_known(self):
        proven = self.bound("direction", "--range", "x=1.31:1.32", "--range", "y=0.16:0.164")["outputs"][0]
        self.assertGreaterEqual(proven["ulps"]["proven"], 1.4902)

    def test_flags_that_change_results_are_followed_or_refused(self):
        words = ("--range", "y=1:2", "--range", "z=1:2")
        self.assertEqual(self.bound("cross", *words)["outputs"][0]["absolute"]["proven"], 0)
        fused = self.bound("cross", *words, flags=["-march=haswell"])["outputs"][0]
        self.assertGreater(fused["absolute"]["proven"], 1e-17)
        self.refused("third", "-ffast-math", "-ffast-math")
        self.refused("third", "-ffp-contract=fast", "-march=haswell", "-ffp-contract=fast")

    def test_what_the_path_does_not_settle_is_refused(self):
        self.refused("upward", "the rounding mode")
        self.refused("selected", "select the function that is called")
        self.refused("flushed", "the rounding mode")
        for function in ("printed", "touched", "shortened"):
            absolute = self.bound(function, "--range", "x=1:2", status=4)["outputs"][0]["absolute"]
            self.assertIsNone(absolute["proven"], function)

    def test_a_virtual_function_that_bits_select_is_refused(self):
        self.write("code.c", "")
        self.write("virtual.cpp", VIRTUAL)
        run = self.run_faultline("bound", "virtual.cpp", "-f", "dispatched", "--range", "x=1:2", "--time", "1s", "-o", "-", status=4)
        self.assertIsNone(run.json["targets"][0]["outputs"][0]["absolute"]["proven"])

    def test_no_reachable_branch_is_infeasible(self):
        for function in ("is_turned", "is_upward"):
            with self.subTest(function):
                self.run_faultline("cover", "code.c", "-f", function, "--range", "x=1:2", "--budget", "5s", "-o", "c.json")
                states = [branch["standing"] for branch in json.loads((self.scratch / "c.json").read_text())["branches"]]
                self.assertNotIn("infeasible", states)

    def test_selections_are_continuous(self):
        for function, names in (("smaller", "xy"), ("clamped", "x")):
            words = [word for name in names for word in ("--range", f"{name}=0:4")]
            absolute = self.bound(function, *words)["outputs"][0]["absolute"]
            self.assertLessEqual(absolute["proven"], 2.01 * absolute["found"], function)

    def test_a_median_by_branches_is_continuous(self):
        words = [word for name in "abc" for word in ("--range", f"{name}=0:10")]
        absolute = self.bound("middle", *words)["outputs"][0]["absolute"]
        self.assertLessEqual(absolute["proven"], 2.01 * absolute["found"])

    def test_loops_that_contract_have_the_bound_of_their_fixed_point(self):
        absolute = self.bound("lowpass", "--range", "x=0:10")["outputs"][0]["absolute"]
        self.assertLessEqual(absolute["proven"], 3 * absolute["found"])

    def test_a_root_of_a_rounded_zero_has_a_bound(self):
        absolute = self.bound("distance", "--range", "x=-10:10", "--range", "y=-10:10")["outputs"][0]["absolute"]
        self.assertLessEqual(absolute["proven"], 2 * absolute["found"])

    def test_remainders_and_the_gamma_function_have_bounds_and_bessel_functions_a_reason(self):
        self.assertLessEqual(self.bound("turn", "--range", "x=0.1:0.9")["outputs"][0]["absolute"]["proven"], 1e-13)
        self.assertLessEqual(self.bound("factorial", "--range", "x=0.1:5")["outputs"][0]["relative"]["proven"], 1e-14)
        self.assertIn("no bound is known for j0", json.dumps(self.bound("drum", "--range", "x=1:2", status=4)))

    def test_state_that_survives_a_call_is_named(self):
        self.assertEqual(self.bound("counted", "--range", "x=1:2")["with_initial_values_of"], ["calls"])
        self.assertNotIn("with_initial_values_of", self.bound("third", "--range", "x=1:2"))
        run = self.run_faultline("hunt", "code.c", "-f", "counted", "--range", "x=1:2", "--evals", "2000", status=0)
        self.assertIn("with the initial value of calls", run.out)

    def test_a_bound_that_a_hunt_prints_covers_what_it_found(self):
        target = self.hunt("code.c", "-f", "third", "--range", "x=1:2", "--evals", "5000", status=0).targets["third"]
        self.assertTrue(target["proof"]["proved"])
        self.assertGreaterEqual(target["proof"]["bound"], target["largest"]["error"]["relative"])
        self.assertGreater(target["largest"]["error"]["relative"], 0)

    def test_a_certificate_of_other_values_is_refused(self):
        for function, words, change in (
                ("third", ("--range", "x=1:2"), {"format": "binary32"}),
                ("rest", ("--range", "x=1:2", "--hold", "n=3"), {"low": "-0x1p+20"})):
            with self.subTest(function):
                self.run_faultline("bound", "code.c", "-f", function, *words, "--time", "1s", "-o", "f.proof.json", status=0)
                certificate = json.loads((self.scratch / "f.proof.json").read_text())
                self.run_faultline("check", "f.proof.json", "code.c", status=0)
                certificate["inputs"][0].update(change)
                self.write("f.proof.json", json.dumps(certificate))
                self.run_faultline("check", "f.proof.json", "code.c", status=1)
