"""Code that aborts, exits, crashes, never ends, eats memory, prints, changes the rounding mode: the hunt goes on."""
import json
import unittest

from faultline_case import ROOT, FaultlineCase

EXPECTED = {  # function: kind and detail of what must be found, or None
    "aborts": ("crash", "called abort"),
    "allocates_forever": ("crash", "out of memory"),
    "exits": ("exception", "exit(0)"),
    "loops_forever": ("timeout", "timed out"),
    "prints_a_lot": None,
    "changes_rounding_mode": None,
    "segfaults": ("crash", "invalid memory access"),
    "overflows_stack": ("crash", "stack overflow"),
    "keeps_state": None,
}


class Hostile(FaultlineCase):
    def test_hunt_survives_every_hostile_function(self):
        run = self.run_faultline("hunt", ROOT / "examples/hostile", "-o", "-", status=1, timeout=110)
        targets = {target["function"]: target for target in json.loads(run.out)["targets"]}  # and nothing else is printed
        self.assertEqual(targets.keys(), EXPECTED.keys())
        for function, expected in EXPECTED.items():
            with self.subTest(function):
                target = targets[function]
                broken = [(f["kind"], f["detail"]) for f in target["findings"] if f["kind"] in ("crash", "timeout", "exception")]
                if function == "loops_forever":  # on a busy machine its supervisor may be first to lose patience
                    broken = [(kind, "timed out") for kind, detail in broken]
                self.assertEqual(broken, [expected] if expected else [])
                self.assertIn(target["outcome"], ("found", "crashed", "timed-out"))
                errors = [f for f in target["findings"] if f["kind"] in ("inaccuracy", "branch-flip", "underflow")]
                self.assertEqual(errors, [], "none of them computes anything inaccurate")
        self.assertNotIn("warning: step", run.err)
        self.assertEqual(sorted(self.scratch.iterdir()), [], "files left in the working directory")
        # tearDown: no process, no file in $TMPDIR

    def test_rounding_mode_of_the_code_does_not_spoil_the_next_function(self):
        after = self.write("after.c", "double third(double x) { return x / 3; }\n")
        alone = self.hunt(after, "--ulps", "0.75", "--evals", "20000", status=0)
        both = self.hunt(ROOT / "examples/hostile/rounding_mode.c", after, "--ulps", "1.01", "-j", "1", "--range", "x=1:2",
                         "--for", "error", "--evals", "20000", status=None)
        self.assertEqual(both.targets["third"]["outcome"], "proved")
        self.assertEqual(alone.targets["third"]["outcome"], "none")

    def test_crash_in_a_library_the_code_calls_is_survived(self):
        self.write("deep.c", "#include <string.h>\nstatic char* volatile nowhere;\n"
                             "double deep(double x) { if (x > 0) strcpy(nowhere, \"x\"); return x; }\n")
        run = self.hunt("deep.c", "--for", "crashes", "--evals", "100")
        self.assertEqual([f["kind"] for f in run.findings], ["crash"])

    def test_code_that_closes_descriptors_does_not_cut_the_line(self):
        self.write("closes.c", "#include <unistd.h>\n"
                               "double closes(double x) { for (int i = 0; i < 64; i++) close(i); return x * x + 1; }\n")
        run = self.hunt("closes.c", "--evals", "100", status=None)
        self.assertIn(run.status, (0, 1, 4))
        self.assertIn("closes", run.targets)

    def test_code_that_forks_leaves_no_process(self):
        self.write("forks.c", "#include <unistd.h>\n"
                              "double forks(double x) { if (fork() == 0) { pause(); } return x * x + 1; }\n")
        run = self.hunt("forks.c", "--evals", "5", status=None)
        self.assertIn(run.status, (0, 1, 4))

    READS = "#include <stdio.h>\ndouble reads(double x) { double c = 0; FILE* f = fopen(\"data/c.txt\", \"r\"); " \
            "if (f) { if (fscanf(f, \"%lf\", &c) != 1) c = 0; fclose(f); } printf(\"c is %g\\n\", c); return x * c; }\n"

    def test_code_reads_files_where_it_is_allowed_to_and_explain_shows_what_it_prints(self):
        self.write("reads.c", self.READS)
        self.write("data/c.txt", "7.5\n")
        words = ("explain", "reads.c", "-f", "reads", "--at", "x=2")
        self.assertIn("prints    c is 0\n", self.run_faultline(*words, status=0).out)
        self.assertIn("prints    c is 7.5\n", self.run_faultline(*words, "--allow-read", "data", status=0).out)
        missing = self.run_faultline(*words, "--allow-read", "nowhere", status=2)
        self.assertIn("--allow-read nowhere: there is no such file or folder", missing.err)

    def test_a_saved_command_does_not_switch_the_sandbox_off(self):
        made = self.scratch / "made"
        self.write("makes.c", "#include <stdio.h>\ndouble makes(double x) { FILE* f = fopen(\"made\", \"w\"); if (f) fclose(f); "
                              "return (x + 1) - x; }\n")
        run = self.run_faultline("hunt", "makes.c", "-q", "--unsafe-no-sandbox", "--evals", "200", "-o", "saved.json")
        self.assertIn("without a sandbox", run.err)
        self.assertTrue(made.exists(), "it was asked for")
        made.unlink()
        self.run_faultline("replay", "saved.json")
        self.assertFalse(made.exists())


if __name__ == "__main__":
    unittest.main()
