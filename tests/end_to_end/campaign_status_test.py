"""What faultline campaign tells of itself: status, once and in place, tables, and exit statuses."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from campaign_case import NAPIER, QUICK, CampaignCase
from faultline_case import FAULTLINE

# Its underflow does no harm: reports leave it out.
HARMLESS = "double harmless(double x) { return 1 + x * x; }\n"
LINE = r"\d+ of 2 functions looked at, \d+ jobs?, \d+ evaluations, \d+ errors?, \d+ warnings?\n"


class CampaignStatus(CampaignCase):
    def running(self, seconds="60s"):
        self.begin()
        self.run_it("--evals", "2000", "-q")
        run = subprocess.Popen([FAULTLINE, "campaign", "run", "c", "--time", seconds, "-q"], cwd=self.scratch, env=self.environment(),
                               stdout=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        for _ in range(100):
            if "a run is under way" in self.campaign("status", "c").out:
                return run
            time.sleep(0.1)
        self.fail("it should run")

    def test_status_and_report_count_the_same(self):
        self.write("napier.c", NAPIER + HARMLESS)
        self.begin()
        self.run_it("--evals", "4000", "-q")
        self.assertGreater(self.ask("SELECT sum(folded) FROM findings")[0][0], 0, "there is something to leave out")
        problems = self.found()["problems"]
        counts = [sum(problem["tier"] == tier for problem in problems) for tier in ("error", "warning", "note")]
        told = re.search(r"^(\d+) errors?, (\d+) warnings?, (\d+) notes?$", self.campaign("status", "c").out, re.M)
        self.assertEqual([int(count) for count in told.groups()], counts)

    def test_functions_without_findings_have_their_largest_error(self):
        self.begin()
        self.run_it()
        self.assertRegex(self.campaign("report", "c", status=1).out, r"\n  doubled +\d\.\d\de-\d+ +x=\S+ +\d\.\d\de-\d+ +none\n")
        error = "SELECT json_extract(largest, '$.error.relative') FROM targets WHERE function = 'doubled'"
        first = self.ask(error)[0][0]
        self.run_it("--evals", "6000", "-q")
        self.assertGreaterEqual(self.ask(error)[0][0], first, "the largest of all jobs")

    def on_a_terminal(self, *words, lines, columns):
        try:
            ours, theirs = pty.openpty()
        except OSError:
            self.skipTest("no pseudo-terminals here")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        process = subprocess.Popen([FAULTLINE, *words], cwd=self.scratch, env=self.environment(TERM="xterm", NO_COLOR="1"), stdin=theirs,
                                   stdout=theirs, stderr=theirs)
        os.close(theirs)
        return process, ours

    def read(self, ours):
        return self.read_terminal(ours).replace("\r\n", "\n")

    def test_watching_updates_in_place_until_the_run_ends(self):
        run = self.running()
        process, ours = self.on_a_terminal("campaign", "status", "c", "--watch", lines=24, columns=80)
        time.sleep(3)
        self.assertIsNone(process.poll(), "it watches while the run goes on")
        run.send_signal(signal.SIGINT)
        out = self.read(ours)
        self.assertEqual(process.wait(10), 0)
        views = re.split(r"\x1b\[(\d+)A\x1b\[J", out)
        self.assertGreaterEqual(len(views), 5, "shown several times")
        for view, back in zip(views[0::2], views[1::2]):
            self.assertEqual(view.count("\n"), int(back), "it goes back to its first line")
            self.assertLess(view.count("\n"), 24, "it fits the terminal")
            self.assertLessEqual(max(map(len, view.splitlines())), 80)
            self.assertIn("a run is under way", view)
            self.assertIn("errors and warnings over the time of all workers", view)
        self.assertNotIn("under way", views[-1], "how it stands at the end stays")

    def test_ctrl_c_ends_the_watching_and_not_the_run(self):
        run = self.running()
        process, ours = self.on_a_terminal("campaign", "status", "c", "--watch", lines=24, columns=80)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.read(ours)
        self.assertEqual(process.wait(10), 0)
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 4)

    def test_watching_prints_lines_where_there_is_no_terminal(self):
        run = self.running()
        process = subprocess.Popen([FAULTLINE, "campaign", "status", "c", "--watch", "-q"], cwd=self.scratch, env=self.environment(),
                                   stdout=subprocess.PIPE, text=True)
        self.assertRegex(process.stdout.readline(), LINE)
        run.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
        self.assertRegex(rest, f"^({LINE})+$")
        self.assertNotIn("\x1b", rest)

    def test_watching_ends_at_once_where_nothing_runs(self):
        self.begin()
        self.run_it()
        self.assertIn("2 functions, 2 looked at", self.campaign("status", "c", "--watch").out)

    def test_exit_statuses_are_those_of_the_help(self):
        self.begin()
        self.run_it(*QUICK)  # 0, and it found an error
        self.campaign("report", "c", "-q", status=1)
        self.campaign("report", "c", "-q", "--fail-on", "error", status=1)
        self.write("napier.c", NAPIER.replace("1 - cos(x)", "2 * sin(x / 2) * sin(x / 2)"))
        self.run_it(*QUICK)
        self.campaign("report", "c", "-q", "--fail-on", "error", status=0)
        self.campaign("compare", "c@1", "c", "-q", status=0)
        self.campaign("compare", "c", "c@1", "-q", "--fail-on", "error", status=1)
        told = " ".join(self.campaign("--help").out.split())
        self.assertIn("run has 0 when it ended as it was asked to, whatever it found, and 4 if it was stopped before", told)
        self.assertRegex(told, r"--fail-on TIER report, compare: what makes the exit status 1")

    def test_one_is_one(self):
        self.write("napier.c", NAPIER[:NAPIER.index("double doubled")])
        self.assertIn("c: 1 function;", self.campaign("init", "c", "napier.c").out)
        out = self.run_it("--evals", "500", "-q").out  # a look, and the diagnosis of what it found
        self.assertRegex(out, r"^1 error, \d+ warnings? in 1 function; 2 jobs in ")

    def test_q_is_quiet_everywhere(self):
        self.campaign("init", "c", "napier.c", "-q")
        self.run_it()
        self.assertEqual(self.ask("SELECT value FROM campaign WHERE key = 'command'"), [('["hunt","napier.c"]',)])
        self.assertRegex(self.campaign("status", "c", "-q").out, f"^{LINE}$")
        self.assertEqual(self.campaign("stop", "c", "-q").out, "")
        self.campaign("report", "c", "-o", "found.json", status=1)
        self.assertEqual(self.campaign("merge", "c", "found.json", "-q").out, "")
        self.assertRegex(self.run_faultline("replay", "found.json", "-q", status=0).out, r"^\d+ reproduced, 0 not\n$")
        self.assertIn("-q,--quiet", self.run_faultline("bench", "fpse", "--help", status=0).out)


if __name__ == "__main__":
    unittest.main()
