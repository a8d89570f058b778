"""A whole program as the tasks of a job step: `srun -n2 faultline run` leaves a report of each task, and `faultline report`
makes one of them.

    slurm_run_test.py          exit status 77: no cluster can be started here, and why
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from slurm_cluster import CannotStart, SlurmCluster

ROOT = Path(__file__).resolve().parents[2]
FAULTLINE = os.environ.get("FAULTLINE", str(ROOT / "build/bin/faultline"))
SKIPPED = 77
PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double x = atoi(getenv("SLURM_PROCID")) == 1 ? 1e-9 : 1;
  printf("%g\n", 1.0 - cos(x));
  return 0;
}
"""


def run(folder, cluster):
    def do(*command):
        done = subprocess.run(command, cwd=folder, env={**cluster.environment, "XDG_CACHE_HOME": str(folder / "cache")},
                              capture_output=True, text=True, check=False, timeout=120)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    (folder / "app.c").write_text(PROGRAM)
    do(f"{FAULTLINE}-cc", "-O2", "app.c", "-o", "app", "-lm")
    do("srun", "-n2", FAULTLINE, "run", "-o", "run.json", "--", "./app")
    do(FAULTLINE, "report", "run.0.json", "run.1.json", "-o", "all.json")
    told = json.loads((folder / "all.json").read_text())
    assert [rank["rank"] for rank in told["run"]["ranks"]] == [0, 1], told["run"]
    assert [problem["ranks"] for problem in told["problems"] if problem["line"] == 7] == [[1]], told["problems"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        slurm = Path(folder) / "slurm"
        slurm.mkdir()
        try:
            with SlurmCluster(slurm) as cluster:
                run(Path(folder), cluster)
        except CannotStart as problem:
            print(f"skipped: {problem}")
            return SKIPPED
    print("each task has reported")
    return 0


if __name__ == "__main__":
    sys.exit(main())
