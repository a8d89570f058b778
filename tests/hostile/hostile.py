"""Attacks: one file each, hunted in beside an innocent function, in a namespace of its own.

    hostile.py FAULTLINE [FOLDER|ATTACK...] [--as USER] [--without seccomp|landlock]

Of every attack the same must hold: nothing is made, changed or read in the folder that it knows, the process that it knows
lives on, no process is left, the hunt ends in time, the innocent function has its finding. A comment at the top of the
attack says what becomes of itself:

    outcome: none|found           one of these; refused: there is no hunt, and the exit status is 3
    finding: KIND[: WORDS]        has a finding of this kind whose detail has these words
    alone                         static constructors are the file's, and so those of every function in it
    parallel                      runs while the innocent function runs
    memory: MIB                   the most that any process of the hunt may use
    never: PATTERN                no line of the hunt's messages matches it

No report has the value of an environment variable. A finding of a trap means that something was not refused. Without seccomp nothing may run at all: exit status 2, one line.
"""
import argparse
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUDGET = 0.5  # seconds
MOST_SECONDS = 2 * (2 * BUDGET + 1) + 6  # of two functions, one after the other; and compiling, on a busy machine
SECRET = "variable of the user"
VICTIMS = {"victim": "as it was\n", "secret": "nobody reads this\n"}

NAMESPACE = ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--pid", "--uts", "--ipc", "--fork",
             "--mount-proc", "--kill-child"]


def expectations(attack):
    found = re.findall(r"^(?://|!) (outcome|finding): (.*)$", attack.read_text(), re.M)
    said = dict(found)
    kind, _, words = said.get("finding", "").partition(": ")
    return said["outcome"].split("|"), kind, words


def has_mark(attack, word):
    return re.search(rf"^// {word}$", attack.read_text(), re.M) is not None


def is_alone(attack):
    return attack.suffix == ".f90" or has_mark(attack, "alone")


def most_memory(attack):
    limit = re.search(r"^// memory: (\d+)$", attack.read_text(), re.M)
    return int(limit[1]) if limit else float("inf")


class Playground:
    """A folder with files to harm, and a process."""

    def __init__(self, attack, user):
        self.folder = Path(tempfile.mkdtemp(prefix="faultline-hostile-"))
        self.place = self.folder / "place"
        (self.place / "folder").mkdir(parents=True)
        (self.folder / "tmp").mkdir()
        for name, text in VICTIMS.items():
            (self.place / name).write_text(text)
        for source in (attack, HERE / "innocent.c", HERE / "attack.h", *attack.parent.glob("*.h")):
            shutil.copy(source, self.folder)
        # The innocent one has its time, however busy the machine is.
        (self.folder / "faultline.toml").write_text(f'budget = "{BUDGET}s"\n[function.innocent]\nbudget = "10s"\n')
        if user:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, user.pw_uid, user.pw_gid)
        self.before = self.state()

    def state(self):
        return {str(path): (path.stat().st_mode, path.stat().st_mtime, path.read_text() if path.is_file() else "")
                for path in sorted(self.place.rglob("*"))}

    def damage(self):
        left = [str(path.relative_to(self.folder)) for path in (self.folder / "tmp").rglob("*")]
        left += [path.name for path in self.folder.iterdir() if path.name == "made"]
        return (["the folder has changed"] if self.state() != self.before else []) + \
               ([f"left behind: {left}"] if left else [])

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


# Inside of the namespace: starts the victim, hunts, and tells what is left. Its words: the report's file, then the command.
INSIDE = r"""
import json, os, resource, subprocess, sys, time
victim = subprocess.Popen(["sleep", "1000"])
command = [word.replace("@VICTIM@", str(victim.pid)) for word in sys.argv[2:]]
start = time.monotonic()
hunt = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
seconds = time.monotonic() - start
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
alive = victim.poll() is None
own = {1, os.getpid(), os.getppid(), victim.pid}
def others():
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in own]
for _ in range(20):
    left = others()
    if not left:
        break
    time.sleep(0.05)
victim.kill()
json.dump({"status": hunt.returncode, "out": hunt.stdout, "err": hunt.stderr[-2000:], "seconds": seconds, "alive": alive,
           "memory": memory, "left": len(left)}, open(sys.argv[1], "w"))
"""


