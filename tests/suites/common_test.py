"""What suites have in common: options, tables, reports; the exit statuses and messages of what goes wrong before a run."""
import contextlib
import io
import math
import os
import signal
import tempfile
import unittest
from pathlib import Path

from suite_case import ROOT
from suites import common
from suites.__main__ import SUITES, run
from suites.common import Option, Table, UserError

FORM = common.Form("faultline bench x", "Tests.", "Examples:", (
    common.function_option("this one"), common.SEED, common.jobs_option("at once"), common.QUIET,
    Option("--time", "TIME", "Search", "for each")), "DIR", "a folder")


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="faultline-test-")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = Path(folder.name)
        os.chdir(self.folder)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def refused(self, function, *arguments):
        with self.assertRaises(UserError) as error:
            function(*arguments)
        return error.exception.message


class Options(InAFolder):
    def test_values_are_read_in_every_form(self):
        values = common.parse(FORM, ["-f", "a", "--function=b", "-fc", "DIR", "-j4", "-q", "--time", "500ms"])
        self.assertEqual((values.values("function"), values.operand), (["a", "b", "c"], "DIR"))
        self.assertEqual((values.jobs(), values.quiet), (4, True))
        self.assertEqual((values.duration("time", 1), values.whole("seed", 1)), (0.5, 1))

    def test_wrong_usage_is_refused(self):
        for words, message in ((["--tim", "1"], "unknown option '--tim'"), (["a", "b"], "unexpected word 'b'"),
                               (["--seed"], "--seed: the value is missing"), (["--seed", "1", "--seed=2"], "--seed: given twice"),
                               (["--quiet=no"], "--quiet=no: takes no value"), (["--", "-O2"], "bench takes no compiler flags")):
            self.assertEqual(self.refused(common.parse, FORM, words), message)

    def test_numbers(self):
        self.assertEqual(common.whole("--n", "1e5"), 100_000)
        for text in ("1.5", "-1", "x", "100000.5e0", "1e300", "", "1_0"):
            self.refused(common.whole, "--n", text)
        self.refused(common.positive_whole, "--n", "0")
        self.assertEqual([common.duration("--t", text) for text in ("2m", "1min", "1.5h", "3", "1e-3s")], [120, 60, 5400, 3, 1e-3])
        for text in ("0s", "-1s", "1d", "s", "1e10s", "nan"):
            self.refused(common.duration, "--t", text)

    def test_help_has_every_option_with_its_default(self):
        text = FORM.help()
        self.assertRegex(text, r"\n  -f,--function NAME +this one; repeatable\n")
        self.assertRegex(text, r"\n  --seed N +of the random numbers \(default: 1\)\n")


