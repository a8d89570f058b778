"""Edits certificates, and looks whether `faultline check FILE SOURCE` accepts one whose claim is false.

Each edit changes one field. An accepted claim is compared with runs of the code and exact arithmetic at many inputs of the claimed
ranges and formats. The same seed gives the same edits.
"""
import copy
import json
import os
import random
import subprocess
from collections import Counter
from dataclasses import dataclass, field

from brute_force import C_NUMBERS, SLACK, Sampler, bits_of, float_at, gmpy2, mpfr, unit
from programs import Input, to_float

CODE = """#include <math.h>
double steps(double x) { if (x < 0.5) return x * 0.1; if (x > 0.75) return sin(x); return exp(x) - 1; }
double mixed(float x, double y) { return x * y + 0.1f; }
double rest(int n, float x) { return (n - x) * 0.1; }
double sum(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * 0.3; return s; }
float narrow(float x) { return x * x * 0.1f; }
double clamped(double x) { double y = x * 0.3; return y < 0.2 ? 0.2 : y; }
double ratio(double x, double y) { return (x - y) / (x + y); }
double tail(double x) { int k = (int)(x * 3); return k * 0.1 + x; }
"""
# Numbers instead of the array, for brute force.
CALLS = CODE + "double sum_of(double a, double b) { double v[2] = {a, b}; return sum(v, 2); }\n"

TENTH, SINGLE_TENTH = mpfr(0.1), mpfr(to_float(0.1))


def exact_steps(x):
    return x * TENTH if x < 0.5 else gmpy2.sin(x) if x > 0.75 else gmpy2.exp(x) - 1


@dataclass(frozen=True)
class Subject:
    """A function, how it is bounded, and what it is in exact arithmetic."""
    function: str
    words: tuple
    types: str  # of the inputs, as in programs.Input; then of the result
    exact: object
    native: str = ""


SUBJECTS = [
    Subject("steps", ("--range", "x=0.1:2"), "dd", exact_steps),
    Subject("mixed", ("--range", "x=1:2", "--range", "y=-1:1"), "fdd", lambda x, y: x * y + SINGLE_TENTH),
    Subject("rest", ("--range", "x=1:2", "--hold", "n=3"), "ifd", lambda n, x: (n - x) * TENTH),
    Subject("sum", ("--size", "a=2", "--range", "a=0:1"), "ddd", lambda a, b: (a + b) * mpfr(0.3), "sum_of"),
    Subject("narrow", ("--range", "x=1:4"), "ff", lambda x: x * x * SINGLE_TENTH),
    Subject("clamped", ("--range", "x=0:1"), "dd", lambda x: max(x * mpfr(0.3), mpfr(0.2))),
    Subject("ratio", ("--range", "x=1:2", "--range", "y=3:4", "--rounded-inputs"), "ddd", lambda x, y: (x - y) / (x + y)),
    Subject("ratio", ("--range", "x=1:2", "--range", "y=1:4", "--input-error", "x=1e-9", "--floor", "0.001"), "ddd",
            lambda x, y: (x - y) / (x + y)),
    Subject("tail", ("--range", "x=0.1:0.3"), "dd", lambda x: gmpy2.trunc(x * 3) * TENTH + x),
]
FORMATS = ["binary16", "binary32", "binary64", "extended80", "bfloat16"]
OPERATIONS = ["fadd", "fsub", "fmul", "fdiv", "fmin", "fmax", "sqrt", "fneg", "fabs", "fma", "sin", "exp", "cmp_olt", "cmp_oge", "to_int",
              "fpext", "fptrunc", "copysign"]


def changed_number(text, r):
    value = float.fromhex(text)
    return r.choice([value / 2, value * 2, value * 0.9, value * 1.1, -value, 0.0, value * 2**-20, value * 2**20, value + 1, value - 1,
                     float.fromhex("0x1p-60"), value * (1 + 2**-52), value * (1 - 2**-53)])


