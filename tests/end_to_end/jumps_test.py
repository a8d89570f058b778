"""Errors that sit at few of many places: where a conversion or a comparison is decided by rounding, one jump of thousands,
and where one integer of a thousand leads to code of its own. Each is found under every seed that is tried; beside them stand
functions with as many jumps and integers that have no error."""
from faultline_case import ERRORS, FaultlineCase

SEEDS = (1, 2, 3)

# The line at fault ends in FAULT.
SLOT = ("slot.c", "--range h=0:24", """
static const double price[7] = {3, 1, 4, 1.5, 9, 2.5, 6};
double slot(double h) {
  int i = (int)(h * 66); // FAULT
  return price[i % 7];
}
""")
GROWTH = ("growth.cpp", "--range x=5:20", """
#include <cmath>
#include <array>
// exp(x) steps over twenty floats at a time: it rounds onto a whole number at one jump in forty.
double growth(double x) {
  static const std::array<double, 4> weights = {1, 7, 2, 5};
  const auto generation = static_cast<unsigned long>(std::exp(x)); // FAULT
  return weights[generation & 3];
}
""")
POSTAGE = ("postage.f90", "--range w=0:30", """
real(8) function postage(w)
  implicit none
  real(8), intent(in) :: w
  integer :: tier
  tier = nint((w - 0.1d0) / 0.45d0) ! FAULT
  select case (mod(tier, 5))
  case (0)
    postage = 1.2d0
  case (1)
    postage = 1.3d0
  case (2)
    postage = 9.0d0
  case default
    postage = 2.0d0
  end select
end function
""")
HALF = ("half.c", "--range amount=0:5000", """
#include <math.h>
// The sign of what rounding leaves is wrong where the sum rounds onto a half.
double leftover(double amount) {
  return amount * 100 - round(amount * 100 * 1.07 / 1.07 + 1e-3); // FAULT
}
""")
STEPS = ("steps.cpp", "--range end=0:60", """
// The tariff alternates after the first 200 steps.
double steps(double end) {
  int count = 0;
  for (double t = 0; t < end; t += 0.1) // FAULT
    ++count;
  if (count < 200)
    return 1;
  return count % 2 ? 2 : 5;
}
""")
FARE = ("fare.f90", "--range minutes=0:600 --range rate=0.01:1", """
module taxi
contains
  real(8) function fare(minutes, rate)
    real(8), intent(in) :: minutes, rate
    integer(8) :: blocks
    blocks = ceiling(minutes * rate, 8) ! FAULT
    if (mod(blocks, 10_8) == 0) then
      fare = 100 + blocks
    else
      fare = 5 + 0.1d0 * blocks
    end if
  end function
end module
""")
CASE = ("case.c", "--range k=1:1000 --range x=0:3", """
#include <math.h>
double kernel(int k, double x) {
  switch (k) {
  case 412:
    return x * x - 1.3 * x - 1.04; // FAULT
  case 413:
    return sin(x) * 0.5 + 1;
  default:
    return k * (x + 1);
  }
}
""")
TAIL = ("tail.cpp", "--range nu=1:1000 --range t=-1e9:0", """
#include <cmath>
double lower_tail(int nu, double t) {
  if (nu == 1)
    return 0.5 + std::atan(t) / 3.141592653589793;
  if (nu == 2)
    return 0.5 + t / (2 * std::sqrt(2 + t * t)); // FAULT
  const double z = 1 / (1 + t * t / nu);
  return 0.5 * z;
}
""")
POWER = ("power.f90", "--range n=1:1000 --range x=0:100", """
real(8) function window(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  if (n >= 64 .and. iand(n, n - 1) == 0) then
    window = log(1 + x) - 0.01d0 * n ! FAULT
  else
    window = n + log(1 + x)
  end if
end function
""")
EQUAL = ("equal.c", "--range n=0:200 --range m=0:200 --range x=0:10", """
#include <math.h>
double spherical(int n, int m, double x) {
  if (m == n)
    return exp(-x) - 0.2 * (x + 1); // FAULT
  return (n + m + 1) * (2 + x);
}
""")
ORDER = ("order.cpp", "--range n=0:1000 --range x=1:50", """
#include <cmath>
// Only orders between the argument's size and a little beyond come this way, and then the result has zeros.
double order(int n, double x) {
  if (n < 40)
    return 1 + n * x;
  if (n > 44)
    return std::exp(-n * 0.01) + x;
  double before = 1, here = x;
  for (int k = 0; k < n; ++k) {
    const double next = here / (1 + before * before) + 0.01 * k;
    before = here;
    here = next;
  }
  return here * x - 7.7; // FAULT
}
""")
SELECT = ("select.f90", "--range kind=1:1000 --range a=1:10 --range b=1:10 --range c=0:1", """
subroutine response(kind, a, b, c, r)
  implicit none
  integer, intent(in) :: kind
  real(8), intent(in) :: a, b, c
  real(8), intent(out) :: r
  if (kind == 607) then
    r = a * b - 20 * c - 8.8d0 ! FAULT
  else if (kind > 990) then
    r = a * b + c
  else
    r = (a + b + c) / kind
  end if
end subroutine
""")
HARMLESS = """#include <math.h>
static const double price[8] = {3, 1, 4, 1.5, 9, 2.5, 6, 5};
double exact_slot(double h) { return price[(int)(h * 64) % 8]; }
double whole_quotient(double seconds) { return price[(int)(seconds / 60) % 8]; }
double joined(double x) {
  double position = x * 0.7, left = floor(position);
  int i = (int)left % 8;
  return price[i] + (position - left) * (price[(i + 1) % 8] - price[i]);
}
double exact_order(int k, double x) { return k == 412 ? x * 3 : k > 500 ? x + k : x * k + 1; }
"""


