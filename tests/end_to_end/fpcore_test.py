"""FPCore in and out: FPBench's format is hunted in as C is, and written for others."""
import json
import math
import random
import re
import subprocess

from faultline_case import ROOT, FaultlineCase, long

ONE_MINUS_COS = """; the comment counts as a line
(FPCore one-minus-cos (x)
  :pre (<= 1e-9 x 3)
  (/ (- 1
        (cos x))
     (* x x)))
"""
TRIANGLE = """(FPCore area (a b c)
  :pre (and (<= 1 a 9) (<= 1 b 9) (<= 1 c 9) (> (+ a b) c) (> (+ b c) a) (> (+ c a) b))
  (let ([s (/ (+ (+ a b) c) 2)])
    (sqrt (* (* (* s (- s a)) (- s b)) (- s c)))))
"""
C = """#include <math.h>
static double square(double x) { return x * x; }
double branches(double x, double y) {
  double t = x < 0 ? -x : x;
  if (t > 2 && y > 1)
    return log(t) / y;
  double s = 0;
  if (y < 0)
    s = square(x - y);
  else if (y == 0)
    s = 1e-3f;
  return sqrt(s + t) - fmin(x, y);
}
double narrow(float x, double y) {
  float p = x * x - 1.1f;
  return (float)(y * p) + y / 3;
}
long double extended(long double x) { return (x - 0.1L) / (1 + x * x); }
double loop(double x, int n) {
  double sum = 1, term = 1;
  for (int k = 1; k <= n; ++k) {
    term *= x / k;
    if (term < 1e-3)
      sum -= term;
    else
      sum += term;
  }
  return sum;
}
double reads(const double *a) { return a[0] + a[1]; }
double early(double x) {
  for (int k = 0; k < 9; ++k) {
    x = x / 2 + 1;
    if (x > 5)
      return x;
  }
  return 0;
}
double kinds(int n, double x) {
  switch (n) {
  case 1: return sin(x);
  case 2: return cos(x);
  default: return isnan(x) ? 0 : x;
  }
}
"""


FORTRAN = """module m
contains
  real(8) function mixed(x, y, z)
    real(8), intent(in) :: x
    real(4), intent(in) :: y
    real(8), value :: z
    if (x > y) then
      mixed = sqrt(x) - y
    else
      mixed = log(y) * z
    end if
  end function
  real(8) function scaled(x, n)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    scaled = x * n
  end function
  real(8) function two(x, w)
    real(8), intent(in) :: x
    real(8), intent(out) :: w
    w = x + 1
    two = x - 1
  end function
end module
"""


INPUTS = 1000
SIGNATURE = re.compile(r"^((?:long )?\w+) (\w+)\((.*)\) \{$", re.MULTILINE)

RANGE = re.compile(r"\(<= ([-+.\de]+) (\w+) ([-+.\de]+)\)")  # of :pre


def random_input(generator, low, high):
    """Half are uniform over the range, half uniform in the exponent, with small ones and both zeros."""
    place = generator.random()
    if generator.randrange(2):
        return low + place * (high - low)
    value = math.ldexp(max(abs(low), abs(high)), -generator.randrange(60)) * place * generator.choice((0, 1, 1, 1))
    return min(max(math.copysign(value, generator.choice((-1, 1))), low), high)


