"""Pipes, terminals and signals."""
import json
import os
import pty
import signal
import subprocess
import time
import unittest

from faultline_case import FAULTLINE, ROOT, FaultlineCase

EXAMPLE = "examples/one_minus_cos.c"


class Terminal(FaultlineCase):
    def on_a_terminal(self, *words, **environment):
        try:
            ours, theirs = pty.openpty()
        except OSError:
            self.skipTest("no pseudo-terminals here")
        process = subprocess.Popen([FAULTLINE, *words], cwd=ROOT, env=self.environment(TERM="xterm", **environment), stdin=theirs,
                                   stdout=theirs, stderr=theirs)
        os.close(theirs)
        out = self.read_terminal(ours)
        process.wait(30)
        return out

    def test_piped_output_has_no_escape_codes(self):
        run = self.run_faultline("hunt", EXAMPLE, cwd=ROOT, status=1, TERM="xterm")
        self.assertNotIn("\x1b", run.out + run.err)
        run = self.run_faultline("explain", EXAMPLE, "-f", "one_minus_cos", "--at", "x=1e-7", cwd=ROOT, status=0, TERM="xterm")
        self.assertNotIn("\x1b", run.out + run.err)

    def test_no_color_is_obeyed_on_a_terminal(self):
        environment = {key: value for key, value in os.environ.items() if key == "NO_COLOR"}
        if not environment:
            self.assertRegex(self.on_a_terminal("hunt", EXAMPLE, "--quiet"), r"\x1b\[[0-9;]*m")
        self.assertNotRegex(self.on_a_terminal("hunt", EXAMPLE, "--quiet", NO_COLOR="1"), r"\x1b\[[0-9;]*m")

    def test_progress_goes_to_standard_error_only(self):
        self.write("slow.c", "#include <unistd.h>\ndouble slow(double x) { usleep(4000); return x + 1; }\n")
        run = self.run_faultline("hunt", "slow.c", "--for", "error", "--budget", "12s", "-o", "-", timeout=40)
        json.loads(run.out)
        self.assertIn("slow", run.err)

    def start_long_hunt(self):
        """One function that is done at once, one that takes its time; -j 1 keeps their order."""
        self.write("a.c", "#include <math.h>\ndouble quick(double x) { return 1 - cos(x); }\n")
        self.write("b.c", "#include <unistd.h>\ndouble slow(double x) { usleep(1000); return x + 1; }\n")
        process = subprocess.Popen([FAULTLINE, "hunt", "a.c", "b.c", "-j", "1", "--budget", "10m", "-o", "out.json"], cwd=self.scratch,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while "1 of 2 functions" not in process.stderr.readline():  # a line every few seconds
            self.assertIsNone(process.poll(), "it should be hunting")
        time.sleep(1)
        self.assertIsNone(process.poll(), "it should still be hunting")
        return process

    def check_interrupted(self, process):
        start = time.monotonic()
        _, err = process.communicate(timeout=30)
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(process.returncode, 1, err)
        targets = {target["function"]: target for target in json.loads((self.scratch / "out.json").read_text())["targets"]}
        self.assertEqual(targets["quick"]["outcome"], "found")
        self.assertTrue(targets["quick"]["findings"])
        self.assertEqual(targets["slow"]["outcome"], "interrupted")
        self.assertIn("interrupted", err)
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()), ["a.c", "b.c", "out.json"])

    def test_ctrl_c_ends_a_hunt_and_keeps_what_was_found(self):
        process = self.start_long_hunt()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the group
        self.check_interrupted(process)

    def test_ctrl_c_during_a_search_is_no_end_of_it(self):
        self.write("b.c", "#include <math.h>\n#include <unistd.h>\ndouble slow(double x) { usleep(200); return 1 - cos(x); }\n")
        process = subprocess.Popen([FAULTLINE, "hunt", "b.c", "--budget", "10m", "-o", "out.json"], cwd=self.scratch,
                                   env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while "slow" not in process.stderr.readline():  # the first sight of a finding
            self.assertIsNone(process.poll(), "it should be hunting")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        target = json.loads((self.scratch / "out.json").read_text())["targets"][0]
        self.assertEqual(target["outcome"], "interrupted", err)
        self.assertTrue(target["findings"])

    def test_sigterm_to_the_supervisor_alone_does_the_same(self):
        process = self.start_long_hunt()
        process.send_signal(signal.SIGTERM)
        self.check_interrupted(process)

    def test_killed_supervisor_leaves_no_worker(self):
        process = self.start_long_hunt()
        process.kill()
        process.communicate(timeout=30)
        self.assertEqual(self.processes(), [])
        for path in self.temporary.rglob("*"):  # no process can clean up after SIGKILL
            if path.is_file():
                path.unlink()
        for path in sorted(self.temporary.rglob("*"), reverse=True):
            path.rmdir()

    def test_closed_pipe_does_not_crash(self):
        for words in (["hunt", "examples/quadratic.cpp", "--quiet"], ["list", "examples/quadratic.cpp"],
                      ["hunt", "examples/quadratic.cpp", "--quiet", "-o", "-"]):
            with self.subTest(words):
                process = subprocess.Popen([FAULTLINE, *words], cwd=ROOT, env=self.environment(), stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True, restore_signals=True)
                process.stdout.close()
                err = process.stderr.read()
                process.stderr.close()
                self.assertIn(process.wait(30), (0, 1, 2, -signal.SIGPIPE), err)
                self.assertNotIn("internal error", err)

    def test_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            process = subprocess.run([FAULTLINE, "hunt", EXAMPLE, "--quiet", "-o", "-"], cwd=ROOT, env=self.environment(), stdout=full,
                                     stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(process.returncode, 2)
        self.assertIn("standard output cannot be written", process.stderr)


if __name__ == "__main__":
    unittest.main()
