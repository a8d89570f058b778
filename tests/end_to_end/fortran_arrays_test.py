"""Fortran's arrays of assumed shape, c(:), as the codes of computing centres have them."""
import json
import subprocess
import unittest

from faultline_case import FaultlineCase

MODULE = """module arrays
  implicit none
contains
  function poly(c, x) result(y)
    real(8), intent(in) :: c(:), x
    real(8) :: y
    integer :: i
    y = 0
    do i = size(c), 1, -1
      y = y * x + c(i)
    end do
  end function
  real(8) function dot(x, y)
    real(8), intent(in) :: x(:), y(:)
    dot = dot_product(x, y)
  end function
  real(8) function variance(x)
    real(8), intent(in), contiguous :: x(:)
    variance = (sum(x * x) - sum(x) ** 2 / size(x)) / (size(x) - 1)
  end function
  real(8) function residual(a, x, b)
    real(8), intent(in) :: a(:,:), x(:), b(:)
    real(8) :: s
    integer :: i, j
    residual = 0
    do i = 1, size(a, 1)
      s = -b(i)
      do j = 1, size(a, 2)
        s = s + a(i, j) * x(j)
      end do
      residual = max(residual, abs(s))
    end do
  end function
  real(8) function energy(a, x)
    real(8), intent(in) :: a(:,:), x(:)
    integer :: i, j
    energy = 0
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        energy = energy + x(i) * a(i, j) * x(j)
      end do
    end do
  end function
  real(8) function norm(a, x)
    real(8), intent(in) :: a(:,:), x(:)
    real(8) :: s
    integer :: i, j
    norm = 0
    do i = 1, size(a, 1)
      s = 0
      do j = 1, size(a, 2)
        s = s + a(i, j) * x(j)
      end do
      norm = norm + s * s
    end do
    norm = sqrt(norm)
  end function
  real(8) function trapezoid(x, y)
    real(8), intent(in) :: x(:), y(:)
    integer :: i
    trapezoid = 0
    do i = 2, size(x)
      trapezoid = trapezoid + (x(i) - x(i-1)) * (y(i) + y(i-1)) / 2
    end do
  end function
  subroutine differences(x, d)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: d(:)
    integer :: i
    do i = 1, size(d)
      d(i) = x(i + 1)**2 - x(i)**2
    end do
  end subroutine
  real(4) function single_sum(x)
    real(4), intent(in) :: x(:)
    integer :: i
    single_sum = 0
    do i = 1, size(x)
      single_sum = single_sum + x(i)
    end do
  end function
  subroutine scaled(x, f)
    real(8), intent(inout) :: x(:)
    real(8), value :: f
    x = x * f - 1
  end subroutine
  real(8) function weighted(w, x)
    integer, intent(in) :: w(:)
    real(8), intent(in) :: x(0:)
    integer :: i
    weighted = 0
    do i = 1, size(w)
      weighted = weighted + w(i) * x(i - 1)
    end do
  end function
end module
"""
HARNESSED = """module harnessed
  implicit none
contains
  real(8) function grown(x)
    real(8), intent(in), allocatable :: x(:)
    grown = x(1) - 1
  end function
  real(8) function pointed(x)
    real(8), intent(in), pointer :: x(:)
    pointed = x(1) - 1
  end function
  function made(x) result(y)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    y = x - 1
  end function
  real(8) function named(x, s)
    real(8), intent(in) :: x(:)
    character(*), intent(in) :: s
    named = x(1) - len(s)
  end function
end module
"""
COPIES = """module copies
  implicit none
  type box
    real(8), allocatable :: v(:)
  end type
contains
  real(8) function digits(y)
    real(8), intent(in) :: y(:)
    integer :: i
    digits = 0
    do i = 1, size(y)
      digits = digits * 10 + y(i)
    end do
  end function
  real(8) function shrunk(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    y = x
    y = y(2:)
    shrunk = digits(y)
  end function
  real(8) function reversed(x)
    real(8), intent(in) :: x(:)
    real(8) :: y(size(x))
    y = x
    y = y(size(y):1:-1)
    reversed = digits(y)
  end function
  real(8) function boxed(x)
    real(8), intent(in) :: x(:)
    type(box) :: a(2), b(2)
    a(1)%v = x
    a(2)%v = x * 2
    b = a
    a(1)%v(1) = 100
    boxed = b(1)%v(1) + b(2)%v(2)
  end function
end module
"""
ACROSS = "-100:100"
FAR_FROM_ZERO = "1e6:1.000001e6"


