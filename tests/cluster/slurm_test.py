"""A campaign on a Slurm cluster, disturbed: an array of 16 tasks, of which one is killed and one preempted, while one of two
nodes is drained for a while. It has to find what `run -j2` finds with the same evaluations. So has one within an allocation,
by `srun`.

    slurm_test.py          exit status 77: no cluster can be started here, and why
"""
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from slurm_cluster import CannotStart, SlurmCluster

ROOT = Path(__file__).resolve().parents[2]
FAULTLINE = os.environ.get("FAULTLINE", str(ROOT / "build/bin/faultline"))
SKIPPED = 77
TASKS, EVALUATIONS = 16, 30000

FORMULAS = ("1 - cos(x)", "sqrt(x * x + {k}) - x", "exp(x) - {k}", "log(1 + x / {k})", "x * x - {k} * x", "sin(x) / (x - {k})",
            "tan(x) - x", "pow(1 + x, {k}) - 1")


def source():
    functions = [f"double f{i}(double x) {{\n  return {FORMULAS[i % len(FORMULAS)].format(k=i + 1)};\n}}\n" for i in range(2 * TASKS)]
    return "#include <math.h>\n" + "".join(functions)


class Disturbed:
    def __init__(self, folder, cluster):
        self.folder, self.cluster = folder, cluster
        (folder / "formulas.c").write_text(source())

    def campaign(self, *words, check=True):
        done = subprocess.run([FAULTLINE, "campaign", *words], cwd=self.folder, env=self.cluster.environment, capture_output=True,
                              text=True, check=False, timeout=120)
        if check and done.returncode != 0:
            raise AssertionError(f"campaign {' '.join(words)}: {done.returncode}\n{done.stderr}")
        return done

    def found(self, name):
        self.campaign("report", name, "-o", f"{name}.json", check=False)
        report = json.loads((self.folder / f"{name}.json").read_text().replace(f"{name}.json", "FILE"))
        return {"problems": report["problems"],
                "targets": [(target["function"], target["evaluations"], target["findings"]) for target in report["targets"]]}

    def ask(self, name, question):
        store = sqlite3.connect(self.folder / name / "campaign.db")
        try:
            return store.execute(question).fetchall()
        finally:
            store.close()

    def wait_for(self, what, run, seconds=60):
        until = time.monotonic() + seconds
        while True:
            value = what()
            if value:
                return value
            if run.poll() is not None:
                raise AssertionError(f"the run has ended before: {run.stderr.read()}")
            if time.monotonic() > until:
                raise AssertionError(f"it does not happen; {self.cluster.ask('squeue')}")
            time.sleep(0.02)

    def running(self):
        """Tasks of the array, by index, with their nodes."""
        return dict(line.split() for line in self.cluster.ask("squeue", "--noheader", "--array", "--name=faultline", "--states=RUNNING",
                                                              "--format=%K %N").splitlines())

    def task_under_way(self, node):
        """The index and the process of a task on this node that has told a round, and has not ended."""
        running = self.running()
        for file in (self.folder / "slurm/shares").glob("*/job-*.results"):
            index, process = file.name[4:].split(".")[0], int(file.name.rsplit(".", 2)[1].split("-")[-2])
            text = file.read_text()
            if running.get(index) == node and '\n{"round"' in text and '\n{"end"' not in text and Path(f"/proc/{process}").exists():
                return index, process
        return None

    def disturb(self, run):
        killed, process = self.wait_for(lambda: self.task_under_way("n1"), run)
        os.kill(process, signal.SIGKILL)
        self.wait_for(lambda: killed not in self.running(), run)
        self.cluster.ask("scontrol", "update", "nodename=n1", "state=drain", "reason=test")
        _, process = self.wait_for(lambda: self.task_under_way("n2"), run)
        os.kill(process, signal.SIGSTOP)  # it is not to end before it is preempted
        self.cluster.ask("sbatch", "--partition=high", "--nodelist=n2", "--cpus-per-task=2", "--chdir=/", "--output=/dev/null",
                         "--wrap=sleep 2")
        self.wait_for(lambda: re.search(r"[Pp]reempted", self.cluster.log("slurmctld.log")), run)
        os.kill(process, signal.SIGCONT)
        self.cluster.ask("scontrol", "update", "nodename=n1", "state=resume")
        print(f"task {killed} was killed, n1 was drained, and on n2 tasks were preempted")

    def run(self):
        self.campaign("init", "here", "formulas.c")
        self.campaign("init", "slurm", "formulas.c")
        begin = time.monotonic()
        self.campaign("run", "here", "--evals", str(EVALUATIONS), "-j", "2", "-q")
        print(f"-j2: {time.monotonic() - begin:.1f} s")
        begin = time.monotonic()
        run = subprocess.Popen([FAULTLINE, "campaign", "run", "slurm", "--evals", str(EVALUATIONS), "--slurm", "--tasks", str(TASKS),
                                "--task-time", "5m"], cwd=self.folder, env=self.cluster.environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        try:
            self.disturb(run)
            while self.ask("slurm", "SELECT count(*) FROM jobs WHERE state = 'done'")[0][0] < 10:
                time.sleep(0.1)  # results come in while tasks run
            told = self.campaign("status", "slurm").stdout
            assert "a run is under way" in told, told
            out, err = run.communicate(timeout=90)
        finally:
            if run.poll() is None:
                run.terminate()
                run.wait(60)
        print(f"Slurm, disturbed: {time.monotonic() - begin:.1f} s\n{err}{out}")
        assert run.returncode == 0, run.returncode
        self.check()
        self.within_an_allocation()

    def within_an_allocation(self):
        """Two tasks, one on each node, which take jobs of the folder."""
        self.campaign("init", "allocated", "formulas.c")
        begin = time.monotonic()
        done = subprocess.run(["salloc", "--nodes=2", "--ntasks=2", FAULTLINE, "campaign", "run", "allocated", "--evals",
                               str(EVALUATIONS), "--slurm", "--tasks", "4"], cwd=self.folder, env=self.cluster.environment,
                              capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
        tasks = {file.name.split(".", 1)[1].rsplit("-", 1)[0] for file in (self.folder / "allocated/shares").glob("*/job-*.results")}
        print(f"srun: {time.monotonic() - begin:.1f} s, tasks {sorted(tasks)}")
        assert len(tasks) == 2, f"srun did not start one task for each that the allocation has: {tasks}"
        assert self.found("allocated") == self.found("here"), "the campaigns differ"

    def check(self):
        assert self.ask("slurm", "PRAGMA integrity_check") == [("ok",)]
        cut = [self.ask(name, "SELECT count(*) FROM jobs WHERE cut") for name in ("here", "slurm")]
        assert cut == [[(0,)], [(0,)]], f"the clock has ended jobs: {cut}"
        here, there = self.found("here"), self.found("slurm")
        assert len(here["problems"]) > 10, here["problems"]
        assert here == there, "the campaigns differ"
        left = self.cluster.ask("squeue", "--noheader", "--name=faultline")
        assert not left, left
        arrays = {file.name.split("_")[0] for file in (self.folder / "slurm/shares").glob("*/array-*.out")}
        assert len(arrays) >= 2, "what the killed task had was not handed out again"
        print(f"{len(here['problems'])} problems, the same; {len(arrays)} arrays")


def main():
    with tempfile.TemporaryDirectory(prefix="faultline-cluster-") as folder:
        (Path(folder) / "cluster").mkdir()
        (Path(folder) / "work").mkdir()
        try:
            with SlurmCluster(Path(folder) / "cluster") as cluster:
                try:
                    Disturbed(Path(folder) / "work", cluster).run()
                except Exception:
                    traceback.print_exc()
                    print(cluster.log("slurmctld.log")[-4000:], file=sys.stderr)
                    return 1
        except CannotStart as problem:
            print(f"skipped: no Slurm cluster can be started here: {problem}")
            return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