class RoundTrip(FaultlineCase):
    """A function and its FPCore, read back, are compiled and run on the same inputs. Their results must have the same bits. (All
    NaNs are equal: FPCore has only one.)"""

    def same_of(self, source, functions, files, calls=None, options=()):
        """How many results are the same, by function. `calls`: the declaration and the call of the original, by function, if they
        are not those of the FPCore; the inputs are in_x[i], in_y[i], ..."""
        ranges, cores = {}, ""
        for function in functions:
            text = self.run_faultline("export", source, "-f", function, *options, "-o", "-", status=0).out
            ranges[function] = {name: (float(low), float(high)) for low, name, high in RANGE.findall(text)}
            cores += re.sub(r"^\(FPCore \S+", f"(FPCore {function}_read_back", text)
        self.write("back.fpcore", cores)
        self.run_faultline("export", "back.fpcore", "-o", "back.c", status=0)
        signatures = {name: (result, arguments) for result, name, arguments in SIGNATURE.findall((self.scratch / "back.c").read_text())}
        main = "#include <stdio.h>\n#include <string.h>\n"
        for function in functions:
            main += self.comparison(function, *signatures[f"{function}_read_back"], ranges[function], (calls or {}).get(function))
        main += "int main(void) {\n" + "".join(f"  same_of_{function}();\n" for function in functions) + "  return 0;\n}\n"
        self.write("main.c", main)
        subprocess.run(["clang-19", "-O0", "-ffp-contract=off", "-w", "main.c", "back.c", *files, "-lm", "-o", "main"], check=True,
                       cwd=self.scratch, env=self.environment())
        run = subprocess.run([self.scratch / "main"], check=True, capture_output=True, text=True, timeout=60)
        return {name: int(same) for name, same in map(str.split, run.stdout.splitlines())}

    def comparison(self, function, result, arguments, ranges, call):
        generator, arrays, names = random.Random(1), "", []
        for argument in arguments.split(", ") if arguments != "void" else []:
            kind, name = argument.rsplit(" ", 1)
            names.append(f"in_{name}[i]")
            texts = [random_input(generator, *ranges.get(name, (-1000, 1000))).hex() for _ in range(INPUTS)]
            if kind == "long double":  # three digits more
                texts = [text.replace("p", f"{generator.randrange(4096):03x}p") + "L" for text in texts]
            arrays += f"  static const {kind} in_{name}[] = {{{', '.join(texts)}}};\n"
        declared, called = call or (f"{result} {function}({arguments})", f"{function}({', '.join(names)})")
        size = 10 if result == "long double" else f"sizeof({result})"
        return (f"{declared};\n{result} {function}_read_back({arguments});\nvoid same_of_{function}(void) {{\n{arrays}  int same = 0;\n"
                f"  for (int i = 0; i < {INPUTS}; ++i) {{\n    {result} a = {called}, b = {function}_read_back({', '.join(names)});\n"
                f"    same += memcmp(&a, &b, {size}) == 0 || (a != a && b != b);\n  }}\n  printf(\"{function} %d\\n\", same);\n}}\n")

    def test_functions_in_c_read_back_as_the_same_values(self):
        self.write("f.c", C)
        functions = ("branches", "narrow", "extended")
        self.assertEqual(self.same_of("f.c", functions, ["f.c"]), dict.fromkeys(functions, INPUTS))

    def test_a_loop_reads_back_as_the_same_values(self):
        self.write("f.c", C)
        call = "double loop(double, int)", "loop(in_x[i], 6)"
        self.assertEqual(self.same_of("f.c", ["loop"], ["f.c"], {"loop": call}, ("--hold", "n=6")), {"loop": INPUTS})

    def test_fortran_reads_back_as_the_same_values(self):
        self.write("m.f90", FORTRAN)
        subprocess.run(["flang-new-19", "-c", "m.f90", "-o", "m.o"], check=True, cwd=self.scratch, env=self.environment())
        call = ('double mixed(const double *, const float *, double) __asm__("_QMmPmixed")', "mixed(&in_x[i], &in_y[i], in_z[i])")
        self.assertEqual(self.same_of("m.f90", ["mixed"], ["m.o"], {"mixed": call}), {"mixed": INPUTS})

    def test_a_value_that_differs_is_counted(self):
        """The comparison itself."""
        self.write("f.c", "double f(double x) { return x; }\n")
        self.write("g.c", "double f(double x) { return x > 0 ? x : x * 2; }\n")
        self.assertTrue(0 < self.same_of("f.c", ["f"], ["g.c"])["f"] < INPUTS)

    @long
    def test_benchmarks_read_back_as_the_same_values(self):
        compared = 0
        for source in (*sorted((ROOT / "benchmarks/fpcore").glob("*.fpcore")), ROOT / "benchmarks/bounds/others.fpcore"):
            self.run_faultline("export", source, "-o", "original.c", status=0)
            functions = [name for _, name, _ in SIGNATURE.findall((self.scratch / "original.c").read_text())]
            self.assertEqual(self.same_of(source, functions, ["original.c"]), dict.fromkeys(functions, INPUTS))
            compared += len(functions)
        self.assertEqual(compared, 153)


