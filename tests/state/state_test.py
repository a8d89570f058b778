"""Hunts in functions whose state is behind a pointer, a reference or `this`, and in their fixed twins.

The line at fault of LANGUAGE/NAME.ENDING ends in a comment `FAULT`: an error must be there. Its twin NAME.fixed.ENDING must
have no error. In both, results must have been judged at everyday inputs.

usage: state_test.py FAULTLINE [NAME...]
"""
import json
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CPU_SECONDS = 60


def hunt(faultline, path):
    command = [faultline, "hunt", path.name, "--quiet", "--budget", "2s", "-o", "-"]
    run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=240, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}{run.stdout}")
    return json.loads(run.stdout)


def complaints(faultline, path):
    """What is wrong with the report of this file."""
    report = hunt(faultline, path)
    errors = {problem["line"] for problem in report["problems"] if problem["tier"] == "error"}
    fault = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith(" FAULT")]
    wrong = [f"{target['function']} was not judged" for target in report["targets"] if not target.get("judged")]
    if ".fixed." in path.name:
        return wrong + [f"an error at line {line}" for line in sorted(errors)]
    return wrong + [f"no error at line {line}" for line in fault if line not in errors] + ([] if fault else ["no fault"])


def main():
    faultline, names = sys.argv[1], sys.argv[2:]
    paths = [path for folder in ("c", "cpp", "fortran") for path in sorted((HERE / folder).iterdir())
             if not names or path.name.split(".")[0] in names]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: complaints(faultline, path), paths))
    for path, wrong in zip(paths, results):
        print(f"{path.relative_to(HERE)}: {'; '.join(wrong) or 'ok'}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"{sum(not wrong for wrong in results)} of {len(paths)} as they should be, {cpu:.0f} CPU-seconds")
    return 1 if any(results) or cpu > CPU_SECONDS else 0


if __name__ == "__main__":
    sys.exit(main())
