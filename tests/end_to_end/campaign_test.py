"""Whole libraries: faultline campaign."""
import json
import random
import re
import resource
import signal
import sqlite3
import subprocess
import time
import unittest

from campaign_case import FUNCTIONS, NAPIER, QUICK, CampaignCase
from campaign_kills import KilledCampaign
from faultline_case import FAULTLINE, ROOT


class Campaign(CampaignCase):
    def test_a_campaign_finds_what_a_hunt_finds_and_its_report_replays(self):
        self.begin()
        self.run_it()
        found = self.found()
        self.assertTrue(any("remedy" in problem and "when" in problem for problem in found["problems"]), "not only what a first look tells")
        hunted = self.hunt("napier.c", "--evals", "1000", status=1).json
        places = lambda problems: {(problem["class"], problem["line"]) for problem in problems if problem["tier"] != "note"}
        self.assertLessEqual(places(hunted["problems"]), places(found["problems"]))
        self.assertIn("0 not\n", self.run_faultline("replay", "found.json", status=0).out)
        self.assertEqual(self.ask("SELECT DISTINCT cut FROM jobs"), [(0,)], "what is over in time is not told as cut")
        self.assertEqual(self.campaign("report", "c", "-q", status=1).out.count(" error: "), 1)

    def test_all_formats_of_reports_are_written_from_the_store(self):
        self.begin()
        self.run_it()
        self.campaign("report", "c", "-o", "r.html", "-o", "r.sarif", "-o", "r.xml", "-o", "r_test.c", "--no-plots", status=1)
        self.assertEqual(json.loads((self.scratch / "r.sarif").read_text())["version"], "2.1.0")
        self.assertIn("half_angle", (self.scratch / "r_test.c").read_text())

    def test_what_a_hunt_proves_a_campaign_proves_and_keeps(self):
        self.begin("c", "--range", "x=0:1")
        for evaluations in ("1500", "6000"):
            self.run_it("--evals", evaluations, "-q")
            self.campaign("report", "c", "-o", "r.json", status=1)
            targets = {target["function"]: target for target in json.loads((self.scratch / "r.json").read_text())["targets"]}
            self.assertEqual((targets["doubled"]["outcome"], targets["doubled"]["proof"]["proved"]), ("proved", True))
            self.assertFalse(targets["half_angle"]["proof"]["proved"])
            self.assertTrue(any("(proved)" in finding.get("when", "") for finding in targets["half_angle"]["findings"]))
        self.write("napier.c", NAPIER.replace("2 * x + 1", "(x + 1) - x"))
        self.run_it("--evals", "1500", "-q")
        self.campaign("report", "c", "-o", "r.json", status=1)
        changed = next(target for target in json.loads((self.scratch / "r.json").read_text())["targets"] if target["function"] == "doubled")
        self.assertNotEqual(changed.get("proof"), targets["doubled"]["proof"])

    def test_evaluations_are_counted_over_all_runs(self):
        self.begin()
        self.run_it("--evals", "1200", "-q")
        self.assertEqual([row[3] for row in self.ask(FUNCTIONS)], [1200, 1200])
        self.run_it("--evals", "4000", "-q")
        self.assertEqual([row[3] for row in self.ask(FUNCTIONS)], [4000, 4000])
        jobs = self.ask("SELECT count(*) FROM jobs")[0][0]
        self.run_it("--evals", "4000", "-q")
        self.assertEqual(self.ask("SELECT count(*) FROM jobs")[0][0], jobs)

    def test_the_same_is_found_with_one_worker_and_with_three(self):
        self.begin("one")
        self.begin("three")
        self.run_it("--evals", "3500", "-q", "-j", "1", folder="one")
        self.run_it("--evals", "3500", "-q", "-j", "3", folder="three")
        self.assertEqual(self.found("one"), self.found("three"))

    def test_nothing_is_lost_or_changed_by_kill_9(self):
        killed = KilledCampaign(self.scratch, ["examples/one_minus_cos.c", "examples/quadratic.cpp"], 4000,
                                environment=self.environment())
        seconds = killed.undisturbed("whole")
        killed.disturbed("killed", 6, min(seconds / 3, 1.5), random.Random(7))
        self.assertGreaterEqual(killed.kills["run"], 3)
        self.assertEqual(killed.found("killed"), killed.found("whole"))

    def test_ctrl_c_and_stop_end_a_run_and_the_next_goes_on(self):
        self.begin()
        for end in ("interrupt", "stop"):
            run = subprocess.Popen([FAULTLINE, "campaign", "run", "c", "--time", "60s", "-q"], cwd=self.scratch,
                                   env=self.environment(), stdout=subprocess.PIPE, text=True)
            time.sleep(1.5)
            refused = self.run_it("--time", "1s", status=2)
            self.assertIn(f"a run is under way, process {run.pid}", refused.err)
            self.assertIn("a run is under way", self.campaign("status", "c").out)
            if end == "interrupt":
                run.send_signal(signal.SIGINT)
            else:
                self.assertIn("has ended", self.campaign("stop", "c").out)
            self.assertEqual(run.wait(20), 4)
            run.stdout.close()
            self.assertEqual(self.ask("SELECT ending FROM runs ORDER BY id DESC LIMIT 1"), [("stopped",)])
            self.assertEqual(self.ask("SELECT count(*) FROM jobs WHERE state = 'running'"), [(0,)])
        self.assertIn("no run is under way", self.campaign("stop", "c").out)
        self.run_it("--time", "1s", "-q")

    def test_a_full_disk_is_told_and_the_next_run_goes_on(self):
        self.begin()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        done = subprocess.run([FAULTLINE, "campaign", "run", "c", *QUICK], cwd=self.scratch, env=self.environment(),
                              preexec_fn=limit, restore_signals=False, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("make room on the disk", done.stderr)
        self.assertEqual(self.ask("PRAGMA integrity_check"), [("ok",)])
        self.run_it()
        whole = self.found()
        self.begin("other")
        self.run_it(folder="other")
        self.assertEqual(whole, self.found("other"))

    def test_only_what_has_changed_is_hunted_in_anew(self):
        self.begin()
        self.run_it(*QUICK, "--commit", "first")
        before = dict((row[0], row[1:]) for row in self.ask("SELECT target, max(id), count(*) FROM jobs GROUP BY target"))
        self.write("napier.c", NAPIER.replace("2 * x + 1", "sqrt(x * x + 1) - 1"))
        run = self.run_it("--evals", "1500", "--commit", "second")
        self.assertIn("1 function changed: doubled\n", run.err)
        jobs = dict((row[0], row[1:]) for row in self.ask("SELECT target, max(id), count(*) FROM jobs GROUP BY target"))
        self.assertEqual(sum(jobs[target] != before[target] for target in before), 1)
        compared = self.campaign("compare", "c@first", "c", status=1).out
        self.assertRegex(compared, r"new +napier.c:6: error: cancellation in doubled")
        self.assertIn("unchanged napier.c:3: error: cancellation in half_angle", compared)
        self.campaign("compare", "c@second", "c", status=0)

    def test_what_is_repaired_is_told_as_fixed_and_what_moves_is_known_again(self):
        self.begin()
        self.run_it()
        first_seen = self.ask("SELECT DISTINCT first_run FROM findings")
        self.write("napier.c", "// a line more\n" + NAPIER)
        run = self.run_it("--evals", "1500")
        self.assertIn("2 functions the same at other lines", run.err)
        self.assertRegex(run.out, r"0 fixed, \d+ still there, 0 worse")
        self.assertIn(" 0 fixed, 0 gone with their functions", self.campaign("compare", "c@1", "c", status=0).out)
        self.assertEqual(self.ask("SELECT DISTINCT first_run FROM findings WHERE until_run IS NULL"), first_seen)
        lines = [problem["line"] for problem in self.found()["problems"] if problem["tier"] == "error"]
        self.assertEqual(lines, [4])
        self.write("napier.c", NAPIER.replace("1 - cos(x)", "2 * sin(x / 2) * sin(x / 2)"))
        self.assertNotIn(" 0 fixed", self.run_it("--evals", "1500").out)
        compared = self.campaign("compare", "c@1", "c", "-o", "-", status=0)
        self.assertEqual([problem["class"] for problem in compared.json["fixed"] if problem["tier"] == "error"], ["cancellation"])
        self.write("napier.c", NAPIER[:NAPIER.index("double doubled")])
        self.assertIn("1 function gone: doubled", self.run_it("--evals", "1500").err)

    def test_arrays_are_measured_once_for_each_version_of_a_function(self):
        dot = "double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n%s; ++i) s += a[i] * b[i]; return s; }\n"
        self.write("napier.c", NAPIER + dot % "")
        self.assertIn("3 functions (1 of them once their arrays are measured)", self.campaign("init", "c", "napier.c").out)
        self.run_it()
        self.assertEqual([row[0] for row in self.ask(FUNCTIONS)], ["dot", "doubled", "half_angle"])
        # What was measured is believed: a size that no run would tell.
        store = sqlite3.connect(self.scratch / "c" / "campaign.db")
        with store:
            store.execute("UPDATE extents SET found = replace(found, '\"extents\":[4]', '\"extents\":[7]')")
        store.close()
        self.run_it()
        self.assertIn("a: 7 elements", self.campaign("report", "c", status=None).out)
        self.write("napier.c", NAPIER + dot % " + 1")
        self.run_it()
        self.assertIn("a: 5 elements", self.campaign("report", "c", status=None).out)

    def test_findings_of_hunts_are_merged_once_and_tried_again(self):
        self.begin()
        self.run_it("--evals", "10", "-q")
        self.hunt("napier.c", "--seed", "5", status=1)
        self.run_faultline("hunt", "napier.c", "--seed", "5", "-q", "-o", "hunted.json", status=1)
        self.assertRegex(self.campaign("merge", "c", "hunted.json").out, r"^[1-9]\d* new finding")
        self.assertRegex(self.campaign("merge", "c", "hunted.json").out, r"^0 new findings")
        self.run_it("--evals", "10", "-q")
        self.assertEqual(self.ask("SELECT DISTINCT state FROM targets"), [("open",)])
        self.assertIn("cancellation", [problem["class"] for problem in self.found()["problems"]])

    def test_a_recorded_command_does_not_switch_the_sandbox_off(self):
        self.begin()
        store = sqlite3.connect(self.scratch / "c/campaign.db")
        for option in ("--unsafe-no-sandbox", "--allow-read=/", "--trust-flags"):
            with store:
                store.execute("UPDATE campaign SET value = ? WHERE key = 'command'", (json.dumps(["hunt", "napier.c", option]),))
            self.assertIn("is not an option of campaign init", self.run_it(status=2).err)
        store.close()

    def test_a_store_that_is_none_is_refused(self):
        self.begin()
        (self.scratch / "c/campaign.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
        self.assertIn("error: ", self.campaign("status", "c", status=2).err)
        self.write("other/campaign.db", "")
        store = sqlite3.connect(self.scratch / "other/campaign.db")
        store.execute("CREATE TABLE t (x)")
        store.commit()
        store.close()
        self.assertIn("not a campaign of Faultline", self.campaign("status", "other", status=2).err)
        self.assertIn("not a campaign (no campaign.db)", self.campaign("status", "nowhere", status=2).err)
        self.begin("later")
        store = sqlite3.connect(self.scratch / "later/campaign.db")
        store.execute("PRAGMA user_version = 99")
        store.close()
        self.assertIn("its schema is version 99", self.campaign("status", "later", status=2).err)

    def test_status_shows_the_curve_and_says_whether_more_time_pays(self):
        self.begin()
        self.run_it("--evals", "1000", "-q")
        self.assertIn("Too early to tell", self.campaign("status", "c").out)
        self.run_it("--evals", "8000", "-q")
        text = self.campaign("status", "c").out
        self.assertIn("2 functions, 2 looked at", text)
        self.assertRegex(text, r"\|.*#\n")
        self.assertRegex(text, r"More time is (un)?likely to find more: about \d+ more")

    def test_the_queries_in_the_documentation_can_be_asked(self):
        self.begin()
        self.run_it()
        queries = re.findall(r"```sql\n(SELECT.*?)```", (ROOT / "docs/campaigns.md").read_text(), re.S)
        self.assertGreaterEqual(len(queries), 4)
        for query in queries:
            self.assertTrue(self.ask(query), query)


if __name__ == "__main__":
    unittest.main()
