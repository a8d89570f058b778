"""Functions of binary16 and bfloat16: a hunt finds nearly the worst error of all inputs, which a program of its own counts
(small_formats/exhaustive.c), and a proven bound is not below it."""
import shutil
import subprocess
from pathlib import Path

from faultline_case import FaultlineCase

SOURCES = Path(__file__).parent / "small_formats"
RANGES = {"cubic": (0, 3), "exponential_series": (-1, 1), "one_minus_cosine": (0.0625, 3), "difference_of_roots": (0.03125, 512),
          "rational": (-10, 10), "sigmoid": (-8, 8), "log_of_sum": (0.0009765625, 96), "cosine_of_slope": (-96, 96),
          "harmonic_sum": (0.125, 10), "tangent_by_exp": (0.125, 4)}
FORMATS = ("binary16", "bfloat16")
LEAST_SHARE = 0.97


class SmallFormats(FaultlineCase):
    def setUp(self):
        super().setUp()
        for name in ("subjects.c", "functions.h", "exhaustive.c"):
            shutil.copy(SOURCES / name, self.scratch)
        subprocess.run(["clang-19", "-O2", "-ffp-contract=off", "exhaustive.c", "-o", "exhaustive", "-lm"], cwd=self.scratch,
                       check=True)

    def exhaustive(self, *words):
        done = subprocess.run(["./exhaustive", *map(str, words)], cwd=self.scratch, check=True, capture_output=True, text=True)
        return [float(word) for word in done.stdout.split()]

    def found(self, function, *words):
        run = self.hunt("subjects.c", "-f", function, "--for", "error", "--ulps", "0.5", *words, status=None)
        return run.targets[function]["largest"]["error"]["ulps"]

    def test_worst_error_of_all_inputs_is_found(self):
        for name, (low, high) in RANGES.items():
            for format in FORMATS:
                function = f"{name}_{format}"
                with self.subTest(function):
                    worst, _ = self.exhaustive(function, low, high)
                    found = self.found(function, "--range", f"x={low}:{high}", "--evals", "30000")
                    self.assertGreaterEqual(found, LEAST_SHARE * worst)
                    self.assertLessEqual(found, worst * (1 + 1e-6))

    # A 64th of all pairs. The worst of all 2^32 is 991.5 ulps, at x = 0.491943359, y = 0.4921875.
    def test_worst_error_of_two_inputs_is_found(self):
        worst, _, _ = self.exhaustive("difference_of_squares", 64)
        found = self.found("difference_of_squares", "--evals", "30000")
        self.assertGreaterEqual(found, LEAST_SHARE * worst)

    def test_proven_bound_covers_the_worst_error(self):
        for name in ("exponential_series", "rational", "cosine_of_slope"):
            for format in FORMATS:
                function = f"{name}_{format}"
                with self.subTest(function):
                    low, high = RANGES[name]
                    worst, _ = self.exhaustive(function, low, high)
                    proof = self.scratch / f"{function}.proof.json"
                    run = self.run_faultline("bound", "subjects.c", "-f", function, "--range", f"x={low}:{high}", "--time", "5s",
                                             "--quiet", "-o", "-", "-o", proof, status=0)
                    (output,) = run.json["targets"][0]["outputs"]
                    self.assertGreaterEqual(output["ulps"]["proven"], worst)
                    self.assertLessEqual(output["ulps"]["found"], worst * (1 + 1e-6))
                    self.run_faultline("check", proof, status=0)

    def test_arrays_structs_and_pointers_are_followed(self):
        self.write("block.c", """
struct pair { _Float16 first, second; };
_Float16 sum(const _Float16 a[4]) {
  _Float16 partial[4];
  partial[0] = a[0];
  for (int i = 1; i < 4; ++i) {
    _Float16 next = partial[i - 1] + a[i];
    partial[i] = next;
  }
  return partial[3];
}
__bf16 difference(const struct pair* p) {
  __bf16 a = (__bf16)(float)p->first, b = (__bf16)(float)p->second;
  return a - b;
}
void scale(_Float16 x, _Float16* y) {
  _Float16 square = x * x;
  *y = square - (_Float16)2;
}
""")
        run = self.hunt("block.c", "--for", "error", "--ulps", "8", "--range", "-100:100", "--evals", "20000")
        for function in ("sum", "difference", "scale"):
            with self.subTest(function):
                self.assertGreater(run.worst(function)["error"]["ulps"], 8)
        self.assertEqual({each["format"] for each in run.targets["sum"]["inputs"]}, {"binary16"})
        self.assertEqual(run.worst("difference")["output"]["name"], "return")

    def test_format_of_inputs_can_be_narrowed(self):
        self.write("wide.c", "double f(double x) { return (1 + x) - 1; }\n")
        run = self.hunt("wide.c", "--format", "x=bfloat16", "--for", "error")
        x = float.fromhex(run.worst("f")["input"]["x"]["hex"])
        self.assertEqual(x.hex().split("p")[0].rstrip("0")[:6], x.hex().split("p")[0].rstrip("0"))

    def test_generated_tests_pass_on_repaired_code_and_fail_on_this(self):
        report = self.scratch / "tests.c"
        self.run_faultline("hunt", "subjects.c", "-f", "one_minus_cosine_binary16", "--for", "error", "--range", "x=0.05:3",
                           "--quiet", "--fail-on", "note", "-o", report, status=1)
        text = report.read_text()
        self.assertIn("(_Float16)", text)
        subprocess.run(["clang-19", "-O1", "tests.c", "subjects.c", "-o", "tests", "-lm",
                        "-Dcosine_of_slope_bfloat16=unused", "-x", "c", "-"], cwd=self.scratch, check=True, text=True,
                       input="__bf16 __truncsfbf2(float value) { (void)value; return (__bf16)0; }\n")
        done = subprocess.run(["./tests"], cwd=self.scratch, check=False, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("FAILED", done.stdout)

    def test_error_is_explained(self):
        run = self.run_faultline("explain", "subjects.c", "-f", "difference_of_roots_binary16", "--at", "x=979", status=0)
        for text in ("computed  return = 0.03125", "cancels 9 of 11 bits", "compute in float", "functions.h:30:16: fsub"):
            self.assertIn(text, run.out)

    def test_fpcore_has_both_formats(self):
        self.write("half.fpcore", "(FPCore f (x) :precision binary16 :pre (<= 1 x 2) (- (* x x) x))\n"
                   "(FPCore g (x) :precision (float 8 16) :pre (<= 1 x 2) (- (* x x) x))\n")
        run = self.run_faultline("list", "half.fpcore", status=0)
        self.assertIn("x: binary16", run.out)
        self.assertIn("x: bfloat16", run.out)
