"""Test vectors: written by a hunt, read by vectors, and usable by others as Python, Boost tables and a C++ header."""
import csv
import re
import shutil
import subprocess
import unittest

from faultline_case import FaultlineCase

CODE = """#include <math.h>
double rise(double x) {
  if (x < 0)
    return %(negative)s;
  return (1 - cos(x)) / (x * x);
}
double half(double x, int n) { return n > 3 ? x * 0.5 : x * 0.25; }
"""
GOOD = CODE % {"negative": "-x"}
BAD = CODE % {"negative": "-x * 1.0000001"}


def rows_of(file):
    return list(csv.DictReader(line for line in file.read_text().splitlines() if not line.startswith("#")))


class Vectors(FaultlineCase):
    def write(self, name, text):
        file = self.scratch / name
        file.write_text(text)
        return file

    def hunted(self, *names, code=GOOD):
        source = self.write("subject.c", code)
        words = [word for name in names for word in ("-o", self.scratch / name)]
        self.run_faultline("hunt", source, "-q", "--evals", "2000", "--vectors", "20", *words, status=1)
        return source

    def test_vectors_show_problems_and_branches_and_fail_where_an_error_grew(self):
        source = self.hunted("v.csv")
        rows = rows_of(self.scratch / "v.csv")
        for function in ("rise", "half"):
            own = [row for row in rows if row["function"] == function]
            self.assertLessEqual(len(own), 20)
            self.assertGreater(len(own), 15)
            self.assertEqual(len({row["input"] for row in own}), len(own))
        self.assertIn(("rise", "problem", "cancellation"), {(row["function"], row["region"], row["class"]) for row in rows})
        signs = {row["input"].startswith("x=-") for row in rows if row["function"] == "rise"}
        self.assertEqual(signs, {True, False})
        remarks = (self.scratch / "v.csv").read_text().split("\nfunction,")[0]
        for function in ("rise", "half"):
            shown, known = re.search(rf"# {function}: .* (\d+) of (\d+) branch outcomes", remarks).groups()
            self.assertEqual((shown, known), ("2", "2"))
        good = self.run_faultline("vectors", self.scratch / "v.csv", source, status=0)
        self.assertIn(" 0 failed; 0 functions are missing\n", good.out)
        bad = self.run_faultline("vectors", self.scratch / "v.csv", self.write("bad.c", BAD), "-o", "-", status=1)
        failed = {function["function"]: function["failures"] for function in bad.json["functions"]}
        self.assertEqual(failed["half"], [])
        self.assertTrue(failed["rise"])
        for failure in failed["rise"]:
            self.assertLess(float.fromhex(failure["input"]["x"]["hex"]), 0)
        gone = self.run_faultline("vectors", self.scratch / "v.csv", self.write("less.c", GOOD.replace("half", "other")), status=3)
        self.assertIn("missing  half", gone.out)

    def test_outcomes_that_only_solvers_reach_are_shown(self):
        self.hunted("v.csv", code=CODE % {"negative": "x * -2.0 == 0x1.23456789abcdfp+5 ? 1 : -x"})
        covered = self.run_faultline("cover", self.scratch / "subject.c", "-f", "rise", "-o", "-", status=0).json["covered"]
        remarks = (self.scratch / "v.csv").read_text().split("\nfunction,")[0]
        self.assertIn(f" {covered} of {covered} branch outcomes", re.search("# rise: .*", remarks).group())
        self.assertEqual(covered, 4)

    def test_the_same_seed_gives_the_same_vectors(self):
        self.hunted("a.csv")
        self.hunted("b.csv")
        self.assertEqual((self.scratch / "a.csv").read_text(), (self.scratch / "b.csv").read_text())

    def test_tables_compile_and_say_the_same_as_the_csv(self):
        source = self.hunted("v.csv", "v.py", "v.ipp", "v.hpp")
        self.assertIn("C++17", (self.scratch / "v.hpp").read_text().split("\n")[0])
        known = [row for row in rows_of(self.scratch / "v.csv") if row["function"] == "rise" and row["reference"]]
        driver = self.write("driver.cpp", """#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
typedef double T;
#include "v.ipp"
#include "v.hpp"
extern "C" double rise(double);
int main() {
  for (const auto& row : rise_data()) std::printf("%a %a\\n", row[0], row[1]);
  for (const auto& v : faultline_vectors::rise::vectors)
    if (const double now = rise(double(v.input[0])), then = double(v.computed[0]); now != then && !(std::isnan(now) && std::isnan(then)))
      return 1;
}
""".replace("rise_data()", "::rise_vectors"))
        text = (self.scratch / "v.ipp").read_text()
        self.assertIn("rise = {{", text)
        (self.scratch / "v.ipp").write_text(text.replace("> rise = {{", "> rise_vectors = {{").replace("> half = {{", "> half_vectors = {{"))
        subprocess.run(["clang-19", "-O2", "-c", source, "-o", "subject.o"], cwd=self.scratch, check=True, env=self.environment())
        subprocess.run(["clang++-19", "-std=c++17", "-Wall", "-Werror", "-Wno-unused-const-variable", driver, "subject.o", "-lm",
                        "-o", "driver"], cwd=self.scratch, check=True, env=self.environment())
        shown = subprocess.run(["./driver"], cwd=self.scratch, capture_output=True, text=True, check=True).stdout.split("\n")
        pairs = [[float.fromhex(word) for word in line.split()] for line in shown if line]
        # as text: a NaN is not equal to itself
        self.assertEqual(str(pairs), str([[float.fromhex(row["input"][2:]), float.fromhex(row["reference"])] for row in known]))

    def test_the_python_file_runs_under_pytest(self):
        source = self.hunted("test_v.py")
        compile((self.scratch / "test_v.py").read_text(), "test_v.py", "exec")
        found = re.findall(r'^    \("(\w+)", "([\w -]+)", \["([^"]+)"\], "([^"]+)", ', (self.scratch / "test_v.py").read_text(), re.M)
        self.assertGreater(len(found), 15)
        pytest = shutil.which("pytest-3") or shutil.which("pytest")
        if not pytest:
            self.skipTest("pytest is not installed")
        for code, status in ((source, 0), (self.write("bad.c", BAD), 1)):
            subprocess.run(["clang-19", "-O2", "-shared", "-fPIC", code, "-lm", "-o", "libsubject.so"], cwd=self.scratch, check=True,
                           env=self.environment())
            done = subprocess.run([pytest, "-q", "-p", "no:cacheprovider", "test_v.py"], cwd=self.scratch, capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, status, done.stdout)

    def test_a_size_that_other_functions_have_loses_no_vectors(self):
        source = self.write("two.c", "double plain(double x) { return x * x - 1; }\n"
                                     "double sum(int n, const double *A) { double s = 0; for (int i = 0; i < n; i++) s += A[i]; return s; }\n")
        run = self.run_faultline("hunt", source, "-q", "--evals", "500", "--size", "A=2", "-o", self.scratch / "two.csv", status=None)
        self.assertNotIn("no test vectors", run.err)
        self.assertEqual({row["function"] for row in rows_of(self.scratch / "two.csv")}, {"plain", "sum"})

    def test_wrong_use_is_told(self):
        source = self.write("subject.c", GOOD)
        for words, told in ((("none.csv", source), "none.csv"), ((source, source), "there is no column 'function'"), ((), "no file of vectors")):
            self.assertIn(told, self.run_faultline("vectors", *words, status=2).err)
        self.write("own.py", "print('mine')\n")
        self.assertIn("own.py", self.run_faultline("hunt", source, "-o", self.scratch / "own.py", status=2).err)
        self.assertEqual((self.scratch / "own.py").read_text(), "print('mine')\n")


if __name__ == "__main__":
    unittest.main()
