"""Exceptions: their names, whether they reach the output, how they are reported, and which are left out."""
import json
import unittest

from faultline_case import FaultlineCase

SOURCE = """#include <errno.h>
#include <math.h>
#include <stdlib.h>
double average(double x, double y) { return (x + y) / 2; }
double halves(double x, double y) { return x / 2 + y / 2; }
double sterbenz(double x, double y) { return (x < 0) != (y < 0) ? (x + y) / 2 : x < y ? x + (y - x) / 2 : y + (x - y) / 2; }
double logistic(double x) { return 1 / (1 + exp(-x)); }
double clamp(double x) { double q = x * x; return q > 1e300 ? 1e300 : q; }
double larger(double x) { double q = x * x; double d = q - 2 * q; return fmax(d, 3); }
double by_errno(double x) { if (x == 0) errno = EDOM; return 1 / x; }
double by_abort(double x) { double r = 1 / x; if (r > 1e308) abort(); return r; }
int by_status(double x, double *r) { *r = 1 / x; return x == 0; }
double harmless(double x) { return x * x + 1; }
double everything(double x) { double z = 1 / x; double n = sqrt(x); double o = x * 1e200; double u = o / x - x; return z + n + o + u; }
"""


class Exceptions(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("f.c", SOURCE)

    def found(self, function, *words, status=None):
        run = self.hunt("f.c", "-f", function, "--for", "exceptions", *words, status=status)
        return run.targets[function]

    def one(self, function, kind, *words):
        findings = [f for f in self.found(function, *words, status=None)["findings"] if f["kind"] == kind]
        self.assertEqual(len(findings), 1, findings)
        return findings[0]

    def test_lines_that_look_alike_are_told_apart(self):
        self.write("alike.c", "#include <math.h>\ndouble f(double a, double b) {\n  double p = sqrt(a * a + 1);\n"
                   "  double q = sqrt(b * b + 1);\n  return p / (p + q);\n}\n")
        found = self.hunt("alike.c", "--evals", "2000", status=None).json
        self.assertLessEqual({3, 4}, {problem["line"] for problem in found["problems"] if problem["class"] == "overflow"})

    def test_averages_overflow_underflow_or_do_neither(self):
        naive = self.one("average", "overflow")
        self.assertEqual((naive["verdict"], naive["silent"], naive["reaches_output"]), ("avoidable", True, True))
        self.assertEqual(naive["found_by"], "sampling")
        for function, kinds in {"halves": {"underflow"}, "sterbenz": set()}.items():
            target = self.found(function, "--all", status=0)
            self.assertEqual(target["outcome"], "none")
            self.assertLessEqual({f["kind"] for f in target["findings"]} - {"underflow"}, set())
            self.assertTrue(all(f["harmless"] for f in target["findings"]))
            if kinds:
                self.assertEqual({f["kind"] for f in target["findings"]}, kinds)

    def test_swallowed_exceptions_say_where(self):
        divided = self.one("logistic", "overflow")
        self.assertEqual(divided["swallowed_at"], {"file": "f.c", "line": 7, "operation": "fdiv"})
        self.assertIn("the infinity is divided into zero at f.c:7 and the result is finite", divided["detail"])
        compared = self.one("clamp", "overflow")
        self.assertFalse(compared["reaches_output"])
        self.assertIn("goes no further than the comparison at f.c:8", compared["detail"])
        dropped = self.one("larger", "invalid")
        self.assertTrue(dropped["consequence"])
        self.assertIn("fmax drops the NaN at f.c:9", dropped["detail"])
        self.assertIn("follows from the overflow of", dropped["detail"])

    def test_status_tells_reported_from_silent_exceptions(self):
        told = self.one("by_status", "divide-by-zero", "--status", "return=0")
        self.assertEqual((told["silent"], told["reported_by"]), (False, "status"))
        self.assertTrue(self.one("by_status", "overflow", "--status", "return")["silent"])
        untold = self.found("by_status")
        self.assertTrue(all(f["silent"] for f in untold["findings"]))
        self.assertIn("--status return=0", untold["note"])
        self.assertNotIn("note", self.found("by_status", "--status", "return=0"))

    def test_status_must_be_an_output(self):
        run = self.run_faultline("hunt", "f.c", "--status", "reutrn=0", status=2)
        self.assertIn("there is no output of that name", run.err)
        self.run_faultline("hunt", "f.c", "--status", "return=zero", status=2)

    def test_errno_and_abort_are_reports(self):
        self.assertEqual(self.one("by_errno", "divide-by-zero")["reported_by"], "errno")
        self.assertTrue(self.one("by_errno", "overflow")["silent"])
        self.assertTrue(self.one("logistic", "overflow")["silent"])
        target = self.found("by_abort", "--range", "x=0:1")
        ended = next(f for f in target["findings"] if f["kind"] == "divide-by-zero")
        self.assertEqual(ended["reported_by"], "abort")
        self.assertIn("called abort", ended["detail"])

    def test_harmless_underflows_are_folded_unless_asked_for(self):
        folded = self.found("harmless", "--range", "x=-1:1", status=0)
        self.assertEqual((folded["outcome"], folded["findings"], folded["folded"]), ("none", [], 1))
        shown = self.found("harmless", "--range", "x=-1:1", "--all", status=0)
        self.assertEqual(shown["outcome"], "none")
        self.assertNotIn("folded", shown)
        (finding,) = shown["findings"]
        self.assertTrue(finding["harmless"])
        self.assertIn("right all the same", finding["detail"])
        words = ("hunt", "f.c", "-f", "harmless", "--range", "x=-1:1")
        self.assertIn("1 exception after which the result is right is not shown; --all shows it",
                      self.run_faultline(*words, status=0).out)

    def test_worst_comes_first(self):
        order = ["divide-by-zero", "invalid", "overflow", "underflow"]
        kinds = [f["kind"] for f in self.found("everything", "--all")["findings"]]
        self.assertGreater(len(set(kinds)), 2)
        self.assertEqual([k for k in kinds if k in order[2:]], sorted((k for k in kinds if k in order[2:]), key=order.index))
        self.assertIn(kinds[0], order[:2])
        told = self.found("by_errno")["findings"]
        self.assertEqual([f["silent"] for f in told if f["kind"] == "overflow"], [True])

    def test_saved_exceptions_are_seen_again_in_the_hardware_flags(self):
        self.run_faultline("hunt", "f.c", "--for", "exceptions", "--all", "--status", "return=0", "--quiet", "--fail-on", "note", "-o", "f.json", status=1)
        count = sum(len(target["findings"]) for target in json.loads((self.scratch / "f.json").read_text())["targets"])
        self.assertGreater(count, 15)
        lines = self.run_faultline("replay", "f.json", status=0).out.splitlines()
        self.assertEqual(lines[-1], f"{count} reproduced, 0 not")
        self.assertTrue(all("seen in the hardware flags" in line for line in lines[:-1]), lines)

    def test_exception_at_another_place_is_not_reproduced(self):
        self.run_faultline("hunt", "f.c", "-f", "average", "--for", "exceptions", "--quiet", "--fail-on", "note", "-o", "f.json", status=1)
        report = json.loads((self.scratch / "f.json").read_text())
        report["targets"][0]["findings"][0]["cause"]["operation"] = "fmul"
        (self.scratch / "f.json").write_text(json.dumps(report))
        self.assertEqual(self.run_faultline("replay", "f.json", status=1).out.splitlines()[-1], "0 reproduced, 1 not")


if __name__ == "__main__":
    unittest.main()
