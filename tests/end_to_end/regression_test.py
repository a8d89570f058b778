"""Regression tests that faultline writes: they compile, fail on the code with the bug, and pass on the code without it."""
import os
import re
import shutil
import subprocess
import unittest

from faultline_case import ROOT, FaultlineCase

COMPILERS = {".c": "clang-19", ".cpp": "clang++-19", ".f90": "flang-new-19"}
EXAMPLES = ("one_minus_cos.c", "averages.c", "summation.c", "foo_single.c", "loop8192.c", "quadratic.cpp", "heron.f90")

CANCELS = """#include <math.h>
double f(double x) { return (1 - cos(x)) / (x * x); }
"""
STRUCTS = """#include <math.h>
typedef struct { double a, b, c; } three;
typedef struct { float a; double b; } two;
three in_memory(double x) { three r = {x, 2 * x, %(cosine)s}; return r; }
two in_registers(double x) { two r = {1.0f, %(cosine)s}; return r; }
"""
CRASHES = """#include <stdlib.h>
double f(double x) { if (x > 1e10) %s; return x * 0.5; }
"""


class Regression(FaultlineCase):
    def link(self, test, code, *, flags=()):
        """The test with the code, as a user would."""
        words = ["clang++-19"]
        for number, file in enumerate((test, code)):
            made = f"{number}.o"
            subprocess.run([COMPILERS[file.suffix], "-O2", *flags, "-c", file, "-o", made], cwd=self.scratch, check=True,
                           env=self.environment())
            words.append(made)
        if code.suffix == ".f90":
            where = subprocess.run(["llvm-config-19", "--libdir"], capture_output=True, text=True, check=True).stdout.strip()
            words += [f"-L{where}", "-lFortranRuntime", "-lFortranDecimal"]
        words += ["-lgtest_main", "-lgtest", "-pthread"] if test.suffix == ".cpp" else []
        subprocess.run([*words, "-lm", "-o", "program"], cwd=self.scratch, check=True, env=self.environment())
        return lambda *arguments: subprocess.run(["./program", *arguments], cwd=self.scratch, capture_output=True, text=True,
                                                 check=False, timeout=60)

    def count_in(self, test):
        text = test.read_text()
        found = re.search(r"^// (\d+) tests?; (it|all \d+) failed on the code", text, re.MULTILINE)
        if not found:
            self.assertIn("No problem can be written as a test", text)
        return int(found.group(1)) if found else 0

    def hunt_into(self, name, *words, **more):
        if any(str(word).endswith(("averages.c", "summation.c")) for word in words):
            words = (*words, "--range=-1e308:1e308")  # their bug is an overflow, which counts inside of a given range
        run = self.run_faultline("hunt", *words, "--quiet", "--fail-on", "warning", "-o", self.scratch / name, status=1, **more)
        return self.scratch / name, run

    def test_those_of_the_examples_fail_on_them_and_pass_when_they_are_fixed(self):
        for name in EXAMPLES:
            with self.subTest(name):
                evals = "100" if name == "loop8192.c" else "2000"
                test, _ = self.hunt_into("t.c", ROOT / "examples" / name, "--evals", evals)
                tests = self.count_in(test)
                self.assertGreater(tests, 0)
                self.assertEqual(self.link(test, ROOT / "examples" / name)().returncode, tests)
                after = self.link(test, ROOT / "examples/fixed" / name)()
                self.assertEqual(after.returncode, 0, after.stdout)

    def test_google_tests_fail_and_pass_alike(self):
        for name in ("quadratic.cpp", "heron.f90"):
            with self.subTest(name):
                test, _ = self.hunt_into("t.cpp", ROOT / "examples" / name, "--evals", "2000")
                before = self.link(test, ROOT / "examples" / name, flags=["-w"])()
                self.assertIn(f"{self.count_in(test)} FAILED TEST", before.stdout)
                after = self.link(test, ROOT / "examples/fixed" / name, flags=["-w"])()
                self.assertEqual(after.returncode, 0, after.stdout)
                self.assertIn(f"[  PASSED  ] {self.count_in(test)} test", after.stdout)

    def test_a_failure_says_what_was_computed_and_expected_and_who_is_to_blame(self):
        self.write("f.c", CANCELS)
        test, _ = self.hunt_into("t.c", "f.c", "--evals", "2000")
        said = self.link(test, self.scratch / "f.c", flags=["-Wall", "-Wextra", "-Werror"])("test_f_line2_cancellation")
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stdout, r"FAILED test_f_line2_cancellation: \S+ instead of 0.5, \S+ allowed: "
                                      r"cancellation in 1 - cos\(x\), f.c:2")

    def test_a_file_reads_as_if_somebody_had_written_it(self):
        test, _ = self.hunt_into("t.cpp", ROOT / "examples/quadratic.cpp", "--evals", "2000")
        text = test.read_text()
        self.assertIn("double quadratic_root(double a, double b, double c);\n", text)
        self.assertIn("TEST(QuadraticRoot, line16_cancellation) {\n", text)
        self.assertRegex(text, r"EXPECT_NEAR\(quadratic_root\([-0-9.e]+, [-0-9.e]+, [-0-9.e]+\), exact, tolerance\)")
        for word in ("__asm__", "memset", "memcpy", "unistd", "block", "fsub", "fmul", "0x"):
            self.assertNotIn(word, text)

    def test_files_compile_without_warnings_everywhere(self):
        for name in ("quadratic.cpp", "averages.c", "heron.f90"):
            for ending, compilers in ((".c", ("clang-19", "gcc")), (".cpp", ("clang++-19", "g++"))):
                test, _ = self.hunt_into("t" + ending, ROOT / "examples" / name, "--evals", "2000")
                for compiler in compilers:
                    with self.subTest(f"{name} {compiler}"):
                        done = subprocess.run([compiler, "-Wall", "-Wextra", "-fsyntax-only", test], cwd=self.scratch,
                                              capture_output=True, text=True, check=False, env=self.environment())
                        self.assertEqual((done.returncode, done.stderr), (0, ""))
                test.unlink()

    def test_a_header_declares_what_is_called(self):
        self.write("src/point.h", "#pragma once\nnamespace plane { struct point { double x, y; };\n"
                                  "double height(const point &p); double half(double x); }\n")
        code = ('#include "point.h"\n#include <cmath>\nnamespace plane {\n'
                "double height(const point &p) { return std::sqrt(p.x * p.x + 1) - std::fabs(p.x) + 0 * p.y; }\n"
                "double half(double x) { return (1 - std::cos(x)) / (x * x); }\n}\n")
        self.write("src/point.cpp", code)
        test, run = self.hunt_into("t.cpp", "src/point.cpp", "--for", "error", "--evals", "2000", "--include", "point.h")
        self.assertEqual(run.err, "")
        text = test.read_text()
        self.assertIn('#include "point.h"\n', text)
        self.assertIn("  plane::point p = {};\n  p.x = ", text)
        for word in ("__asm__", "namespace", "struct"):
            self.assertNotIn(word, text)
        self.assertIn("plane::half(", text)
        before = self.link(test, self.scratch / "src/point.cpp", flags=["-Isrc"])()
        self.assertIn(f"{self.count_in(test)} FAILED TEST", before.stdout)

    def test_saved_findings_become_the_same_tests(self):
        self.write("f.c", CANCELS)
        test, _ = self.hunt_into("t.c", "f.c", "--evals", "2000", "-o", "f.json")
        self.run_faultline("report", "f.json", "-o", "again.c", status=0)
        self.assertEqual(test.read_text(), (self.scratch / "again.c").read_text())

    def test_structs_are_returned_as_the_machine_does(self):
        self.write("f.c", STRUCTS % {"cosine": "1 - cos(x)"})
        self.write("fixed.c", STRUCTS % {"cosine": "2 * sin(x / 2) * sin(x / 2)"})
        test, _ = self.hunt_into("t.c", "f.c", "--range", "x=1e-9:1", "--evals", "2000")
        count = self.count_in(test)
        self.assertGreaterEqual(count, 2)
        for function in ("in_memory", "in_registers"):
            self.assertRegex(test.read_text(), f"static void test_{function}_line")
        self.assertEqual(self.link(test, self.scratch / "f.c")().returncode, count)
        after = self.link(test, self.scratch / "fixed.c")()
        self.assertEqual(after.returncode, 0, after.stdout)

    def test_a_call_that_crashed_must_return(self):
        for ending in ("abort()", "exit(0)", "*(volatile int *)8 = 1"):
            with self.subTest(ending):
                self.write("f.c", CRASHES % ending)
                self.write("fixed.c", CRASHES % "return x / 2")
                test, _ = self.hunt_into("t.c", "f.c", "--for", "crashes", "--evals", "2000")
                self.assertEqual(self.count_in(test), 1)
                self.assertNotEqual(self.link(test, self.scratch / "f.c")().returncode, 0)
                self.assertEqual(self.link(test, self.scratch / "fixed.c")().returncode, 0)

    def test_a_test_that_does_not_fail_is_not_written(self):
        self.write("f.c", "#include <math.h>\n#include <string.h>\n"
                          "extern char *program_invocation_short_name;\n"
                          "double f(double x) {\n"
                          "  if (strcmp(program_invocation_short_name, \"faultline\") != 0) return 0.5;\n"
                          "  return (1 - cos(x)) / (x * x);\n}\n")
        test, _ = self.hunt_into("t.c", "f.c", "--range", "x=1e-9:1e-7", "--evals", "2000")
        self.assertIn("compiled natively, the code passes this test", test.read_text())
        self.assertNotIn("static void test_f", test.read_text())

    def test_code_under_test_cannot_leave_its_sandbox_while_tests_are_tried_out(self):
        mark = self.folder / "escaped"
        self.write("f.c", "#include <math.h>\n#include <stdio.h>\n"
                          f'double f(double x) {{ FILE *file = fopen("{mark}", "w"); if (file) fclose(file);\n'
                          "  return (1 - cos(x)) / (x * x); }\n")
        test, _ = self.hunt_into("t.c", "f.c", "--range", "x=1e-9:1e-7", "--evals", "500")
        self.assertGreater(self.count_in(test), 0)
        self.assertFalse(mark.exists())
        self.link(test, self.scratch / "f.c")()
        self.assertTrue(mark.exists(), "the test would see an escape")

    def test_without_google_test_the_file_is_written_and_says_so(self):
        self.write("f.c", CANCELS)
        self.write("none/gtest/gtest.h", "#error there is no GoogleTest\n")
        compiler = self.scratch / self.write("bin/clang++-19", f'#!/bin/sh\nexec {shutil.which("clang++-19")} -isystem {self.scratch}/none "$@"\n')
        compiler.chmod(0o755)
        test, run = self.hunt_into("t.cpp", "f.c", "--evals", "2000", PATH=f"{compiler.parent}:{os.environ['PATH']}")
        self.assertIn("not compiled and run", run.err)
        self.assertRegex(test.read_text(), r"// \d+ tests?, not compiled here: clang\+\+-19: .*there is no GoogleTest")
        self.assertIn("TEST(F, line2_cancellation) {", test.read_text())

    def test_a_report_whose_sources_are_gone_is_refused_with_a_hint(self):
        self.write("f.c", CANCELS)
        self.run_faultline("hunt", "f.c", "--evals", "500", "--quiet", "-o", "f.json", status=1)
        (self.scratch / "f.c").unlink()
        run = self.run_faultline("report", "f.json", "-o", "t.c", status=2)
        self.assertIn("f.c", run.err)
        self.assertFalse((self.scratch / "t.c").exists())


if __name__ == "__main__":
    unittest.main()