class Jumps(FaultlineCase):
    def check(self, subject, seeds=SEEDS):
        name, options, text = subject
        self.write(name, text)
        faults = {number for number, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith("FAULT")}
        self.assertTrue(faults)
        for seed in seeds:
            with self.subTest(seed=seed):
                run = self.hunt(name, "--for", "error,branches", "--seed", seed, *options.split(), status=1)
                lines = {finding["cause"]["line"] for finding in run.findings
                         if finding["kind"] in ERRORS and finding["error"]["relative"] >= 1e-3}
                self.assertTrue(lines & faults, f"found at lines {lines}, not {faults}")

    def test_wrong_entry_of_a_table_is_found(self):
        self.check(SLOT)

    def test_conversion_that_rarely_goes_wrong_is_found(self):
        self.check(GROWTH)

    def test_wrong_case_in_fortran_is_found(self):
        self.check(POSTAGE)

    def test_wrong_sign_beside_a_half_is_found(self):
        self.check(HALF)

    def test_one_turn_too_many_late_in_a_loop_is_found(self):
        self.check(STEPS)

    def test_product_of_two_inputs_that_rounds_onto_an_integer_is_found(self):
        self.check(FARE)

    def test_error_of_one_case_in_a_thousand_is_found(self):
        self.check(CASE)

    def test_error_of_the_smallest_orders_is_found(self):
        self.check(TAIL)

    def test_error_of_powers_of_two_is_found(self):
        self.check(POWER)

    def test_error_of_equal_integers_is_found(self):
        self.check(EQUAL)

    def test_error_of_a_few_orders_is_found(self):
        self.check(ORDER)

    def test_error_of_one_kind_beside_three_floats_is_found(self):
        self.check(SELECT, (1, 2))

    def test_jumps_and_integers_without_an_error_are_silent(self):
        self.write("harmless.c", HARMLESS)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                run = self.hunt("harmless.c", "--for", "error,branches", "--seed", seed, "--range", "h=0:24", "--range",
                                "seconds=0:86400", "--range", "x=0:100", "--range", "k=1:1000", status=0)
                self.assertEqual(run.findings, [])
                self.assertEqual(len(run.targets), 4)

    def test_same_seed_finds_the_same(self):
        for name, options, text in (SLOT, ORDER):
            self.write(name, text)

            def hunt():
                report = self.hunt(name, "--seed", 7, *options.split(), status=1).json
                for target in report["targets"]:
                    del target["seconds"], target["total_seconds"]
                return report
            self.assertEqual(hunt(), hunt())
