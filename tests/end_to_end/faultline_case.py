"""A test of the executable: every run has a scratch folder and a $TMPDIR of its own, and whatever it was, it must leave no
process and no temporary file behind."""
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
import uuid
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULTLINE = os.environ.get("FAULTLINE", str(ROOT / "build/bin/faultline"))
ERRORS = ("inaccuracy", "branch-flip")
KEEPING = ("-o", "--corpus", "--write-jobs")  # options of hunts that write files
LARGEST_SCRATCH = 1_000_000  # bytes: with more, a hunt is not looked up


def long(method):
    """Marks a method that `make test` leaves out, and `make test-all` runs (run_module.py)."""
    method.long = True
    return method


@dataclass
class Run:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def targets(self):
        return {target["function"]: target for target in self.json["targets"]}

    @property
    def findings(self):
        return [finding for target in self.json["targets"] for finding in target["findings"]]

    def worst(self, function):
        """The largest rounding error that was found."""
        return next(finding for finding in self.targets[function]["findings"] if finding["kind"] in ERRORS)


def inputs_of(finding):
    return {name: float.fromhex(value["hex"]) for name, value in finding["input"].items()}


class FaultlineCase(unittest.TestCase):
    maxDiff = None
    prefix = ()  # of all commands
    shared_hunts = {}  # of this process: what a hunt has told, by its words and by all files of the scratch folder

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="faultline-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.scratch = self.folder / "scratch"
        self.temporary = self.folder / "tmp"
        self.scratch.mkdir()
        self.temporary.mkdir()
        self.own_hunts = set()  # the keys of this method's hunts
        self.mark = f"FAULTLINE_TEST={uuid.uuid4()}"

    def tearDown(self):
        self.assertEqual(self.processes(), [], "processes left behind")
        self.assertEqual(sorted(self.temporary.rglob("*")), [], "files left in $TMPDIR")

    def environment(self, **more):
        name, value = self.mark.split("=")
        return {**os.environ, "TMPDIR": str(self.temporary), "FAULTLINE_CACHE": "off", name: value, **more}

    def processes(self):
        """Those that we started and those that they started: the environment tells, or the folder, as workers have no
        environment."""
        for _ in range(20):  # a killed process needs a moment
            found = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit() and self.is_ours(entry)]
            if not found:
                break
            time.sleep(0.1)
        return found

    def is_ours(self, entry):
        """Compilers keep few variables, $TMPDIR among them."""
        try:
            environment = (entry / "environ").read_bytes()
            if (entry / "cwd").readlink().is_relative_to(self.folder):
                return True
        except OSError:
            return False
        return self.mark.encode() in environment or f"TMPDIR={self.temporary}".encode() in environment

    def write(self, name, text):
        path = self.scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def run_faultline(self, *words, cwd=None, status=None, timeout=90, **environment):
        command = [*self.prefix, FAULTLINE, *map(str, words)]
        done = subprocess.run(command, cwd=cwd or self.scratch, env=self.environment(**environment), capture_output=True,
                              text=True, timeout=timeout, check=False)
        run = Run(done.returncode, done.stdout, done.stderr)
        if status is not None:
            self.assertEqual(run.status, status, f"{' '.join(command)}\n{run.err}")
        return run

    @staticmethod
    def read_terminal(ours):
        """All that is written to the other end, until it is closed."""
        out = b""
        try:
            while block := os.read(ours, 65536):
                out += block
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        return out.decode()

    def hunt(self, *words, status=1, jobs=1, **more):
        """JSON on standard output, and status 1 whatever the tier of a problem; compiler flags, if any, stay last. One worker,
        as tests run in parallel. Methods share the same hunt in the same files; in one method, each hunt is run."""
        words = [str(word) for word in words]
        end = words.index("--") if "--" in words else len(words)
        single = ["-j", str(jobs)] if jobs and "-j" not in words[:end] else []
        command = ["hunt", *words[:end], *single, "--quiet", "--fail-on", "note", "-o", "-", *words[end:]]
        key = None if any(word in KEEPING for word in words[:end]) else self.hunt_key(command, more)
        run = self.shared_hunts.get(key) if key not in self.own_hunts else None
        if run is None:
            run = self.run_faultline(*command, **more)
        self.own_hunts.add(key)
        if key is not None:
            self.shared_hunts[key] = run
        if status is not None:
            self.assertEqual(run.status, status, f"{command}\n{run.err}")
        return run

    def hunt_key(self, command, more):
        files = [path for path in sorted(self.scratch.rglob("*")) if path.is_file()]
        if sum(path.stat().st_size for path in files) > LARGEST_SCRATCH:
            return None
        contents = tuple((str(path.relative_to(self.scratch)), path.read_bytes()) for path in files)
        return tuple(command), tuple(sorted((name, str(value)) for name, value in more.items())), contents

    def hunt_example(self, *words, **more):
        return self.hunt(*words, cwd=ROOT, **more)