def hexadecimal(value):
    """As C's %a writes it."""
    mantissa, _, exponent = value.hex().partition("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def of_tree(node):
    """The number of a node of the tree as Python reads it: without 0x."""
    sign, digits = (node[0], node[1:]) if node[:1] in "+-" else ("", node)
    return float.fromhex(f"{sign}0x{digits}")


class Editor:
    def __init__(self, certificate, seed):
        self.r, self.c = random.Random(seed), certificate

    def edit(self, name):
        """The changed copy; None if the certificate has no such field."""
        changed = copy.deepcopy(self.c)
        scope, _, key = name.partition(".")
        try:
            {"input": self.edit_input, "output": self.edit_output, "path": self.edit_path, "tree": self.edit_tree,
             "whole": self.edit_whole}[scope](changed, key)
        except (IndexError, KeyError, ValueError):
            return None
        return changed if changed != self.c else None

    def edit_whole(self, c, key):
        r = self.r
        if key == "function":
            c[key] = r.choice([one.function for one in SUBJECTS])
        elif key == "file":
            c[key] = r.choice(["other.c", "", "calls.c"])
        elif key == "line":
            c[key] += r.choice([-1, 1, 5])
        elif key == "settings":
            c[key] = r.choice([[], ["--hold", f"n={r.randint(0, 9)}"], ["--size", f"a={r.randint(1, 4)}"], c[key][:-1] + ["n=4"],
                               ["--hold", f"x={r.randint(1, 2)}"], c[key] + ["--rounded-inputs"], c[key] + ["--output", "return"]])
        elif key == "floor":
            c[key] = r.choice(["0x1p-10", "0x1p+10", "0x0p+0", "0x1p-100", "-0x1p+0"])
        elif key == "complete":
            c[key] = not c[key]
        elif key == "reasons":
            c[key] = c[key] + ["not enough time"] if r.random() < 0.5 else c[key][:-1]
        elif key == "certificate":
            c[key] = r.choice([0, 2, 1.0, "1"])
        else:
            c[key] = r.choice(["0", "9.9.9", ""])

    def edit_input(self, c, key):
        one = self.r.choice(c["inputs"])
        if key in ("low", "high"):
            one[key] = hexadecimal(changed_number(one[key], self.r))
        elif key == "format":
            one[key] = self.r.choice(FORMATS)
        elif key == "name":
            one[key] = self.r.choice(["x", "y", "n", "a[0]", "a[1]", "z"])
        elif key == "rounded":
            one.pop("error", None)
            one[key] = not one.get(key, False)
        elif key == "error":
            one.pop("rounded", None)
            one[key] = self.r.choice(["0x0p+0", "0x1p-40", "0x1p-20", "-0x1p-40"]) if "error" not in one else hexadecimal(
                changed_number(one[key], self.r))
        else:
            c["inputs"] = self.r.choice([c["inputs"][:-1], c["inputs"] + c["inputs"][:1], c["inputs"][::-1]])

    def edit_output(self, c, key):
        one = self.r.choice(c["outputs"])
        if key == "format":
            one[key] = self.r.choice(FORMATS)
        elif key == "name":
            one[key] = self.r.choice(["return", "y", "result"])
        elif key == "count":
            c["outputs"] = self.r.choice([[], c["outputs"] * 2])
        else:
            one[key] = hexadecimal(changed_number(one[key], self.r))

    def edit_path(self, c, key):
        r, path = self.r, self.r.choice(c["paths"])
        step = r.choice(path["steps"])
        if key == "constant":
            k = r.randrange(len(path["constants"]))
            old = path["constants"][k]
            path["constants"][k] = hexadecimal(changed_number(old, r)) if r.random() < 0.8 else [old, old]
        elif key == "operation":
            step[0] = r.choice(OPERATIONS)
        elif key == "format":
            step[1] = r.choice(FORMATS)
        elif key == "operand":
            step[2][r.randrange(len(step[2]))] = r.randrange(len(c["inputs"]) + len(path["constants"]) + len(path["steps"]))
        elif key == "outcome":
            if len(step) > 3:
                step[3] = r.choice([1 - step[3], step[3] + 1])
            else:
                raise KeyError(key)
        elif key == "output":
            path["outputs"][0] = r.randrange(len(c["inputs"]) + len(path["constants"]) + len(path["steps"]))
        elif key == "step":
            k = r.randrange(len(path["steps"]))
            path["steps"][k:k + 1] = r.choice([[], [path["steps"][k]] * 2])
        else:
            c["paths"] = r.choice([c["paths"][:-1], c["paths"] * 2, c["paths"][::-1], [path]])

    def edit_tree(self, c, key):
        r, nodes = self.r, c["tree"].split(" ")
        kind = {"cut": ":", "input": ":", "bound": "=", "path": "=", "open": "?"}.get(key)
        places = [k for k, node in enumerate(nodes) if kind is None or (kind in node[:3] if kind == ":" else node[0] == kind)]
        k = r.choice(places)
        if key == "cut":
            number, at = nodes[k].split(":")
            nodes[k] = f"{number}:{hexadecimal(changed_number(hexadecimal(of_tree(at)), r)).replace('0x', '')}"
        elif key == "input":
            nodes[k] = f"{r.randrange(3)}:{nodes[k].split(':')[1]}"
        elif key == "path":
            nodes[k] = f"={r.randrange(4)},{nodes[k].split(',', 1)[1]}"
        elif key == "bound":
            parts = nodes[k].split(",")
            which = r.randrange(1, len(parts))
            parts[which] = r.choice(["0p0", "1p-60", hexadecimal(changed_number(hexadecimal(of_tree(parts[which])), r)).replace("0x", "")])
            nodes[k] = ",".join(parts)
        elif key == "open":
            nodes[k] = r.choice(["=0,0p0,0p0,0p0", f"?{r.randrange(3)}"])
        elif key == "kind":
            nodes[k] = r.choice(["?0", "=0,0p0,0p0,0p0", r.choice(nodes)])
        elif key == "lost":
            del nodes[k]
        else:
            nodes.insert(k, r.choice(nodes))
        c["tree"] = " ".join(nodes)


FIELDS = [f"whole.{key}" for key in ("function", "file", "line", "settings", "floor", "complete", "reasons", "certificate", "faultline")]
FIELDS += [f"input.{key}" for key in ("low", "high", "format", "name", "rounded", "error", "count")]
FIELDS += [f"output.{key}" for key in ("absolute", "ulps", "relative", "format", "name", "count")]
FIELDS += [f"path.{key}" for key in ("constant", "operation", "format", "operand", "outcome", "output", "step", "count")]
FIELDS += [f"tree.{key}" for key in ("cut", "input", "path", "bound", "open", "kind", "lost", "doubled")]


def float_inside(end, direction):
    """The nearest binary32 number that is not outside of this end."""
    nearest = to_float(end)
    return nearest if (nearest - end) * direction >= 0 else float_at(bits_of(nearest, "f") + direction, "f")


class Claim:
    """What a certificate claims, judged by brute force."""

    def __init__(self, certificate, library):
        self.c = certificate
        self.subject = next(one for one in SUBJECTS if one.function == certificate["function"])
        self.native = getattr(library, self.subject.native or self.subject.function)
        self.native.argtypes = [C_NUMBERS[type_] for type_ in self.subject.types[:-1]]
        self.native.restype = C_NUMBERS[self.subject.types[-1]]
        self.inputs = []
        for given, type_ in zip(certificate["inputs"], self.subject.types, strict=False):
            low, high = float.fromhex(given["low"]), float.fromhex(given["high"])
            kind = "i" if type_ == "i" else "f" if given["format"] in ("binary32", "binary16", "bfloat16") else type_
            if kind == "i":
                low, high = int(low), int(high)
            elif kind == "f":  # the floats between the ends
                low, high = float_inside(low, 1), float_inside(high, -1)
            self.inputs.append(Input(given["name"], kind, low, high))

    def covers(self, values):
        """False in an open box."""
        nodes = iter(self.c["tree"].split(" "))

        def skip():
            node = next(nodes)
            if ":" in node:
                skip()
                skip()

        for node in nodes:
            if ":" not in node:
                return node[0] == "="
            which, at = node.split(":")
            if values[int(which)] > of_tree(at):
                skip()
        return False

    def exact_inputs(self, values, r):
        exact = []
        for value, given, one in zip(values, self.c["inputs"], self.inputs, strict=True):
            value = mpfr(value) if one.type != "i" else value
            if given.get("rounded"):
                value += unit(value, one.type) * r.choice([-1, 0, 1]) / 2
            elif "error" in given:
                value += float.fromhex(given["error"]) * r.choice([-1, 0, 1])
            exact.append(value)
        return exact

    def refutation(self, seed, count=300):
        """A claim that brute force refutes, in words; empty if there is none."""
        if len(self.inputs) != len(self.subject.types) - 1 or any(one.low > one.high for one in self.inputs):
            return ""
        sampler, claims = Sampler(self.inputs, seed), self.c["outputs"][0]
        for _ in range(count):
            values = sampler.draw()
            if not self.covers(values):
                continue
            exact = self.subject.exact(*self.exact_inputs(values, sampler.r))
            error = abs(mpfr(self.native(*values)) - exact)
            least = max(abs(exact), float.fromhex(self.c["floor"]))
            sizes = {"absolute": error, "ulps": error / unit(exact, "f" if claims["format"] == "binary32" else "d"),
                     "relative": error / least if least else mpfr(0 if error == 0 else "inf")}
            for measure, size in sizes.items():
                if measure in claims and size > float.fromhex(claims[measure]) * SLACK:
                    return f"{measure} error {size:.4g} at {values}, claimed {float.fromhex(claims[measure]):.4g}"
        return ""


@dataclass
class Count:
    edits: Counter = field(default_factory=Counter)  # by field
    accepted: Counter = field(default_factory=Counter)
    false: list = field(default_factory=list)

    def text(self):
        return "\n".join([f"{sum(self.edits.values())} edits, {sum(self.accepted.values())} accepted, {len(self.false)} false claims",
                          *(f"{name:20} {self.edits[name]:5} edits {self.accepted[name]:5} accepted" for name in FIELDS), *self.false])


def prove(executable, folder):
    """The certificates of all subjects."""
    (folder / "code.c").write_text(CODE)
    certificates = []
    for k, subject in enumerate(SUBJECTS):
        run = subprocess.run([executable, "bound", "code.c", "-f", subject.function, *subject.words, "--time", "500ms", "-q", "-o",
                              f"{k}.proof.json"], cwd=folder, capture_output=True, text=True, check=False,
                             env={**os.environ, "TMPDIR": str(folder)})
        if run.returncode not in (0, 4):
            raise RuntimeError(run.stderr)
        certificates.append(json.loads((folder / f"{k}.proof.json").read_text()))
    return certificates


def edit_and_check(executable, folder, library, total, seed=1):
    """Edits each field equally often."""
    certificates, count, r = prove(executable, folder), Count(), random.Random(seed)
    while sum(count.edits.values()) < total:
        name = min(FIELDS, key=lambda one: count.edits[one])
        which = r.randrange(len(certificates))
        edited = Editor(certificates[which], r.random()).edit(name)
        if edited is None:
            if name == "tree.open" and r.random() < 0.05:  # rare: open boxes are in few certificates
                count.edits[name] += 1
            continue
        count.edits[name] += 1
        (folder / "edited.proof.json").write_text(json.dumps(edited))
        run = subprocess.run([executable, "check", "edited.proof.json", "code.c"], cwd=folder, capture_output=True, text=True, check=False,
                             env={**os.environ, "TMPDIR": str(folder)})
        if run.returncode in (0, 4):
            count.accepted[name] += 1
            if words := Claim(edited, library).refutation(sum(count.edits.values())):
                count.false.append(f"{name} of {SUBJECTS[which].function} {SUBJECTS[which].words}: {words}")
        elif run.returncode not in (1, 2, 3):
            count.false.append(f"{name} of {SUBJECTS[which].function}: exit status {run.returncode}: {run.stderr[:200]}")
    return count