class FortranArrays(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("arrays.f90", MODULE)

    def worst(self, function, *words, size="4", between=ACROSS):
        run = self.hunt("arrays.f90", "-f", function, "--size", size, "--range", between, "--for", "error", "--evals", "3000", *words)
        return run.worst(function)

    def line_of(self, text):
        return next(number for number, line in enumerate(MODULE.splitlines(), 1) if text in line)

    def test_sums_and_products_of_every_kind_are_broken(self):
        for function, at in (("poly", "y = y * x + c(i)"), ("energy", "energy = energy +"), ("trapezoid", "trapezoid = trapezoid +"),
                             ("single_sum", "single_sum = single_sum +"), ("weighted", "weighted = weighted +")):
            with self.subTest(function):
                worst = self.worst(function)
                self.assertGreater(worst["error"]["relative"], 0.1)
                self.assertEqual(worst["cause"]["line"], self.line_of(at))

    def test_intrinsic_functions_of_arrays_are_broken(self):
        self.assertGreater(self.worst("dot")["error"]["relative"], 0.1)

    def test_a_norm_that_underflows_on_the_way_is_found(self):
        worst = self.worst("norm", between="1e-90:1e-80")
        self.assertGreater(worst["error"]["relative"], 0.1)
        self.assertEqual(worst["cause"]["line"], self.line_of("norm = norm + s * s"))

    def test_a_contiguous_array_keeps_its_name(self):
        worst = self.worst("variance", between=FAR_FROM_ZERO)
        self.assertGreater(worst["error"]["relative"], 1)
        self.assertEqual(len(worst["input"]["x"]), 4)
        self.assertEqual(worst["verdict"], "avoidable")

    def test_arrays_that_are_written_are_judged(self):
        worst = self.worst("differences", "--size", "d=3", "--norm", "component", between=FAR_FROM_ZERO)
        self.assertRegex(worst["output"]["name"], r"^d\[[012]\]$")
        self.assertEqual(list(worst["input"]), ["x"])
        self.assertEqual(worst["cause"]["line"], self.line_of("d(i) ="))

    def test_assignments_of_whole_arrays_are_followed(self):
        worst = self.worst("scaled", "--norm", "component")
        self.assertRegex(worst["output"]["name"], r"^x\[[0123]\]$")
        self.assertEqual(worst["cause"]["line"], self.line_of("x = x * f - 1"))

    def test_assignments_of_whole_arrays_keep_their_values(self):
        self.write("copies.f90", COPIES)
        for function, result in (("shrunk", 23), ("reversed", 321), ("boxed", 5)):
            with self.subTest(function):
                out = self.run_faultline("explain", "copies.f90", "-f", function, "--size", "3", "--at", "x=1,2,3", status=0).out
                self.assertIn(f"return = {result} ", out)

    def test_elements_lie_in_the_order_of_fortran(self):
        numbers = ",".join(map(str, range(1, 7)))  # a(2,3), the first index fastest: rows are 1 3 5 and 2 4 6
        out = self.run_faultline("explain", "arrays.f90", "-f", "residual", "--size", "a=2x3", "--size", "x=3", "--size", "b=2", "--at",
                                 f"a={numbers}", "--at", "x=100,10,1", "--at", "b=0,0", status=0).out
        self.assertIn("return = 246 ", out)
        self.assertNotIn("return = 135 ", out)

    def test_lists_tell_what_to_size_and_what_it_gives(self):
        out = self.run_faultline("list", "arrays.f90", "--all", status=3).out
        self.assertIn("'a(:,:)' is an array and needs a size: --size a=NxM", out)
        self.assertIn("'c(:)' is an array and needs a size: --size c=N", out)
        out = self.run_faultline("list", "arrays.f90", "--size", "3", status=0).out
        self.assertIn("a[0..8]: binary64, x[0..2]: binary64, b[0..2]: binary64", out)
        self.assertIn("11 of 11 functions", out)

    def test_findings_are_replayed_explained_and_written_as_tests(self):
        self.worst("variance", "-o", "found.json", "-o", "found_test.c", between=FAR_FROM_ZERO)
        self.assertRegex(self.run_faultline("replay", "found.json", status=0).out, r"[1-9]\d* reproduced, 0 not")
        (target,) = json.loads((self.scratch / "found.json").read_text())["targets"]
        values = ",".join(value["hex"] for value in target["findings"][0]["input"]["x"])
        explained = self.run_faultline("explain", "arrays.f90", "-f", "variance", "--size", "4", "--at", f"x={values}", status=0).out
        self.assertIn("cancellation", explained)
        text = (self.scratch / "found_test.c").read_text()
        self.assertIn("failed on the code that", text)
        self.assertIn("descriptor_of_x", text)

    def test_a_reference_gets_the_elements(self):
        self.write("exact.c", "long double exact(double a, double b, double c, double d) {\n  long double m = ((long double)a + b + c + "
                              "d) / 4;\n  return ((a - m) * (a - m) + (b - m) * (b - m) + (c - m) * (c - m) + (d - m) * (d - m)) / 3;\n}\n")
        worst = self.worst("variance", "--oracle", "reference", "--reference", "exact.c:exact", between=FAR_FROM_ZERO)
        self.assertEqual(worst["oracle"], "reference")
        self.assertGreater(worst["error"]["relative"], 1e-3)

    def test_branches_over_arrays_are_covered(self):
        self.write("count.f90", "module m\ncontains\nreal(8) function above(x)\nreal(8), intent(in) :: x(:)\ninteger :: i\nabove = 0\n"
                                "do i = 1, size(x)\nif (x(i) > 3) above = above + x(i)\nend do\nend function\nend module\n")
        out = self.run_faultline("cover", "count.f90", "-f", "above", "--size", "2", status=0).out
        self.assertIn("2 branch outcomes: 2 covered", out)
        self.assertIn("4 paths run, there are no others", out)

    def test_sizes_that_do_not_fit_are_refused(self):
        for sizes, said in ((["a=4", "x=4", "b=4"], "'a(:,:)' has 2 dimensions, the size 4 has 1: --size a=NxM"),
                            (["4x4"], "'x(:)' has 1 dimension, the size 4x4 has 2: --size x=N"),
                            (["4", "b=2x2"], "'b(:)' has 1 dimension, the size 2x2 has 2"),
                            (["1000"], "1000 x 1000 elements; 1 to 131072 are possible"), (["a=4x4"], "'x(:)' is an array"),
                            (["a=0x4"], "'0' is not a number of elements"), (["a=99999999x99999999"], "more than"),
                            (["4", "z=3"], "no such parameter")):
            with self.subTest(sizes):
                words = [word for size in sizes for word in ("--size", size)]
                run = self.run_faultline("hunt", "arrays.f90", "-f", "residual", *words)
                self.assertIn(run.status, (2, 3))
                self.assertIn(said, run.err)
                self.assertEqual(run.out, "")

    def test_what_has_no_plain_memory_is_passed_by_a_harness(self):
        self.write("harnessed.f90", HARNESSED)
        for function, output in (("grown", "return"), ("pointed", "return"), ("made", "return(1)"), ("named", "return")):
            with self.subTest(function):
                at = ("--at", "x=1.5,3,4")
                shown = self.run_faultline("explain", "harnessed.f90", "-f", function, "--size", "3", *at, status=0).out
                self.assertIn(f"{output} = 0.5", shown)

    def test_an_optional_array_is_absent_unless_it_has_a_size(self):
        self.write("optional.f90", "module m\ncontains\nsubroutine f(x, w, y)\nreal(8), intent(in) :: x(:)\nreal(8), intent(in), "
                                   "optional :: w(:)\nreal(8), intent(out) :: y\ny = x(1) - x(2)\nif (present(w)) y = y * w(1)\n"
                                   "end subroutine\nend module\n")
        out = self.run_faultline("list", "optional.f90", "--size", "x=2", status=0).out
        self.assertRegex(out, r"absent +w")
        explain = ("explain", "optional.f90", "-f", "f", "--size", "x=2", "--at", "x=5,3")
        self.assertIn("y = 2 ", self.run_faultline(*explain, status=0).out)
        self.assertIn("y = 8 ", self.run_faultline(*explain, "--size", "w=1", "--at", "w=4", status=0).out)

    def test_an_output_that_is_absent_is_told(self):
        self.write("optional.f90", "module m\ncontains\nsubroutine f(x, y)\nreal(8), intent(in) :: x(:)\nreal(8), intent(out), optional :: "
                                   "y(:)\nif (present(y)) y(1) = x(1) - 1\nend subroutine\nend module\n")
        run = self.run_faultline("hunt", "optional.f90", "-f", "f", "--size", "x=2", status=3)
        self.assertIn("'y' is optional, and absent without a size: --size y=N", run.err)

    def test_descriptors_of_other_compilers_are_refused(self):
        subprocess.run(["flang-new-19", "-O2", "-g", "-S", "-emit-llvm", "-o", "arrays.ll", "arrays.f90"], cwd=self.scratch, check=True,
                       env=self.environment(), timeout=60)
        self.assertIn("11 of 11", self.run_faultline("list", "arrays.ll", "--size", "3", status=0).out)
        other = (self.scratch / "arrays.ll").read_text().replace("DW_OP_plus_uconst, 32,", "DW_OP_plus_uconst, 40,")
        self.write("other.ll", other)
        run = self.run_faultline("hunt", "other.ll", "-f", "poly", "--size", "3", status=3)
        self.assertIn("a descriptor that is not flang-19's", run.err)

    def test_functions_that_return_arrays_are_judged(self):
        self.write("returned.f90", "module m\ncontains\nfunction f(x) result(y)\nreal(8), intent(in) :: x(:)\nreal(8) :: y(size(x))\n"
                                   "y = (x + 1d0) - 1d0\nend function\nend module\n")
        run = self.hunt("returned.f90", "--size", "2", "--range", "0:1", "--for", "error", "--evals", "500")
        self.assertRegex(run.worst("f")["output"]["name"], r"^y\[[01]\]$")
        self.assertEqual(list(run.worst("f")["input"]), ["x"])


if __name__ == "__main__":
    unittest.main()
