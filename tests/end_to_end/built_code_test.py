"""The machine code of the user's own build has the last word on what a hunt finds in its bitcode."""
import json
import os
import subprocess

from faultline_case import FAULTLINE, FaultlineCase

# Another compiler takes the other branch, which is right.
OTHER_BRANCH = """\
#include <math.h>
double sigmoid(double x) {
#if defined(__clang__)
  return exp(x) / (1 + exp(x));
#else
  return 1 / (1 + exp(-x));
#endif
}
"""
SAME = "#include <math.h>\ndouble versine(double x) {\n  return 1 - cos(x);\n}\n"
STATE = """\
static double scale = 3;
double scaled(double x) {
  scale += 1;
#if defined(__clang__)
  return (x + scale) - x;
#else
  return scale;
#endif
}
"""
CPP = """\
#include <cmath>
#include <vector>
double versine(std::vector<double> angles) {
  return 1 - std::cos(angles[0]);
}
static int users = 3;
struct User { User() { users += 1; } } user;
extern "C" double of_users(double x) {
#if defined(__clang__)
  return (x + users) - x;
#else
  return users;
#endif
}
"""
NATIVE = "the library as built by gcc "


class BuiltCode(FaultlineCase):
    def build(self, command, source, name="code.c"):
        self.write(name, source)
        environment = dict(os.environ, CC=FAULTLINE + "-cc", CXX=FAULTLINE + "-c++", FAULTLINE_CC="gcc", FAULTLINE_CXX="g++")
        subprocess.run(["bash", "-ec", command], cwd=self.scratch, check=True, env=environment, timeout=100)

    def problems(self, file, *words, status):
        run = self.run_faultline("hunt", file, "--evals", "2000", "--for", "error,exceptions", "-o", "-", *words, status=status)
        return run, json.loads(run.out)["problems"]

    def test_what_only_clang_compiles_is_a_note(self):
        self.build("$CC -O2 -c code.c", OTHER_BRANCH)
        _, problems = self.problems("code.o", status=0)
        nan = next(problem for problem in problems if "built" in problem)
        self.assertEqual(nan["tier"], "note")
        self.assertEqual(nan["built"], NATIVE + "returns 1; compiled by clang 19 it returns nan")
        self.assertNotIn("error", [problem["tier"] for problem in problems])

    def test_reports_name_both_results(self):
        self.build("$CC -O2 -c code.c", OTHER_BRANCH)
        run = self.run_faultline("hunt", "code.o", "--evals", "2000", "-o", "r.html", "-o", "r.sarif")
        self.assertIn(NATIVE, " ".join(run.out.split()))
        self.assertIn(NATIVE, (self.scratch / "r.html").read_text())
        results = json.loads((self.scratch / "r.sarif").read_text())["runs"][0]["results"]
        built = [result for result in results if "built" in result["properties"]]
        self.assertTrue(all(result["level"] == "note" and "he library as built by gcc returns 1" in result["message"]["text"]
                            for result in built) and built, results)

    def test_a_problem_of_both_compilers_counts(self):
        for command, file in (("$CC -O2 -c code.c", "code.o"), ("$CC -O2 -c code.c; ar rc lib.a code.o", "lib.a"),
                              ("$CC -O2 -shared -fPIC code.c -o lib.so -lm", "lib.so")):
            with self.subTest(file):
                self.build(command, SAME)
                run, problems = self.problems(file, status=1)
                self.assertEqual(problems[0]["tier"], "error")
                self.assertNotIn("built", problems[0])
                self.assertNotIn("not compared", run.out + run.err)

    def test_a_shared_library_is_loaded(self):
        self.build("$CC -O2 -shared -fPIC code.c -o lib.so -lm", OTHER_BRANCH)
        _, problems = self.problems("lib.so", status=0)
        self.assertIn(NATIVE, next(problem for problem in problems if "built" in problem)["built"])

    def test_each_call_begins_with_the_initial_variables(self):
        for command, file in (("$CC -O2 -c code.c", "code.o"), ("$CC -O2 -shared -fPIC code.c -o lib.so -lm", "lib.so")):
            with self.subTest(file):
                self.build(command, STATE)
                _, problems = self.problems(file, status=0)
                built = [problem["built"] for problem in problems if "built" in problem]
                self.assertTrue(built and all(words.startswith(NATIVE + "returns 4;") for words in built), built)

    def test_static_constructors_run(self):
        self.build("$CXX -O2 -c code.cpp", CPP, "code.cpp")
        _, problems = self.problems("code.o", "-f", "of_users", status=0)
        built = [problem["built"] for problem in problems if "built" in problem]
        self.assertTrue(built and all(words.startswith("the library as built by g++ returns 4;") for words in built), built)

    def test_what_cannot_be_called_is_named_once(self):
        self.build("$CXX -O2 -c code.cpp", CPP, "code.cpp")
        run = self.run_faultline("hunt", "code.o", "-f", "versine", "--size", "angles=1", "--evals", "2000", status=1)
        told = [line for line in (run.out + run.err).splitlines() if "not compared" in line]
        self.assertEqual(len(told), 1, run.out + run.err)
        self.assertIn("not compared with the library's own machine code: versine: it is called through a harness", told[0])

    def test_a_program_is_not_called(self):
        self.write("main.c", "double versine(double);\nint main(int n, char **v) { return versine(n) > 3; }\n")
        self.build("$CC -O2 code.c main.c -o app -lm", SAME)
        run, problems = self.problems("app", status=1)
        self.assertEqual(problems[0]["tier"], "error")
        self.assertIn("not compared with the library's own machine code: versine: ", run.out + run.err)