class FPCore(FaultlineCase):
    def test_places_are_those_of_the_file(self):
        self.write("f.fpcore", ONE_MINUS_COS)
        run = self.run_faultline("hunt", "f.fpcore", "--for", "error", "-o", "-", status=1)
        self.assertEqual((run.targets["one_minus_cos"]["file"], run.targets["one_minus_cos"]["line"]), ("f.fpcore", 2))
        cause = run.worst("one_minus_cos")["cause"]
        self.assertEqual((cause["file"], cause["line"], cause["column"]), ("f.fpcore", 4, 7))
        [x] = run.targets["one_minus_cos"]["inputs"]
        self.assertEqual((float(x["low"]), float(x["high"])), (1e-9, 3), "the range is that of :pre")
        text = self.run_faultline("explain", "f.fpcore", "-f", "one_minus_cos", "--at", "x=1e-7", status=None).out
        self.assertIn("line 5", text)

    def test_names_are_bound_together_or_in_turn(self):
        self.write("f.fpcore", """
(FPCore together (x) (while (< i 3) ([i 0 (+ i 1)] [s x (+ s i)]) s))
(FPCore in_turn (x) (while* (< i 3) ([i 0 (+ i 1)] [s x (+ s i)]) s))
(FPCore outer (x) (let ([a 2]) (let ([a x] [b a]) (if (< a 99) b x))))
(FPCore inner (x) (let ([a 2]) (let* ([a x] [b a]) (if (< a 99) b x))))
""")
        for function, value in (("together", "13"), ("in_turn", "16"), ("outer", "2"), ("inner", "10")):
            run = self.run_faultline("cover", "f.fpcore", "-f", function, "--hold", "x=10", "-o", "-", status=0)
            self.assertEqual({test["output"]["return"]["decimal"] for test in run.json["tests"]}, {value}, function)

    def test_range_of_the_user_comes_first(self):
        self.write("f.fpcore", ONE_MINUS_COS)
        bound = self.run_faultline("bound", "f.fpcore", "--range", "x=1:2", "--time", "2s", "-o", "-", status=0).json
        self.assertEqual(bound["targets"][0]["outputs"][0]["complete"], True)
        self.assertLess(bound["targets"][0]["outputs"][0]["absolute"]["proven"], 1e-15)

    def test_inputs_outside_of_the_precondition_are_refused(self):
        self.write("t.fpcore", TRIANGLE)
        run = self.run_faultline("hunt", "t.fpcore", "--evals", "4000", "-o", "-", status=None)
        self.assertIn("refused by fpcore_precondition", run.targets["area"]["note"])
        for finding in run.findings:
            a, b, c = (float(finding["input"][name]["decimal"]) for name in "abc")
            self.assertTrue(a + b > c and b + c > a and c + a > b, finding["input"])

    def test_spec_is_the_meaning(self):
        self.write("f.fpcore", "(FPCore area (r) :pre (<= 1 r 2) :spec (* PI (* r r)) (* 3.1416 (* r r)))\n")
        run = self.run_faultline("hunt", "f.fpcore", "--for", "error", "--evals", "2000", "--fail-on", "warning", "-o", "-", status=1)
        self.assertEqual(run.json["problems"][0]["class"], "wrong-method")

    def test_mistakes_are_told_with_their_place(self):
        self.write("f.fpcore", "(FPCore (x)\n  (+ x (sine y)))\n")
        run = self.run_faultline("hunt", "f.fpcore", status=3)
        self.assertIn("f.fpcore:2:8: there is no operation 'sine'", run.err)
        self.assertIn("sin", run.err.split("try:")[1])

    def test_export_takes_fortrans_numbers_which_are_passed_by_reference(self):
        self.write("old.f", "      REAL FUNCTION EXPM(X)\n      REAL X\n      EXPM = (EXP(X)-1.0)/X\n      END\n")
        self.assertEqual(self.run_faultline("export", "old.f", "-f", "expm", "-o", "-", status=0).out,
                         "(FPCore expm (x) :precision binary32 (/ (+ (exp x) -1) x))\n")
        self.write("m.f90", FORTRAN)
        self.assertIn("--hold n=4", self.run_faultline("export", "m.f90", "-f", "scaled", "-o", "-", status=2).err)
        self.assertIn("(* x 3)", self.run_faultline("export", "m.f90", "-f", "scaled", "--hold", "n=3", "-o", "-", status=0).out)
        refused = self.run_faultline("export", "m.f90", "-f", "two", "-o", "-", status=3)
        self.assertIn("its parameter 'w' is not a plain number", refused.err)

    def test_export_writes_ranges_and_refuses_with_reasons(self):
        self.write("f.c", C)
        text = self.run_faultline("export", "f.c", "-f", "branches", "--range", "x=0:1", "-o", "-", status=0).out
        self.assertIn("(FPCore branches (x y)", text)
        self.assertIn(":pre (<= 0 x 1)", text)
        self.assertIn("--hold n=4", self.run_faultline("export", "f.c", "-f", "loop", "-o", "-", status=2).err)
        self.assertIn("(cos x)", self.run_faultline("export", "f.c", "-f", "kinds", "--hold", "n=2", "-o", "-", status=0).out)
        self.assertIn("left in the middle", self.run_faultline("export", "f.c", "-f", "early", "-o", "-", status=3).err)
        self.assertIn("not a plain number", self.run_faultline("export", "f.c", "-f", "reads", "--size", "a=2", "-o", "-",
                                                            status=3).err)

    def test_certificates_of_fpcores_are_checked(self):
        self.write("f.fpcore", ONE_MINUS_COS)
        self.run_faultline("bound", "f.fpcore", "--range", "x=1:2", "--time", "2s", "-o", "f.proof.json", status=0)
        self.assertIn("verified", self.run_faultline("check", "f.proof.json", "f.fpcore", status=0).out)
        self.assertEqual(json.loads((self.scratch / "f.proof.json").read_text())["line"], 2)
        self.write("g.fpcore", "(FPCore g (x y) :pre (and (<= 0 x 2) (<= 0 y 3) (<= (+ x y) 2)) (* x y))\n")
        run = self.run_faultline("bound", "g.fpcore", "--time", "2s", "-o", "g.proof.json", status=0)
        self.assertIn("its :pre has conditions other than ranges", run.err)
        self.assertIn("verified", self.run_faultline("check", "g.proof.json", "g.fpcore", status=0).out)
