"""Campaigns on many machines: job files, tasks, and what becomes of their results."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from campaign_case import CampaignCase
from faultline_case import FAULTLINE

SOURCE = """#include <math.h>
double half_angle(double x) {
  return 1 - cos(x);
}
double doubled(double x) {
  return 2 * x + 1;
}
double shifted(double x) {
  return sqrt(x * x + 1) - 1; // faultline: ignore[cancellation] small x do not occur
}
double tail(double x) {
  return 1 - tanh(x);
}
"""
WORKER = f"{FAULTLINE} worker --share"


class CampaignShares(CampaignCase):
    def setUp(self):
        super().setUp()
        self.write("napier.c", SOURCE)

    def run_it(self, *words, folder="c", evals=4000, status=0, **more):
        return self.campaign("run", folder, "--evals", evals, *words, status=status, **more)

    def launch(self, launcher, *words, tasks=2, **more):
        return self.run_it("--launcher", launcher, "--tasks", tasks, "-j", "2", *words, **more)

    def begin_run(self, *words, folder="c"):
        return subprocess.Popen([FAULTLINE, "campaign", "run", folder, *words], cwd=self.scratch, env=self.environment(),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def found(self, folder="c"):
        self.campaign("report", folder, "-o", "found.json", status=None)
        report = json.loads((self.scratch / "found.json").read_text())
        return {"problems": report["problems"],
                "targets": [(t["function"], t["evaluations"], t["findings"]) for t in report["targets"]]}

    def found_here(self):
        """What this machine alone finds."""
        self.begin("here")
        self.run_it(folder="here")
        return self.found("here")

    def wait_for(self, what, seconds=30):
        until = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), until, "it does not happen")
            time.sleep(0.05)

    def job_file(self):
        """One that a run wrote which is over."""
        run = self.begin_run("--time", "60s", "--launcher", "sleep 60; : {job}", "--tasks", "1")
        self.wait_for(lambda: list((self.scratch / "c/shares").glob("*/job-0.json")))
        [job] = (self.scratch / "c/shares").glob("*/job-0.json")
        text = job.read_text()
        run.terminate()
        run.wait(60)
        run.stderr.close()
        return self.scratch / self.write("c/shares/9/job-0.json", text)

    def check_namespaces(self):
        hidden = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(self.scratch)]
        if subprocess.run(hidden, check=False, capture_output=True).returncode != 0:
            self.skipTest("no namespaces here, to hide sources in")

    def results(self, folder="c"):
        return sorted((self.scratch / folder / "shares").glob("*/*.results"))

    def test_tasks_find_what_this_machine_finds_one_a_job_file_or_all_from_the_folder(self):
        here = self.found_here()
        jobs = "SELECT target, round, arm, seed, made, news, new_problems FROM jobs ORDER BY target, round"
        for folder, launcher in (("each", f"{WORKER} {{job}}"), ("all", f"{WORKER} {{share}} -j 2")):
            self.begin(folder)
            self.launch(launcher, folder=folder)
            self.assertEqual(self.found(folder), here)
            self.assertEqual(self.ask(jobs, folder), self.ask(jobs, "here"))
            self.assertEqual(self.ask("PRAGMA integrity_check", folder), [("ok",)])

    def test_a_node_without_the_sources_changes_nothing(self):
        here = self.found_here()
        self.begin()
        kept = self.folder / "kept"
        kept.mkdir()
        self.write("hidden", f"""#!/bin/sh -e
mount --bind {self.scratch}/c {kept}
mount -t tmpfs none {self.scratch}
mkdir {self.scratch}/c
mount --bind {kept} {self.scratch}/c
cd /
exec "$@"
""")
        self.check_namespaces()
        self.launch(f"unshare -rm sh hidden {WORKER} {{job}}")
        self.assertEqual(self.found(), here)

    def test_what_a_lost_task_leaves_is_handed_out_again(self):
        here = self.found_here()
        self.begin()
        self.write("once", f"""#!/bin/sh
