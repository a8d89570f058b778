"""Compares what Faultline proves of generated programs with what brute force finds: runs of the compiled code at many inputs, and
exact arithmetic."""
import ctypes
import json
import os
import random
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from programs import HEADER, MARKS, program

try:
    import gmpy2
except ImportError:  # Debian's package, for an interpreter that is not Debian's
    sys.path.append("/usr/lib/python3/dist-packages")
    import gmpy2

from gmpy2 import mpfr

gmpy2.get_context().precision = 300
gmpy2.get_context().emax, gmpy2.get_context().emin = 1 << 30, -(1 << 30)

C_NUMBERS = {"d": ctypes.c_double, "f": ctypes.c_float, "i": ctypes.c_int}
SLACK = mpfr("1.000000000001")  # what printing digits may change


def truncated_quotient(a, b):
    return -(-a // b) if a < 0 else a // b


ARITHMETIC = {name: getattr(gmpy2, name) for name in
              "sin cos atan tanh cbrt exp log1p expm1 sqrt floor ceil trunc log erf asinh hypot atan2 fmod".split()}
ARITHMETIC.update(num=mpfr, copysign=gmpy2.copy_sign, tdiv=truncated_quotient)


def unit(value, type_):
    """The unit in the last place of a number of the format."""
    precision, least = (53, -1074) if type_ == "d" else (24, -149)
    return mpfr(2)**max(gmpy2.get_exp(value) - precision, least) if value else mpfr(2)**least


def bits_of(value, type_):
    """The place of a float on the number line."""
    bits, = struct.unpack("<q", struct.pack("<d", value)) if type_ == "d" else struct.unpack("<i", struct.pack("<f", value))
    return bits if bits >= 0 else -(bits & (2**63 - 1 if type_ == "d" else 2**31 - 1))


def float_at(place, type_):
    size = 63 if type_ == "d" else 31
    bits = place if place >= 0 else -place | 1 << size
    return struct.unpack("<d", struct.pack("<Q", bits))[0] if type_ == "d" else struct.unpack("<f", struct.pack("<I", bits))[0]


class Sampler:
    """Inputs of a program: ends of ranges, random numbers, and neighbours of the worst inputs so far."""

    def __init__(self, inputs, seed):
        self.inputs, self.r = inputs, random.Random(seed)

    def one(self, given):
        if given.type == "i":
            return self.r.randint(given.low, given.high)
        k, low, high = self.r.random(), given.low, given.high
        if k < 0.1:
            return self.r.choice([low, high])
        if k < 0.2:  # few bits
            value = low + (high - low) * self.r.randint(0, 16) / 16
        elif k < 0.6:
            value = self.r.uniform(low, high)
        else:
            return float_at(self.r.randint(bits_of(low, given.type), bits_of(high, given.type)), given.type)
        if given.type == "f":
            value, = struct.unpack("<f", struct.pack("<f", value))
        return min(max(value, low), high)

    def draw(self):
        return [self.one(given) for given in self.inputs]

    def near(self, values):
        values, k = list(values), self.r.randrange(len(values))
        given = self.inputs[k]
        if given.type == "i":
            values[k] = self.one(given)
        else:
            place = bits_of(values[k], given.type) + self.r.choice([-1, 1]) * int(2**self.r.uniform(0, 40 if given.type == "d" else 16))
            values[k] = min(max(float_at(place, given.type), given.low), given.high)
        return values


@dataclass
class Errors:
    absolute: object
    ulps: object
    relative: object
    counted: object  # relative; 0 if the absolute error is below the smallest normal number, which hunts do not count


@dataclass
class Worst:
    """The largest errors that brute force saw, with their inputs."""
    absolute: tuple = (mpfr(-1), None)
    ulps: tuple = (mpfr(-1), None)
    relative: tuple = (mpfr(-1), None)
    counted: tuple = (mpfr(-1), None)
    took: bytes = b""
    runs: int = 0


class Compiled:
    """Programs as machine code, compiled as the user would."""

    def __init__(self, programs, flags, folder):
        source, library = folder / "marked.c", folder / f"{programs[0].name}.so"  # loaded libraries are known by name
        source.write_text(HEADER + MARKS + "\n".join(each.marked for each in programs))
        # clang folds a * b + c of constants with one rounding, even for a processor that has no such instruction.
        unfused = [] if any(flag.startswith("-march") for flag in flags) else ["-ffp-contract=off"]
        subprocess.run(["clang-19", "-O2", "-w", *unfused, *flags, "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
        self.library = ctypes.CDLL(str(library))
        self.marks = self.library.faultline_took
        self.marks.restype = ctypes.POINTER(ctypes.c_ubyte * 128)
        library.unlink()

    def function(self, each):
        function = getattr(self.library, each.name)
        function.restype = C_NUMBERS[each.result]
        function.argtypes = [C_NUMBERS[given.type] for given in each.inputs]
        return function


class BruteForce:
    def __init__(self, each, compiled):
        self.program, self.native, self.marks = each, compiled.function(each), compiled.marks
        scope = dict(ARITHMETIC)
        exec(each.exact, scope)  # our own text
        self.exact = scope[each.name]

    def errors_at(self, values):
        """None where exact arithmetic has no result."""
        computed = self.native(*values)
        try:
            exact = self.exact(*(mpfr(value) if isinstance(value, float) else value for value in values))
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        exact = mpfr(exact)
        if not gmpy2.is_finite(exact):
            return None
        infinite = gmpy2.inf()
        if computed - computed != 0:
            return Errors(infinite, infinite, infinite, infinite)
        absolute = abs(mpfr(computed) - exact)
        relative = absolute / abs(exact) if exact else (infinite if absolute else mpfr(0))
        counts = absolute >= mpfr(2)**(-1022 if self.program.result == "d" else -126)
        return Errors(absolute, absolute / unit(exact, self.program.result), relative, relative if counts else mpfr(0))

    def search(self, count, seed, more=()):
        sampler, worst = Sampler(self.program.inputs, seed), Worst()
        marks = self.marks().contents
        ctypes.memset(marks, 0, 128)

        def consider(values):
            worst.runs += 1
            errors = self.errors_at(values)
            for measure in ("absolute", "ulps", "relative", "counted") if errors else ():
                if getattr(errors, measure) > getattr(worst, measure)[0]:
                    setattr(worst, measure, (getattr(errors, measure), list(values)))

        for values in more:
            consider(values)
        for _ in range(count):
            if self.program.bits:
                self.native(*sampler.draw())
            else:
                consider(sampler.draw())
        for measure in ("absolute", "relative"):
            for _ in range(count // 4):
                if getattr(worst, measure)[1] is not None:
                    consider(sampler.near(getattr(worst, measure)[1]))
        worst.took = bytes(marks)
        return worst


@dataclass
class Tally:
    programs: int = 0
    bounds: int = 0  # proven figures that were compared
    complete: int = 0  # programs with all figures
    hunts: int = 0  # outcomes `proved`
    infeasible: int = 0  # branch outcomes
    refused: dict = field(default_factory=dict)
    violations: list = field(default_factory=list)

    def add(self, other):
        for name in ("programs", "bounds", "complete", "hunts", "infeasible"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for reason, count in other.refused.items():
            self.refused[reason] = self.refused.get(reason, 0) + count
        self.violations += other.violations


class Comparison:
    """Compares the programs of one file."""

    def __init__(self, executable, seeds, flags, folder, samples=400, time="500ms"):
        self.executable, self.flags, self.folder, self.samples, self.time = executable, flags, folder, samples, time
        self.programs = [program(seed) for seed in seeds]
        self.tally = Tally(programs=len(self.programs))
        self.tail = ["--", *flags] if flags else []
        compiled = Compiled(self.programs, flags, folder)
        self.brute = {each.name: BruteForce(each, compiled) for each in self.programs}

    def faultline(self, *words):
        run = subprocess.run([self.executable, *words, "-q", "-o", "-", *self.tail], cwd=self.folder, capture_output=True, text=True,
                             check=False, env={**os.environ, "TMPDIR": str(self.folder)})
        if run.returncode in (0, 1, 4) and run.stdout:
            return json.loads(run.stdout)
        words = f"{words[0]} {words[1]}: {' '.join(run.stderr.split())[:300]}"
        if run.returncode >= 64 or run.returncode < 0:
            self.violation(None, f"exit status {run.returncode}: {words}")
        else:
            self.refuse(words)
        return None

    def refuse(self, reason):
        self.tally.refused[reason] = self.tally.refused.get(reason, 0) + 1

    def violation(self, each, text):
        self.tally.violations.append(f"{each.name if each else self.programs[0].name} {' '.join(self.flags)}: {text}")

    def compare(self):
        hunted = self.hunt()
        for each in self.programs:
            self.compare_one(each, hunted.get(each.name))
        return self.tally

    def hunt(self):
        (self.folder / "all.c").write_text(HEADER + "\n".join(each.c for each in self.programs))
        words = [word for each in self.programs for given in each.inputs for word in given.words]
        report = self.faultline("hunt", "all.c", "--evals", "200", "-j", "1", *words)
        return {target["function"]: target for target in report["targets"]} if report else {}

    def compare_one(self, each, hunted):
        name = f"{each.name}.c"
        (self.folder / name).write_text(HEADER + each.c)
        words = [name, "-f", each.name, *(word for given in each.inputs for word in given.words)]
        bound = self.faultline("bound", *words, "--time", self.time, "--ratio", "1000")
        output = bound["targets"][0]["outputs"][0] if bound and bound["targets"] and bound["targets"][0]["outputs"] else None
        inputs = [self.values(each, output[measure]["input"]) for measure in ("absolute", "ulps", "relative")
                  if output and output[measure].get("input")]
        worst = self.brute[each.name].search(self.samples, each.name, inputs)
        if output:
            self.compare_bound(each, output, worst)
            self.count_complete(output)
        if hunted:
            self.compare_hunt(each, hunted, worst)
        if "BRANCH(" in each.marked:
            cover = self.faultline("cover", *words, "--evals", "5000", "--budget", "1s")
            if cover:
                self.compare_cover(each, cover, worst)
        (self.folder / name).unlink()

    @staticmethod
    def values(each, given):
        return [float.fromhex(given[one.name]["hex"]) if one.type != "i" else
                int(given[one.name]["decimal"]) if one.name in given else one.low for one in each.inputs]

    def compare_bound(self, each, output, worst):
        for measure in ("absolute", "ulps", "relative"):
            proven, (seen, where) = output[measure].get("proven"), getattr(worst, measure)
            if proven is None:
                continue
            self.tally.bounds += 1
            if each.bits:
                continue
            if seen > mpfr(proven) * SLACK:
                self.violation(each, f"{measure} proven {proven:.6g}, seen {seen:.6g} at {where}")
            if output[measure].get("input"):
                at = self.brute[each.name].errors_at(self.values(each, output[measure]["input"]))
                found = mpfr(output[measure]["found"])
                if at and found > getattr(at, measure) * mpfr("1.000001") + mpfr("1e-330"):
                    self.violation(each, f"{measure} found {found:.6g}, in truth {getattr(at, measure):.6g} at {output[measure]['input']}")

    def count_complete(self, output):
        self.tally.complete += output["complete"]
        if not output["complete"]:
            reasons = [one["reason"] for one in output.get("open", [])] or ["no bound of a measure"]
            self.refuse("open: " + reasons[0])

    def compare_hunt(self, each, target, worst):
        proof = target.get("proof") or {}
        if target["outcome"] != "proved" or not proof.get("proved"):
            return
        self.tally.hunts += 1
        seen, where = worst.counted
        if not each.bits and seen > mpfr(proof["bound"]) * SLACK:
            self.violation(each, f"hunt proved {proof['measure']} {proof['bound']:.6g}, seen {seen:.6g} at {where}")

    def compare_cover(self, each, cover, worst):
        lines = (HEADER + each.marked).split("\n")
        for branch in cover["branches"]:
            if branch["standing"] != "infeasible" or "BRANCH(" not in lines[branch["line"] - 1]:
                continue
            if lines[branch["line"] - 1].count("?") or lines[branch["line"] - 1].strip().startswith("while"):
                continue  # several decisions
            self.tally.infeasible += 1
            number = int(lines[branch["line"] - 1].split("BRANCH(")[1].split(",")[0])
            self.check_outcome(each, branch, number, worst)

    def check_outcome(self, each, branch, number, worst):
        took = worst.took[2 * number], worst.took[2 * number + 1]  # false, true
        text = each.marked[each.marked.index(f"BRANCH({number}, "):].split("\n")[0]
        as_written = f" {branch['condition']} " in text  # the optimiser may turn a comparison around
        if took[branch["outcome"] == "true"] if as_written else all(took):
            self.violation(each, f"line {branch['line']}: outcome {branch['outcome']} of {branch['condition']} is called infeasible, but seen")
