"""The strategy ariadne: the examples of its paper, and exceptions that stand behind conditions which no sample fulfils."""
import re
import unittest

from faultline_case import ROOT, FaultlineCase

HIDDEN = ROOT / "examples/exceptions/hidden.c"
KINDS = {"overflow", "underflow", "invalid", "divide-by-zero"}


def marked_lines():
    """Function -> (line, kind), from the marks in the source."""
    marks, function = {}, None
    for number, line in enumerate(HIDDEN.read_text().splitlines(), 1):
        if head := re.match(r"(?:double|int) (\w+)\(", line):
            function = head.group(1)
        if mark := re.search(r"/\* (\S+) \*/$", line):
            marks[function] = (number, mark.group(1))
    return marks


class Ariadne(FaultlineCase):
    def hunt_exceptions(self, path, *words, status=None):
        return self.hunt_example(path, "--for", "exceptions", "--strategy", "ariadne", *words, status=status)

    def test_hidden_exceptions_are_found_at_their_lines(self):
        marks = marked_lines()
        self.assertGreaterEqual(len(marks), 20)
        run = self.hunt_exceptions("examples/exceptions/hidden.c", "--all")
        missed = [function for function, (line, kind) in marks.items()
                  if not any(f["kind"] == kind and f["cause"]["line"] == line for f in run.targets[function]["findings"])]
        self.assertEqual(missed, [])
        solvers = {f["found_by"] for f in run.findings}
        self.assertLessEqual({"sampling", "bracketing", "real", "interval"}, solvers)

    def test_what_random_search_finds_there_is_next_to_nothing(self):
        run = self.hunt_example("examples/exceptions/hidden.c", "--for", "exceptions", "--strategy", "random", "--all",
                                "--evals", 50000)
        found = [function for function, (line, kind) in marked_lines().items()
                 if any(f["kind"] == kind and f["cause"]["line"] == line for f in run.targets[function]["findings"])]
        self.assertEqual(found, [])

    def test_naive_averages_overflow_and_sterbenzs_does_not(self):
        targets = self.hunt_exceptions("examples/averages.c").targets
        for function in ("av1", "av3", "av4"):
            overflows = [f for f in targets[function]["findings"] if f["kind"] == "overflow"]
            self.assertTrue(overflows, function)
            self.assertTrue(all(f["verdict"] == "avoidable" for f in overflows), function)
        for function in ("av2", "average"):
            self.assertEqual([f["kind"] for f in targets[function]["findings"]], [], function)

    def test_the_asymptotic_series_raises_all_four(self):
        run = self.hunt_exceptions("examples/exceptions/bessel_asymptotic.c", "--all")
        self.assertEqual({f["kind"] for f in run.findings}, KINDS)

    def test_every_finding_replays_by_the_flags(self):
        for source in ("examples/exceptions/hidden.c", "examples/exceptions/bessel_asymptotic.c"):
            saved = self.scratch / "saved.json"
            run = self.run_faultline("hunt", source, "--for", "exceptions", "--all", "--quiet", "--fail-on", "note", "-o", saved, cwd=ROOT)
            self.assertEqual(run.status, 1)
            again = self.run_faultline("replay", saved, cwd=ROOT, status=0)
            self.assertRegex(again.out.splitlines()[-1], r"^[1-9]\d* reproduced, 0 not$")

    def test_the_default_strategy_finds_hidden_exceptions_too(self):
        run = self.hunt_example("examples/exceptions/hidden.c", "-f", "quintic_window", status=None)
        line, kind = marked_lines()["quintic_window"]
        self.assertTrue(any(f["kind"] == kind and f["cause"]["line"] == line for f in run.findings))

    def test_paths_are_followed_past_an_exception_if_asked_for(self):
        self.write("f.c", "#include <math.h>\n"
                          "double f(double x, double y) { double r = 1 / x; double p = y * y * y * y * y - y - 3.7;\n"
                          "  if (r > 1e308) if (fabs(p) < 1e-11) return sqrt(y - 2); return r; }\n")
        words = ("f.c", "--range", "x=0:0", "--for", "exceptions", "--strategy", "ariadne")
        for option, lines in (((), set()), (("--past-exceptions",), {3})):
            run = self.hunt(*words, *option, status=None)
            self.assertEqual({f["cause"]["line"] for f in run.findings if f["cause"]["operation"] == "sqrt"}, lines)


if __name__ == "__main__":
    unittest.main()
