"""Kills a campaign's run, or one of its workers, at random moments, runs it again each time, and compares what it has found
in the end with an undisturbed one.

    campaign_kills.py [KILLS [SOURCE...]]      50 kills by default, of a campaign in examples/
"""
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULTLINE = os.environ.get("FAULTLINE", str(ROOT / "build/bin/faultline"))


class KilledCampaign:
    def __init__(self, folder, sources, evaluations, jobs=2, environment=None):
        self.folder, self.sources, self.jobs = Path(folder), [str(source) for source in sources], jobs
        self.evaluations, self.environment = evaluations, environment
        self.kills = {"run": 0, "worker": 0}

    def faultline(self, *words, check=True):
        return subprocess.run([FAULTLINE, "campaign", *words], cwd=ROOT, env=self.environment, capture_output=True, text=True,
                              check=check)

    def begin(self, name):
        self.faultline("init", str(self.folder / name), *self.sources)

    def command(self, name):
        return [FAULTLINE, "campaign", "run", str(self.folder / name), "--evals", str(self.evaluations), "-j", str(self.jobs), "-q"]

    def undisturbed(self, name):
        """Seconds that it took."""
        self.begin(name)
        begin = time.monotonic()
        subprocess.run(self.command(name), cwd=ROOT, env=self.environment, capture_output=True, check=True)
        return time.monotonic() - begin

    def disturbed(self, name, kills, seconds, rng):
        """With so many kills, if it does not come to its end before."""
        self.begin(name)
        for _ in range(kills):
            run = subprocess.Popen(self.command(name), cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, seconds))
            if rng.random() < 0.3:
                self.kill_worker(run.pid, rng)
                time.sleep(rng.uniform(0, seconds))
            if run.poll() is None:
                run.send_signal(signal.SIGKILL)
                self.kills["run"] += 1
            run.wait()
            self.check(name)
        subprocess.run(self.command(name), cwd=ROOT, env=self.environment, capture_output=True, check=True)
        self.check(name)

    def kill_worker(self, run, rng):
        try:
            workers = Path(f"/proc/{run}/task/{run}/children").read_text().split()
            if workers:
                os.kill(int(rng.choice(workers)), signal.SIGKILL)
                self.kills["worker"] += 1
        except OSError:  # it has just ended
            pass

    def check(self, name):
        store = sqlite3.connect(self.folder / name / "campaign.db")
        answer = store.execute("PRAGMA integrity_check").fetchone()[0]
        wrong = store.execute("PRAGMA foreign_key_check").fetchall()
        store.close()
        if answer != "ok" or wrong:
            raise AssertionError(f"{name}: {answer}, {wrong}")

    def found(self, name):
        """Problems and findings, all that does not depend on the clock."""
        report = self.folder / f"{name}.json"
        self.faultline("report", str(self.folder / name), "-o", str(report), check=False)
        whole = json.loads(report.read_text().replace(str(report), "FILE"))
        return {"problems": whole["problems"],
                "targets": [(target["function"], target["evaluations"], target["outcome"], target["findings"])
                            for target in whole["targets"]]}


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    sources = sys.argv[2:] or ["examples/averages.c", "examples/one_minus_cos.c", "examples/quadratic.cpp", "examples/summation.c"]
    with tempfile.TemporaryDirectory(prefix="faultline-kills-") as folder:
        campaign = KilledCampaign(folder, sources, evaluations=20000)
        seconds = campaign.undisturbed("undisturbed")
        wanted = campaign.found("undisturbed")
        campaign.disturbed("disturbed", kills, min(seconds / 4, 2.0), random.Random(1))
        same = campaign.found("disturbed") == wanted
        print(f"undisturbed {seconds:.1f} s; killed: {campaign.kills}; {len(wanted['problems'])} problems; "
              f"{'the same' if same else 'NOT the same'}; integrity_check ok each time")
        return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