[ -e lost ] && exec {WORKER} $1
touch lost
{WORKER} $1 &
until grep -q '^{{"round"' ${{1%/*}}/*.results 2>/dev/null; do sleep 0.02; done
kill -9 $!
exit 1
""")
        (self.scratch / "once").chmod(0o755)
        self.launch("./once {job}", tasks=1)
        self.assertGreaterEqual(len(self.results()), 2, "nothing was lost")
        self.assertEqual(self.found(), here)

    def test_signals_of_a_batch_system_to_workers_say_nothing_about_the_code(self):
        here = self.found_here()
        self.begin()
        run = self.begin_run("--evals", "4000", "--launcher", f"{WORKER} {{job}}", "--tasks", "1")
        killed = 0
        while run.poll() is None:
            for file in self.results():
                task = file.name.split("-")[-2]
                try:
                    workers = Path(f"/proc/{task}/task/{task}/children").read_text().split()
                    if workers and killed < 6:
                        os.kill(int(workers[0]), signal.SIGTERM)
                        killed += 1
                except OSError:  # it has just ended
                    pass
            time.sleep(0.05)
        run.stderr.close()
        self.assertGreaterEqual(killed, 2)
        self.assertEqual(self.found(), here)

    def test_a_task_that_is_started_again_goes_on_where_it_was(self):
        here = self.found_here()
        self.begin()
        self.launch(f"{WORKER} {{job}}; {WORKER} {{job}}", tasks=1)
        rounds = [sum('"round"' in line[:10] for line in file.read_text().splitlines()) for file in self.results()]
        self.assertEqual(len(rounds), 2)
        self.assertIn(0, rounds, "the second task has carried rounds out again")
        self.assertEqual(self.found(), here)

    def test_ctrl_c_ends_tasks_keeps_what_they_found_and_a_run_without_them_goes_on(self):
        here = self.found_here()
        self.begin()
        run = self.begin_run("--evals", "4000", "--launcher", f"{WORKER} {{job}}", "--tasks", "4", "-j", "1")
        self.wait_for(lambda: self.ask("SELECT count(*) FROM jobs WHERE state = 'done'")[0][0] >= 2)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(30), 4)
        run.stderr.close()
        self.assertEqual(self.ask("SELECT ending FROM runs"), [("stopped",)])
        self.assertLess(self.ask("SELECT count(*) FROM jobs")[0][0], self.ask("SELECT count(*) FROM jobs", "here")[0][0])
        self.run_it()
        self.assertEqual(self.found(), here)

    def test_results_of_a_run_that_was_killed_are_merged_by_the_next_one(self):
        here = self.found_here()
        self.begin()
        run = self.begin_run("--evals", "4000", "--launcher", f"setsid {WORKER} {{job}}", "--tasks", "1", "-j", "1")
        self.wait_for(lambda: any(file.read_text().count('{"round"') >= 2 for file in self.results()))
        run.send_signal(signal.SIGKILL)
        run.wait()
        run.stderr.close()
        before = sum(file.read_text().count('{"round"') for file in self.results())
        merged = self.ask("SELECT count(*) FROM jobs WHERE state = 'done'")[0][0]
        self.run_it("-q")
        self.assertGreaterEqual(before, merged)
        self.assertEqual(self.found(), here)
        self.assertEqual(self.results(), [], "what is merged takes no more room")

    def test_sigterm_ends_a_task_at_once_and_its_file_says_so(self):
        self.begin()
        job = self.job_file()
        task = subprocess.Popen([FAULTLINE, "worker", "--share", str(job)], env=self.environment(), stderr=subprocess.DEVNULL)
        self.wait_for(lambda: any('{"round"' in file.read_text() for file in self.results()))
        begin = time.monotonic()
        task.terminate()
        self.assertEqual(task.wait(20), 4)
        self.assertLess(time.monotonic() - begin, 6)
        self.assertEqual(json.loads(self.results()[0].read_text().splitlines()[-1]), {"end": "stopped"})

    def test_result_files_from_elsewhere_are_merged_once_and_garbage_is_told(self):
        here = self.found_here()
        self.begin()
        self.begin("again")
        self.campaign("run", "again", "--evals", "4000", "--time", "1ms", "-q")  # functions are known, and nothing else
        self.launch(f"{WORKER} {{job}}")
        brought = self.scratch / "brought"
        brought.mkdir()
        for file in self.results():
            shutil.copy(file, brought)
        first = sorted(brought.iterdir())[0]
        whole = first.read_text()
        lines = whole.splitlines(keepends=True)
        first.write_text("".join(lines[:2]) + "no json\n" + '{"round": 7}\n' + lines[2][:100])
        merged = self.campaign("merge", "again", first)
        self.assertRegex(merged.out, "^1 new round, 0 known, 2 lines skipped")
        self.assertIn("is not JSON", merged.err)
        first.write_text(whole)  # from elsewhere in the file, lines make no sense, or were there
        for file in sorted(brought.iterdir()):
            shutil.copy(file, brought / f"copy-{file.name}")
            self.campaign("merge", "again", *sorted(brought.iterdir()))
        self.run_it(folder="again")
        self.assertEqual(self.found("again"), here)
        self.assertEqual(self.ask("SELECT sum(rounds) FROM targets", "again"), self.ask("SELECT sum(rounds) FROM targets"))
        other = self.campaign("init", "other", "napier.c", "--seed", "5") and self.run_it(folder="other", evals=1)
        self.assertRegex(self.campaign("merge", "other", *sorted(brought.iterdir())).out, "^0 new rounds")
        self.assertTrue(other)

    def test_launchers_that_cannot_work_are_told(self):
        self.begin()
        self.assertIn("neither {job} nor {share}", self.launch("true", status=2).err)
        self.assertIn("without having done anything", self.launch("echo no such node >&2; exit 1; : {job}", status=2).err)
        self.assertIn("no such node", self.launch("echo no such node >&2; exit 1; : {job}", status=2).err)
        self.assertIn("two ways", self.launch("true {job}", "--slurm", status=2).err)
        self.assertIn("--partition is for --slurm", self.run_it("--partition", "x", status=2).err)

    def test_what_slurm_refuses_is_told(self):
        self.begin()
        tools = self.scratch / "bin"
        tools.mkdir()
        for program in os.scandir("/usr/bin"):
            if program.name not in ("sbatch", "squeue", "scancel", "srun"):
                (tools / program.name).symlink_to(program.path)
        self.assertIn("no sbatch", self.run_it("--slurm", status=2, PATH=str(tools)).err)
        self.write("bin/sbatch", "#!/bin/sh\necho sbatch: error: invalid partition specified: x >&2\nexit 1\n")
        (tools / "sbatch").chmod(0o755)
        refused = self.run_it("--slurm", "--partition", "x", status=2, PATH=str(tools)).err
        self.assertIn("sbatch refused the array: sbatch: error: invalid partition specified: x", refused)
        self.write("bin/srun", "#!/bin/sh\nwhile [ $1 != worker ]; do last=$1; shift; done\nexec $last \"$@\"\n")
        (tools / "srun").chmod(0o755)
        self.run_it("--slurm", PATH=str(tools), SLURM_JOB_ID="7")  # within an allocation: by srun
        self.assertEqual(self.ask("SELECT min(granted) FROM targets"), [(4000,)])

    def test_the_store_can_stay_where_other_machines_do_not_see_it(self):
        here = self.found_here()
        self.begin()
        self.begin("other")
        self.launch(f"{WORKER} {{job}}", "--shared-folder", "seen")
        self.assertFalse((self.scratch / "c/shares").exists())
        self.assertEqual(self.found(), here)
        self.assertIn("is the shared folder of", self.launch(f"{WORKER} {{job}}", "--shared-folder", "seen", folder="other", status=2).err)

    def test_what_a_build_has_made_is_hunted_in_where_its_sources_are_not(self):
        self.write("lib.cpp", "#include <cmath>\n#include <vector>\ndouble spread(const std::vector<double>& v) {\n"
                   "  return std::sqrt(v[0] * v[0] + 1) - v[0];\n}\ndouble gap(double x) { return 1 - std::cos(x); }\n")
        subprocess.run([str(Path(FAULTLINE).parent / "faultline-c++"), "-O1", "-g", "-c", "lib.cpp"], cwd=self.scratch, check=True)
        for folder in ("here", "c"):
            self.campaign("init", folder, "lib.o", "--size", "v=2")
        self.run_it(folder="here", evals=1500)
        [functions] = self.ask("SELECT group_concat(function) FROM targets", "here")
        self.check_namespaces()
        self.launch(f"unshare -rm sh -c 'mount --bind /dev/null lib.cpp && exec \"$@\"' sh {WORKER} {{job}}", tasks=1, evals=1500)
        self.assertEqual(self.found(), self.found("here"))
        self.assertIn("spread", functions[0])

    def test_a_reference_is_found_wherever_a_task_begins(self):
        self.write("exact.c", "#include <math.h>\ndouble exact(double x) { return 2 * sin(x / 2) * sin(x / 2); }\n")
        self.campaign("init", "c", "napier.c", "-f", "half_angle", "--reference", "exact.c:exact")
        self.launch(f"cd / && {WORKER} {{job}}", evals=1000)
        self.assertEqual({finding["oracle"] for _, _, findings in self.found()["targets"] for finding in findings
                          if finding["kind"] == "inaccuracy"}, {"reference"})

    def test_relative_flags_are_taken_wherever_a_task_begins(self):
        self.write("near/own.h", "#define ONE 1.0\n")
        self.write("flags.c", '#include "own.h"\ndouble f(double x) { return (x + ONE) - x; }\n')
        self.campaign("init", "c", "flags.c", "--", "-Inear")
        self.launch(f"cd / && {WORKER} {{job}}", evals=500)
        self.assertEqual([function for function, evaluations, _ in self.found()["targets"] if evaluations], ["f"])

    def test_paths_are_quoted_for_the_shell(self):
        folder = "it's $(touch ran) here"
        self.begin(folder)
        self.launch(f"{WORKER} {{job}}", folder=folder)
        self.assertFalse((self.scratch / "ran").exists())
        self.assertEqual(self.ask("SELECT min(granted) FROM targets", folder), [(4000,)])

    def test_a_job_file_does_not_name_what_is_run(self):
        self.begin()
        job = self.job_file()
        whole = json.loads(job.read_text())
        for change, complaint in (({"program": "../../../../etc/passwd"}, "64 hexadecimal digits"),
                                  ({"program": "0" * 64}, "is not there"),
                                  ({"functions": [{}]}, "has no"),
                                  ({"flags": ["-fplugin=x.so"]}, "-fplugin"),
                                  ({"seconds": None}, "seconds"),
                                  ({"share": 2}, "reads 1")):
            job.write_text(json.dumps({**whole, **change}))
            refused = self.run_faultline("worker", "--share", job, status=2)
            self.assertIn(complaint, refused.err)
            self.assertIn('{"failed"', "".join(file.read_text() for file in self.results()))


if __name__ == "__main__":
    unittest.main()