class Attacks:
    def __init__(self, faultline, user, without):
        self.faultline, self.without = str(Path(faultline).resolve()), without
        self.user = pwd.getpwnam(user) if user else None
        self.helper = Path(tempfile.mkdtemp(prefix="faultline-without-"))
        self.helper.chmod(0o755)
        if without:
            subprocess.run(["clang-19", "-O1", "-o", self.helper / "without", HERE / "without.c"], check=True)

    def command(self, ground, attack, report):
        hunt = [self.faultline, "hunt", attack.name, "innocent.c", "-q", "-j", "1", "--corpus",
                "tmp/../corpus", "-o", "-", "--"]
        flags = ["-w", "-I.", f'-DPLACE="{ground.place}"', "-DVICTIM=@VICTIM@"]
        if is_alone(attack):
            hunt.remove("innocent.c")
        if has_mark(attack, "parallel"):
            hunt[2:4] = reversed(hunt[2:4])  # what runs first is there when the other one begins
            hunt[hunt.index("-j") + 1] = "2"
        if attack.suffix == ".f90":
            flags = []
        if self.without:
            hunt = [str(self.helper / "without"), self.without, *hunt]
        namespace = list(NAMESPACE)
        if self.user:
            namespace += ["setpriv", "--reuid", str(self.user.pw_uid), "--regid", str(self.user.pw_gid), "--clear-groups"]
        python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable  # that others can run, too
        return namespace + [python, "-c", INSIDE, str(report), *hunt, *flags]

    def run(self, attack):
        """What did not hold, as a list of sentences."""
        ground = Playground(attack, self.user)
        report = ground.folder / "report.json"
        try:
            environment = {**os.environ, "TMPDIR": str(ground.folder / "tmp"), "SECRET": SECRET}
            done = subprocess.run(self.command(ground, attack, report), cwd=ground.folder, env=environment,
                                  capture_output=True, text=True, timeout=120, check=False)
            if not report.exists():
                return [f"the namespace did not come to its end: status {done.returncode} {done.stderr[-400:]}"]
            seen = json.loads(report.read_text())
            return self.problems(attack, seen) + ground.damage()
        except subprocess.TimeoutExpired:
            return ["it never ended"]
        finally:
            ground.remove()

    def problems(self, attack, seen):
        problems = [] if seen["alive"] else ["the other process was killed"]
        if seen["left"]:
            problems.append(f"{seen['left']} processes are left")
        if seen["seconds"] > MOST_SECONDS:
            problems.append(f"{seen['seconds']:.1f} s")
        if seen["memory"] > most_memory(attack):
            problems.append(f"{seen['memory']:.0f} MiB")
        never = re.search(r"^// never: (.*)$", attack.read_text(), re.M)
        if never and re.search(never[1], seen["err"], re.M):
            problems.append(f"it says: {seen['err']}")
        if SECRET in seen["out"] + seen["err"]:
            problems.append("a variable of the environment is in the report")
        if self.without == "seccomp":
            if seen["status"] != 2 or "no sandbox" not in seen["err"] or "Traceback" in seen["err"]:
                problems.append(f"it ran, or did not say why not: status {seen['status']} {seen['err']}")
            return problems
        if seen["status"] == 3 and expectations(attack)[0] == ["refused"]:
            return problems
        if seen["status"] not in (0, 1, 4):
            return problems + [f"status {seen['status']}: {seen['err']}"]
        targets = {target["function"]: target for target in json.loads(seen["out"])["targets"]}
        return problems + self.wrong_results(attack, targets)

    def wrong_results(self, attack, targets):
        problems = []
        innocent = targets.get("innocent")
        if not is_alone(attack) and (not innocent or innocent["outcome"] != "found"):
            problems.append("the innocent function has lost its finding")
        elif innocent and {finding["kind"] for finding in innocent["findings"]} & {"crash", "exception", "timeout"}:
            problems.append("the innocent function has a finding of another one")
        own = next((target for name, target in targets.items() if "attack" in name), None)
        if not own:
            return problems + [f"no outcome: {list(targets)}"]
        outcomes, kind, words = expectations(attack)
        told = f"{own['outcome']}, {[(f['kind'], f.get('detail')) for f in own['findings']]}, {own.get('note')}"
        if own["outcome"] not in outcomes:
            problems.append(f"outcome {told}")
        if kind and not any(f["kind"] == kind and words in f.get("detail", "") for f in own["findings"]):
            problems.append(f"no such finding: {told}")
        if kind != "crash" and any("illegal" in f.get("detail", "") for f in own["findings"]):
            problems.append("something was not refused")
        if any(f.get("detail") == "made up" for f in own["findings"]):
            problems.append("what it made up is believed")
        return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("faultline")
    parser.add_argument("folders", nargs="*", help="or single attacks; all, unless some are named")
    parser.add_argument("--as", dest="user")
    parser.add_argument("--without", choices=("seccomp", "landlock"))
    parser.add_argument("--parallel", type=int, default=1)
    chosen = parser.parse_args()
    if subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode or \
            (chosen.user and os.geteuid() != 0):
        print("skipped: cannot make namespaces or change the user here")
        return 77
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    files = sorted(path for path in HERE.glob("*/*") if path.suffix in (".c", ".cpp", ".f90"))
    if chosen.folders:
        files = [path for path in files if {path.parent.name, path.stem} & set(chosen.folders)]
    attacks = Attacks(chosen.faultline, chosen.user, chosen.without)
    start, failed = time.monotonic(), 0
    with ThreadPoolExecutor(chosen.parallel) as pool:
        for path, problems in zip(files, pool.map(attacks.run, files)):
            failed += bool(problems)
            if problems:
                print(f"{path.relative_to(HERE)}: {'; '.join(problems)}")
    shutil.rmtree(attacks.helper)
    print(f"{len(files) - failed} of {len(files)} attacks held, in {time.monotonic() - start:.0f} s")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
