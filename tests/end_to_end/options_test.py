"""What each option promises."""
import struct
import unittest

from faultline_case import ERRORS, ROOT, FaultlineCase, inputs_of

EXAMPLE = "examples/one_minus_cos.c"


def is_single(value):
    return struct.unpack("f", struct.pack("f", value))[0] == value


class Options(FaultlineCase):
    def test_list_shows_inputs_outputs_and_sites(self):
        run = self.run_faultline("list", EXAMPLE, "examples/quadratic.cpp", "examples/heron.f90", cwd=ROOT, status=0)
        for words in ("examples/one_minus_cos.c:9: one_minus_cos\n  inputs  x: binary64\n  outputs return: binary64\n  sites   4\n",
                      "quadratic_root_single\n  inputs  a: binary32, b: binary32, c: binary32",
                      "examples/heron.f90:25: mean_and_variance\n  inputs  x: binary64, y: binary64, z: binary64\n"
                      "  outputs mean: binary64, variance: binary64"):
            self.assertIn(words, run.out)

    def test_list_counts_what_cannot_be_hunted_in_and_names_it_if_asked(self):
        self.write("mixed.c", "#include <stdio.h>\ndouble good(double x) { return x; }\nint whole(int n) { return n; }\n"
                              "double file(FILE *f) { return fgetc(f); }\ndouble of_size(int n, double a[n][n]) { return a[n - 1][0]; }\n")
        run = self.run_faultline("list", "mixed.c", status=0)
        for name in ("whole", "file\n", "of_size"):
            self.assertNotIn(name, run.out)
        self.assertIn("1 of 4 functions can be tested\n", run.out)
        for reason in ("1 needs state", "1 needs the size of an array", "1 has no floating-point output"):
            self.assertIn(reason, run.out.splitlines()[-1])
        named = self.run_faultline("list", "mixed.c", "--all", status=0)
        for reason in ("whole\n  it has no floating-point output", "needs state (FILE): it reads f._", "--size a=N"):
            self.assertIn(reason, named.out)

    def test_functions_are_named_by_patterns(self):
        self.write("mixed.c", "double left(double x) { return x - 1; }\ndouble right(double x) { return x + 1; }\n"
                              "int left_over(int n) { return n > 1; }\n")
        run = self.run_faultline("hunt", "mixed.c", "-f", "lef*", "--evals", "200", "-o", "-")
        self.assertEqual([target["function"] for target in run.json["targets"]], ["left"])
        self.assertIn("-f 'lef*': 1 function left out that cannot be tested", run.err)
        run = self.run_faultline("hunt", "mixed.c", "-f", "l?ft*", "-f", "right", "--evals", "200", "--quiet", "-o", "-")
        self.assertEqual([target["function"] for target in run.json["targets"]], ["left", "right"])
        self.assertEqual(run.err, "")
        run = self.run_faultline("hunt", "mixed.c", "-f", "rihgt*", status=3)
        self.assertIn("there is no function like 'rihgt*'\n  try: the nearest names: right", run.err)

    def test_list_says_what_an_array_needs(self):
        run = self.run_faultline("list", "examples/summation.c", cwd=ROOT, status=0)
        self.assertIn("--size", run.out)
        run = self.run_faultline("list", "examples/summation.c", "--size", "A=3", cwd=ROOT, status=0)
        self.assertRegex(run.out, r"recursive_summation\n  inputs  A\[0\]: binary64, A\[1\]: binary64, A\[2\]: binary64|A\[0..2\]|A\[3\]")

    def test_explain_shows_the_subtraction_of_the_papers_figure(self):
        run = self.run_faultline("explain", EXAMPLE, "-f", "one_minus_cos", "--at", "x=1e-7", cwd=ROOT, status=0)
        row = next(line for line in run.out.splitlines() if " - v2" in line)
        self.assertRegex(row, r"10:27 .* 2\.0016e\+14.* 7\.9928e-04")
        self.assertIn("condition 2.00e+14", run.out)
        self.assertIn("cos(x)", run.out)
        self.assertIn("examples/one_minus_cos.c:10:27: fsub", run.out)

    def test_explain_shows_errors_that_need_a_thousand_bits(self):
        run = self.run_faultline("explain", EXAMPLE, "-f", "one_minus_cos", "--at", "x=1e-150", cwd=ROOT, status=0)
        row = next(line for line in run.out.splitlines() if " - v2" in line)
        self.assertIn(" 1.0000e+00", row)

    def test_explain_of_a_harmless_input_blames_nobody(self):
        run = self.run_faultline("explain", EXAMPLE, "-f", "one_minus_cos", "--at", "x=1", cwd=ROOT, status=0)
        self.assertNotIn("verdict", run.out)

    def test_explain_of_a_crash_says_so(self):
        run = self.run_faultline("explain", "examples/hostile/abort.c", "-f", "aborts", "--at", "x=11", cwd=ROOT)
        self.assertIn("called abort", run.out + run.err)
        self.assertNotEqual(run.status, 70)

    def test_explain_takes_arrays(self):
        run = self.run_faultline("explain", "examples/summation.c", "-f", "recursive_summation", "--size", "A=4", "--hold",
                                 "size=4", "--at", "A=1.1e-15,98,-1.2e-15,-98", cwd=ROOT, status=0)
        self.assertIn("examples/summation.c:12", run.out)
        self.assertRegex(run.out, r"relative 1\.20?e\+01")  # Table 1b of the paper: 12

    def test_a_site_without_an_addition_is_refused_at_once(self):
        hunt = ("hunt", "examples/summation.c", "-f", "recursive_summation", "--size", "A=4", "--evals", "100")
        run = self.run_faultline(*hunt, "--site", "summation.c:1", cwd=ROOT, status=2)
        self.assertIn("--site summation.c:1: there is no addition", run.err)
        self.assertIn("summation.c:12", run.err)
        run = self.run_faultline(*hunt, "--site", "examples/summation.c:12", "--sampling", "log", cwd=ROOT)
        self.assertIn(run.status, (0, 1))

    def test_oracle_replay_judges_on_the_runs_own_path(self):
        run = self.hunt_example(EXAMPLE, "--oracle", "replay", "--for", "error")
        finding = run.worst("one_minus_cos")
        self.assertEqual((finding["oracle"], finding["cause"]["line"]), ("replay", 10))

    def test_oracle_none_says_that_errors_are_estimates(self):
        run = self.hunt_example(EXAMPLE, "--oracle", "none", "--for", "error")
        self.assertEqual(run.worst("one_minus_cos")["oracle"], "none")
        self.assertIn("estimate", run.worst("one_minus_cos")["detail"])

    def reference(self, name, text, function):
        self.write(name, text)
        run = self.hunt("f.c", "--range", "x=1:2", "--threshold", "1e-7", "--reference", f"{name}:{function}")
        finding = run.worst("f")
        self.assertEqual(finding["oracle"], "reference")
        self.assertAlmostEqual(finding["error"]["relative"], 2.338e-6, delta=1e-8)

    def test_reference_sees_a_wrong_constant_that_lifted_execution_cannot(self):
        self.write("f.c", "double f(double x) { return x * 3.1416; }\n")
        self.hunt("f.c", "--range", "x=1:2", "--threshold", "1e-7", status=0)
        with self.subTest("double"):
            self.reference("double.c", "double g(double x) { return x * 3.141592653589793; }\n", "g")
        with self.subTest("__float128"):
            self.reference("quad.c", "__float128 g(__float128 x) { return x * 3.14159265358979323846264338327950288Q; }\n", "g")
        with self.subTest("mpfr"):
            self.reference("exact.c", "#include <mpfr.h>\nvoid g(mpfr_t r, const mpfr_t x) {\n"
                           "  mpfr_const_pi(r, MPFR_RNDN);\n  mpfr_mul(r, r, x, MPFR_RNDN);\n}\n", "g")

    def test_reference_agrees_with_lifted_execution(self):
        self.write("exact.c", "#include <mpfr.h>\nvoid g(mpfr_t r, const mpfr_t x) {\n  mpfr_t h;\n  mpfr_init2(h, mpfr_get_prec(r));\n"
                   "  mpfr_div_ui(h, x, 2, MPFR_RNDN);\n  mpfr_sin(r, h, MPFR_RNDN);\n  mpfr_div(r, r, h, MPFR_RNDN);\n"
                   "  mpfr_sqr(r, r, MPFR_RNDN);\n  mpfr_div_ui(r, r, 2, MPFR_RNDN);\n  mpfr_clear(h);\n}\n")
        options = (ROOT / EXAMPLE, "--for", "error", "--range", "x=1e-7:1e-2")
        exact, lifted = self.hunt(*options, "--reference", "exact.c:g").findings, self.hunt(*options).findings
        self.assertEqual([f["input"] for f in exact], [f["input"] for f in lifted])
        for a, b in zip(exact, lifted):
            self.assertAlmostEqual(a["error"]["relative"], b["error"]["relative"], places=9)

    def test_for_limits_the_kinds(self):
        for words, kinds in {"error": {"inaccuracy"}, "exceptions": {"overflow", "underflow", "invalid", "divide-by-zero"}}.items():
            run = self.hunt_example(EXAMPLE, "--for", words)
            found = {finding["kind"] for finding in run.findings}
            self.assertTrue(found and found <= kinds, found)
        run = self.hunt_example("examples/hostile/abort.c", "--for", "crashes", "--evals", "200")
        self.assertEqual({finding["kind"] for finding in run.findings}, {"crash"})
        self.hunt_example(EXAMPLE, "--for", "crashes", status=0)

    def test_threshold_decides_what_counts(self):
        self.write("cube.c", "double cube(double x) { return x * x * x * x * x * x * x; }\n")
        options = ("cube.c", "--for", "error", "--range", "x=1:2")
        self.hunt(*options, status=0)
        run = self.hunt(*options, "--threshold", "2e-16")
        self.assertGreater(run.worst("cube")["error"]["relative"], 2e-16)
        self.hunt_example(EXAMPLE, "--for", "error", "--threshold", "1e300", status=0)

    def test_ulps_decide_instead_of_the_relative_error(self):
        self.write("cube.c", "double cube(double x) { return x * x * x * x * x * x * x; }\n")
        options = ("cube.c", "--for", "error", "--range", "x=1:2", "--ulps")
        self.assertGreater(self.hunt(*options, "1.5").worst("cube")["error"]["ulps"], 1.5)
        self.hunt(*options, "50", status=0)

    def test_evals_limit_the_evaluations(self):
        run = self.hunt_example(EXAMPLE, "--evals", "500")
        self.assertLessEqual(run.targets["one_minus_cos"]["evaluations"], 500)
        self.assertGreater(run.targets["one_minus_cos"]["evaluations"], 400)

    def test_budget_ends_a_hunt_in_slow_code(self):
        self.write("slow.c", "#include <unistd.h>\ndouble slow(double x) { usleep(1000); return x + 1; }\n")
        run = self.hunt("slow.c", "--budget", "500ms", "--for", "error", status=None)
        self.assertLess(run.targets["slow"]["seconds"], 2)

    def test_range_and_hold_bound_every_input(self):
        self.write("f.c", "double f(double x, double y, int n) { return (x - y) * n / (x * x - y * y) + 1 / (x - 1.5); }\n")
        run = self.hunt("f.c", "--range", "x=1:2", "--hold", "y=1.75", "--hold", "n=3")
        self.assertEqual([(cell["low"], cell["high"]) for cell in run.targets["f"]["inputs"]], [("1", "2"), ("1.75", "1.75"), ("3", "3")])
        self.assertTrue(run.findings)
        for finding in run.findings:
            inputs = inputs_of(finding)
            self.assertTrue(1 <= inputs["x"] <= 2)
            self.assertEqual((inputs["y"], inputs["n"]), (1.75, 3))

    def test_format_restricts_the_values(self):
        self.write("f.c", "double f(double x) { return (1 + x) - 1; }\n")
        run = self.hunt("f.c", "--format", "x=binary32")
        self.assertEqual(run.targets["f"]["inputs"][0]["format"], "binary32")
        self.assertTrue(all(is_single(inputs_of(finding)["x"]) for finding in run.findings))

    def test_size_makes_an_array_an_input(self):
        run = self.hunt_example("examples/summation.c", "--size", "A=4", "--hold", "size=4", "-f", "recursive_summation",
                                "--range", "A=-1e10:1e10", status=None)
        target = run.targets["recursive_summation"]
        self.assertEqual([cell["name"] for cell in target["inputs"]][:4], ["A[0]", "A[1]", "A[2]", "A[3]"])
        self.write("sum.c", "double f(const double* a) { return (a[0] + 1e20) - 1e20 + a[1] * a[1]; }\n")
        finding = self.hunt("sum.c", "--size", "a=2", "--range", "a=1:2").worst("f")
        self.assertEqual(len(finding["input"]["a"]), 2)
        self.assertTrue(all(1 <= float(value["decimal"]) <= 2 for value in finding["input"]["a"]))

    def test_output_picks_what_is_judged(self):
        options = ("examples/heron.f90", "-f", "mean_and_variance", "--range", "x=1000:1001", "--range", "y=1000:1001", "--range", "z=1000:1001")
        self.hunt_example(*options, "--output", "mean", status=0)
        run = self.hunt_example(*options, "--output", "variance", status=None)
        self.assertTrue(all(finding["output"]["name"] == "variance" for finding in run.findings))

    def test_strategies_can_be_chosen(self):
        for strategy in ("random", "atomu"):
            run = self.hunt_example(EXAMPLE, "--strategy", strategy, "--for", "error", "--range", "x=1e-10:1")
            self.assertEqual(run.worst("one_minus_cos")["strategy"], strategy)

    def test_atomu_finds_the_example_of_its_paper(self):
        for seed in (1, 2, 3):
            with self.subTest(seed=seed):
                run = self.hunt_example(EXAMPLE, "--strategy", "atomu", "--for", "error", "--seed", seed)
                self.assertEqual(run.worst("one_minus_cos")["cause"]["line"], 10)

    def test_nothing_found_is_status_0(self):
        self.write("half.c", "double half(double x) { return x / 2; }\n")
        run = self.hunt("half.c", "--for", "error", status=0)
        self.assertEqual(run.targets["half"]["outcome"], "none")
        self.assertFalse([finding for finding in run.findings if finding["kind"] in ERRORS])

    def test_reports_are_written_as_their_ending_says(self):
        run = self.run_faultline("hunt", ROOT / EXAMPLE, "--quiet", "-o", "f.json", "-o", "f.txt", status=1)
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()), ["f.json", "f.txt"])
        self.assertIn("inaccuracy", (self.scratch / "f.txt").read_text())
        self.assertIn("error: one_minus_cos: 1.0 - cos(x) cancels", run.out)

    def test_a_size_of_a_number_is_refused(self):
        self.write("one.c", "double f(double x) { return x - 1; }\n")
        for command in ("hunt", "list"):
            run = self.run_faultline(command, "one.c", "--size", "x=10", status=2)
            self.assertIn("'x' is one number, not an array", run.err)


if __name__ == "__main__":
    unittest.main()