class Running(InAFolder):
    def bench(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(self.folder / "faultline", ROOT, list(words))
        return status, out.getvalue(), err.getvalue()

    def test_help_is_a_result(self):
        for words in (["--help"], *([suite, "--help"] for suite in SUITES)):
            status, out, err = self.bench(*words)
            self.assertEqual((status, err), (0, ""), words)
            self.assertIn("Examples:", out)

    def test_what_cannot_be_run_is_refused(self):
        for words, message in (([], "no suite given"), (["gls"], "there is no suite 'gls'"),
                               (["gsl", "."], ".: there is no gsl.bc in this folder"),
                               (["gsl"], "neither gsl.bc nor scripts/fetch-subjects is here"),
                               (["gsl", "--strategy", "none", "--compare", "none"], "there is nothing to do"),
                               (["gsl", "--arguments", "2"], "--arguments 2: is not a number of arguments"),
                               (["gsl", "--compare", "random,random"], "--compare random,random: random is given twice"),
                               (["-q", "gsl", "-o", "x.txt"], "-o x.txt: the ending does not say what to write")):
            status, out, err = self.bench(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertTrue(err.startswith(f"faultline: error: {message}\n  try: "), err)

    def test_a_library_is_named_as_short_as_it_can_be(self):
        context = common.Context(self.folder / "faultline", ROOT)
        (self.folder / "build/subjects/gsl").mkdir(parents=True)
        (self.folder / "build/subjects/gsl/gsl.bc").touch()
        self.assertEqual(context.subject("gsl"), "build/subjects/gsl/gsl.bc")
        self.assertEqual(context.subject("gsl", str(self.folder / "build/subjects/gsl")), "build/subjects/gsl/gsl.bc")

    def program(self, text):
        path = self.folder / "faultline"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return common.Context(path, ROOT)

    def test_a_run_that_fails_says_why(self):
        with self.assertRaises(common.Failure) as failure:
            self.program("echo 'faultline: error: no' >&2; exit 3").run(["hunt"])
        self.assertEqual((failure.exception.text, failure.exception.status), ("faultline: error: no\n", 3))

    def test_input_and_output_pass_through(self):
        text = "x\n" * 100_000
        self.assertEqual(self.program("cat").run([], text=text), text)
        self.assertEqual(self.program("echo none").run([], text=text), "none\n")

    def test_ctrl_c_ends_a_run_once_and_keeps_what_it_found(self):
        context = self.program("trap 'echo found; exit 4' INT; kill -INT $PPID; while :; do sleep 0.05; done")
        self.assertEqual(context.run(["hunt"]), "found\n")
        self.assertTrue(context.interrupted)
        self.assertEqual(self.refused(context.run, ["hunt"]), "interrupted")
        context.faultline.write_text("#!/bin/sh\necho scored\n")
        self.assertEqual(context.run(["exact"], needed=True), "scored\n")

    def test_ctrl_c_before_there_is_a_result_is_no_internal_error(self):
        self.assertEqual(self.refused(self.program("kill -INT $PPID; exec sleep 10").run, ["list"]), "interrupted")


class Texts(InAFolder):
    def test_shortest_is_written_as_faultline_writes_it(self):
        for number, text in ((0, "0"), (-0.5, "-0.5"), (100, "100"), (1e5, "1e+05"), (0.001, "0.001"), (1e-4, "1e-04"),
                             (2.89e9, "2.89e+09"), (104077011310638080, "104077011310638080"), (123456.75, "123456.75"),
                             (1.5e-7, "1.5e-07"), (math.inf, "inf")):
            self.assertEqual(common.shortest(number), text)

    def test_columns_are_aligned_and_long_cells_shortened(self):
        table = Table(["name", ">count"], [["a", "1"], ["b" * 200, "10"], ["\033c", "100"]], widest=20)
        self.assertEqual(table.text().splitlines(),
                         ["  name                  count", "  a                         1", "  bbbbbbbbbbbbbbbbb...     10",
                          "  ?c                      100"])

    def test_csv_is_read_as_it_was_written(self):
        rows = [["plain", "", "1e-3"], ["a,b", 'say "x"', "two\nlines"]]
        Path("x.csv").write_text(common.csv_text(["a", "b", "c"], rows))
        self.assertEqual([list(row.values()) for row in common.read_csv("x.csv")], rows)

    def test_malformed_csv_is_an_error_that_says_where(self):
        for text, message in (("", "there are no titles"), ("a,b\n1,2\n3\n", "x.csv:3: 1 cells under 2 titles"),
                              ("a,b\n1,2,3\n", "x.csv:2: 3 cells under 2 titles"), ('a,b\n1,"2"3\n', "x.csv:2: ")):
            Path("x.csv").write_text(text)
            self.assertIn(message, self.refused(common.read_csv, "x.csv"))


class Reports(InAFolder):
    def test_a_file_is_written_whole_and_nothing_else_is_left(self):
        Path("link.csv").symlink_to("real.csv")
        report, = common.reports(["link.csv"])
        self.assertEqual(sorted(os.listdir()), ["link.csv"], "the test leaves nothing")
        report.write("a,b\n")
        self.assertEqual((Path("real.csv").read_text(), sorted(os.listdir())), ("a,b\n", ["link.csv", "real.csv"]))

    def test_files_that_cannot_be_written_are_refused_first(self):
        Path("folder.json").mkdir()
        self.assertIn("Is a directory", self.refused(common.reports, ["folder.json"]))
        self.assertIn("No such file", self.refused(common.reports, ["nowhere/x.csv"]))
        self.assertEqual(self.refused(common.reports, ["x.csv", "./x.csv"]), "-o ./x.csv: given twice")


if __name__ == "__main__":
    unittest.main()
