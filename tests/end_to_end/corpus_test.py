"""Findings that are kept from hunt to hunt: --corpus DIR, and faultline replay DIR."""
import json
import signal
import subprocess
import unittest

from faultline_case import FAULTLINE, FaultlineCase

# Its error is found by the search with ease. The abort is at one input in 2^64, told by its bits: no search meets it.
SOURCE = """#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
double f(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (bits * 0x9e3779b97f4a7c15 == 0x3fc23456789abcdeu * 0x9e3779b97f4a7c15)
    abort();
  return 1 - cos(x);
}
"""
QUICK = ("--evals", "500")


class Corpus(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("f.c", SOURCE)

    def files(self):
        return {path.name: path.read_bytes() for path in (self.scratch / "kept").glob("*")}

    def keep_only(self, kind):
        for path in (self.scratch / "kept").iterdir():
            if json.loads(path.read_text())["targets"][0]["findings"][0]["kind"] != kind:
                path.unlink()

    def test_what_was_found_once_is_found_again_with_hardly_any_budget(self):
        first = self.hunt("f.c", *QUICK, "--corpus", "kept", status=1)
        self.assertEqual(len(self.files()), len(first.findings))
        again = self.hunt("f.c", "--evals", "1", "--seed", "9", "--corpus", "kept", status=1)
        kinds = lambda run: {(finding["kind"], finding["fingerprint"]) for finding in run.findings}
        self.assertLessEqual(kinds(first), kinds(again))
        worst = lambda run: run.findings[0]["error"]["relative"]
        self.assertEqual(worst(again), worst(first))

    def test_a_file_holds_one_finding_and_can_be_replayed_by_itself(self):
        self.hunt("f.c", *QUICK, "--corpus", "kept", status=1)
        for name in self.files():
            self.assertRegex(name, r"^f-[0-9a-f]{16}\.json$")
            run = self.run_faultline("replay", f"kept/{name}", status=0)
            self.assertTrue(run.out.endswith("1 reproduced, 0 not\n"), run.out)

    def test_replay_runs_all_that_a_corpus_has(self):
        self.write("g.f90", "function g(x) result(y)\n  real :: x, y\n  y = 1.0 - cos(x)\nend function\n")
        self.hunt("f.c", *QUICK, "--corpus", "kept", status=1)
        self.hunt("g.f90", *QUICK, "--corpus", "kept", status=1)
        run = self.run_faultline("replay", "kept", status=0)
        self.assertTrue(run.out.endswith(f"\n{len(self.files())} reproduced, 0 not\n"), run.out)
        self.assertIn(" in f:", run.out)
        self.assertIn(" in g:", run.out)
        # A source that is gone does not spoil the others.
        (self.scratch / "g.f90").unlink()
        run = self.run_faultline("replay", "kept", status=1)
        self.assertIn("reproduced     ", run.out)
        self.assertIn("not reproduced ", run.out)
        self.assertIn("g.f90", run.out)

    def test_the_same_hunt_leaves_the_same_files(self):
        for _ in range(2):
            self.hunt("f.c", *QUICK, "--corpus", "kept", status=1)
            self.run_faultline("replay", "kept", status=0)
        files = self.files()
        self.hunt("f.c", *QUICK, "--corpus", "kept", "-j", "2", status=1)
        strip = lambda all_files: {name: json.loads(text)["targets"] for name, text in all_files.items()}
        self.assertEqual(strip(self.files()), strip(files))

    def test_a_crash_that_no_search_meets_is_tried_again(self):
        self.hunt("f.c", "--hold", "x=0x1.23456789abcdep-3", "--corpus", "kept", status=1)
        crashes = lambda run: [finding for finding in run.findings if finding["kind"] == "crash"]
        self.assertEqual(len(crashes(self.hunt("f.c", *QUICK, status=1))), 0)
        again = crashes(self.hunt("f.c", *QUICK, "--corpus", "kept", status=1))
        self.assertEqual([crash["input"]["x"]["hex"] for crash in again], ["0x1.23456789abcdep-3"])
        self.assertEqual(crashes(self.hunt("f.c", *QUICK, "--corpus", "kept", "--range", "x=1:2", status=0)), [])

    def test_an_input_that_kills_the_worker_costs_nothing_else(self):
        self.write("f.c", SOURCE.replace("abort()", "for (;;) __asm__ volatile(\"mov $231, %eax; mov $9, %edi; syscall\")"))
        run = self.run_faultline("hunt", "f.c", "--hold", "x=0x1.23456789abcdep-3", "--corpus", "kept", "-o", "-")
        self.assertEqual([finding["kind"] for finding in run.findings], ["exception"], run.err)
        run = self.hunt("f.c", *QUICK, "--corpus", "kept", status=1)
        self.assertEqual({finding["kind"] for finding in run.findings} & {"exception", "inaccuracy"},
                         {"exception", "inaccuracy"})

    def test_what_is_repaired_is_told_and_stays(self):
        self.hunt("f.c", *QUICK, "--for", "error", "--corpus", "kept", status=1)
        before = self.files()
        self.write("f.c", SOURCE.replace("1 - cos(x)", "2 * sin(x / 2) * sin(x / 2)"))
        run = self.hunt("f.c", *QUICK, "--for", "error", "--corpus", "kept", status=0)
        for name in before:
            self.assertIn(f"kept/{name}: note: the inaccuracy in f no longer occurs", run.err)
        self.assertEqual(self.files(), before)
        # Of what was not looked for, nothing is said.
        run = self.hunt("f.c", *QUICK, "--for", "exceptions", "--corpus", "kept", status=0)
        self.assertNotIn("no longer occurs", run.err)

    def test_a_smaller_error_of_a_narrower_range_does_not_take_the_place_of_a_larger_one(self):
        self.hunt("f.c", *QUICK, "--for", "error", "--corpus", "kept", status=1)
        before = self.files()
        run = self.hunt("f.c", *QUICK, "--for", "error", "--range", "x=1e-6:1e-5", "--corpus", "kept", "--threshold", "1e-9",
                        status=1)
        self.assertNotIn("no longer occurs", run.err)
        self.assertEqual(self.files(), before)

    def test_suppressed_findings_are_not_kept(self):
        self.write("f.c", SOURCE.replace("cos(x);", "cos(x); // faultline: ignore x is above 0.1"))
        self.hunt("f.c", *QUICK, "--for", "error", "--corpus", "kept", status=0)
        self.assertEqual(self.files(), {})

    def test_the_configuration_may_name_it(self):
        self.write("faultline.toml", 'corpus = "kept"\nevals = 500\n')
        self.hunt("f.c", status=1)
        self.assertGreater(len(self.files()), 0)
        self.assertTrue(self.run_faultline("replay", "kept", status=0).out.endswith(" reproduced, 0 not\n"))

    def test_files_that_are_no_findings_and_folders_that_cannot_be_are_refused(self):
        self.write("plain", "")
        for folder, words in {"plain": "--corpus plain", "plain/below": "--corpus plain/below"}.items():
            run = self.run_faultline("hunt", "f.c", "--corpus", folder, status=2)
            self.assertIn(words, run.err)
        (self.scratch / "kept").mkdir()
        self.write("kept/notes.txt", "not ours, and no matter")
        self.assertEqual(self.run_faultline("replay", "kept", status=0).out, "0 reproduced, 0 not\n")
        self.write("kept/x.json", "{")
        for command in (("hunt", "f.c", "--corpus", "kept"), ("replay", "kept")):
            self.assertIn("kept/x.json", self.run_faultline(*command, status=2).err)
        self.write("kept/x.json", json.dumps({"faultline": "0.1.0", "schema": 1, "command": ["hunt", "f.c"], "seed": 1,
                                              "targets": []}))
        run = self.run_faultline("hunt", "f.c", "--corpus", "kept", status=2)
        self.assertIn("kept/x.json: is not a file of a corpus", run.err)

    def test_an_interrupted_hunt_has_kept_what_it_had_told(self):
        self.write("f.c", SOURCE + "double g(double x) { for (volatile double y = 1; y > 0; y += x * 0) ; return x; }\n")
        hunt = subprocess.Popen([FAULTLINE, "hunt", "f.c", "--corpus", "kept", "--budget", "60s", "-j", "1", "--for", "error"],
                                cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in hunt.stdout:
            if "replay" in line:
                break
        kept = self.files()
        hunt.send_signal(signal.SIGKILL)
        hunt.wait()
        hunt.stdout.close()
        self.assertGreater(len(kept), 0)
        self.assertIn("reproduced", self.run_faultline("replay", "kept", status=0).out)


if __name__ == "__main__":
    unittest.main()
