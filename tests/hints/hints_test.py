"""Applies the hints of hunts in seeded bugs and examples to their sources, and compares old and new code.

Each hint that says "write A for B" is applied where B stands in the source (or as PATCHES spells it out, where B is
spread over statements), each "compute in long double" by the type. Old code, new code and the old code in numbers
of many bits (wide.h) are compiled into one program, which runs them on many inputs: the hint must never be worse than
twice the error there was or four ulps more, and better somewhere. Faultline has no part in that comparison. Hints in
Fortran, and those that neither way applies, are listed and not checked.

usage: hints_test.py FAULTLINE [--inputs N] [NAME...]
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OPTIONS = re.compile(r"(?://|!) options: (.*)$")
ADVICE = re.compile(r"(?:for (?P<condition>.*?), )?write (?P<after>.*?) for (?P<before>.*?)"
                    r"(?: where (?P<guard>.*?))?(?: \((?P<legend>[a-z]\d* is .*)\))?$")
WIDER = re.compile(r"(?:for (?P<condition>.*?), )?compute in (?P<type>long double|double) ")
ORDINARY = re.compile(r"magnitudes of (\S+) to (\S+)")
FEWEST = 12  # hints that must have been checked: fails if changed texts hide all of them

# By file and the remedy's name: the hint in the source's own words, where it is spread over statements there.
NEUMAIER = """{ %s s_ = %s, t_ = %s, n_ = s_ + t_;
              lost_ += fabs(s_) >= fabs(t_) ? (s_ - n_) + t_ : (t_ - n_) + s_; %s = n_; }"""
SCALE = "double s_ = scalbn(1.0, ilogb(fmax(fabs(re), fabs(im))) + 2);"
PATCHES = {
    ("quadratic.cpp", "rationalised difference"): [("return (-b_ + root) / (2 * a_);",
                                                    "return -(a_ * 4 * c_) / (root + b_) / (2 * a_);")],
    ("quadratic.cpp", "divide first"): [("2 * c_ / (-b_ - root)", "c_ / (-b_ - root) * 2")],
    ("lens_sagitta.c", "rationalised difference"): [("lens.radius - inner",
                                                     "square(lens.half) / (inner + lens.radius)")],
    ("central_angle.c", "haversine"): [
        ("return acos(cosine);", """if (!(acos(cosine) < 1)) return acos(cosine);
         double h_ = sin(dlat / 2) * sin(dlat / 2) + cos(latitude) * cos(other) * (sin(dlon / 2) * sin(dlon / 2));
         return 2 * asin(sqrt(h_));""")],
    ("growth_rate.c", "log1p"): [
        ("log(ratio)", "(ratio > 0.5 && ratio < 2 ? log1p((after - before) / before) : log(ratio))")],
    ("log_likelihood.c", "sum of logarithms"): [("double product = 1;", "double product = 0;"),
                                                ("product *= p[i]", "product += log(p[i])"),
                                                ("log(product) / 16", "product / 16")],
    ("vector_length.c", "hypot"): [("sqrt(squares)", "hypot(hypot(x, y), z)")],
    ("sample_variance.c", "shifted by the first"): [
        ("double variance = mean_square - mean * mean;",
         """double q_ = 0, d_ = 0; for (int i = 0; i < 6; i++) {
            q_ += reading[i] - reading[0]; d_ += (reading[i] - reading[0]) * (reading[i] - reading[0]); }
            double variance = (d_ - q_ * q_ / 6) / 6;""")],
    ("sample_variance.c", "two passes"): [
        ("double variance = mean_square - mean * mean;",
         "double d_ = 0; for (int i = 0; i < 6; i++) d_ += (reading[i] - mean) * (reading[i] - mean);"
         "double variance = d_ / 6;")],
    ("settled_balance.c", "compensated sum"): [
        ("float balance = opening;", "float balance = opening, lost_ = 0;"),
        ("balance += payment;", NEUMAIER % ("float", "balance", "payment", "balance")),
        ("return balance;", "return balance + lost_;")],
    ("simulated_clock.c", "compensated sum"): [
        ("float now;", "float now, lost;"), ("{0, 0}", "{0, 0, 0}"),
        ("clock->now += step;",
         "float lost_ = clock->lost; " + NEUMAIER % ("float", "clock->now", "step", "clock->now") +
         "clock->lost = lost_;"),
        ("return clock.now;", "return clock.now + clock.lost;")],
    ("energy_meter.cpp", "compensated dot product"): [
        ("total_ += sample;", NEUMAIER % ("T", "total_", "sample", "total_")),
        ("return total_;", "return total_ + lost_;"), ("T total_ = 0;", "T total_ = 0, lost_ = 0;")],
    ("annuity.cpp", "expm1"): [("growth() - 1", "std::expm1(Money(months_) * std::log1p(rate_))")],
    ("daily_interest.cpp", "log1p"): [("std::pow(daily, days)", "std::exp(days * std::log1p(rate / 365.0f))")],
    ("rapidity.cpp", "asinh"): [("std::atanh(beta)", "std::asinh(particle.momentum / particle.mass)")],
    ("logistic.cpp", "negative exponent"): [("odds / (1 + odds)", "1 / (1 + std::exp(-(steepness_ * x)))")],
    ("reciprocal.cpp", "scaled by a power of two"): [
        ("const double modulus = re * re + im * im;",
         SCALE + " const double modulus = re * (re / s_) + im * (im / s_);"),
        ("re / modulus", "re / s_ / modulus"), ("-im / modulus", "-im / s_ / modulus")],
}


class Hint:
    def __init__(self, path, options, target, finding):
        self.path, self.options, self.target, self.finding = path, options, target, finding
        self.remedy = finding["diagnosis"]["remedy"]

    def __str__(self):
        return f"{self.path.name}: {self.target['function']}: {self.remedy['advice']}"


def hunt(faultline, path):
    options = []
    for line in path.read_text().splitlines()[:5]:
        found = OPTIONS.match(line)
        if found:
            options = found.group(1).split()
    command = [faultline, "hunt", path.name, "--quiet", "-o", "-", *options]
    run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=240, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}")
    hints = {}
    for target in json.loads(run.stdout)["targets"]:
        for finding in target["findings"]:
            if "remedy" in finding.get("diagnosis", {}):
                hint = Hint(path, options, target, finding)
                hints.setdefault((target["function"], hint.remedy["advice"]), hint)
    return list(hints.values())


def squeezed(text):
    """Without blanks and what is written in several ways, and where each character stands in the text."""
    kept = [(character, at) for at, character in enumerate(text) if not character.isspace()]
    string = "".join(character for character, _ in kept)
    for noise in (r"(?<=\d)\.0(?![\d.])", r"std::"):
        for found in reversed(list(re.finditer(noise, string))):
            del kept[found.start():found.end()]
        string = "".join(character for character, _ in kept)
    return string, [at for _, at in kept]


def replaced(source, before, after):
    """The source with one text for the other; nothing if it stands there not at all, or more than once."""
    string, places = squeezed(source)
    wanted = squeezed(before)[0]
    found = [match.start() for match in re.finditer(re.escape(wanted), string)]
    if len(found) != 1:
        return None
    first, last = places[found[0]], places[found[0] + len(wanted) - 1] + 1
    left, right = ("", "") if wanted.startswith("(") and not wanted.endswith(")") else ("(", ")")
    return f"{source[:first]}{left}{after}{right}{source[last:]}"


def applied(hint):
    """The new source, and what is put before it; or why there is none."""
    source = hint.path.read_text()
    advice = hint.remedy["advice"]
    if wider := WIDER.match(advice):
        kept = "float" if wider["type"] == "double" else "double"
        return source, f"#define {kept} {wider['type']}\n", ""
    if patches := PATCHES.get((hint.path.name, hint.remedy["name"])):
        for before, after in patches:
            if source.count(before) != 1:
                return None, "", f"no longer once in the source: {before}"
            source = source.replace(before, after)
        return source, "", ""
    found = ADVICE.match(advice)
    if not found or found["guard"]:
        return None, "", "not a text for another"
    lines = source.splitlines(keepends=True)
    at = hint.finding["cause"]["line"] - 1
    line = replaced(lines[at], found["before"], found["after"])
    if line is None:
        return None, "", "what it replaces is not found in the line as one text"
    return "".join(lines[:at] + [line] + lines[at + 1:]), "", ""


def condition_of(hint, names):
    """In C++, on x[0], x[1], ..."""
    text = hint.remedy.get("condition", "")
    if " where " + text in hint.remedy["advice"]:  # a guard, which is part of the new code
        text = ""
    parts = [part for part in text.split(" and ") if part]
    terms = []
    for part in parts:
        if ordinary := ORDINARY.fullmatch(part):
            terms += [f"(x[{i}] == 0 || (fabs(x[{i}]) >= {ordinary[1]} && fabs(x[{i}]) <= {ordinary[2]}))"
                      for i in range(len(names))]
            continue
        found = re.fullmatch(r"(\|?)(.*?)\|? ([<>]) (\S+)", part)
        if not found or found[2] not in names:
            return None
        value = f"x[{names.index(found[2])}]"
        size = f"fabs({value})" if found[1] else value
        terms.append(f"{size} {found[3]} {found[4]}")
    return " && ".join(terms) or "true"


def parameters(source, function):
    """The types and names of the parameters, and what is returned."""
    found = re.search(rf"^([\w:]+)\s+{function}\s*\(([^)]*)\)\s*\{{", source, re.M)
    if not found:
        return None
    return found[1], [re.fullmatch(r"(?:const )?(\w+)\s*(\**)\s*(\w+)\s*((?:\[\w*\])?)", part.strip()).groups()
                      for part in found[2].split(",")]


def call(function, target, source):
    """Code that calls the function with the values x, and puts its outputs into y; and how many there are."""
    signature = parameters(source, function)
    if not signature:
        return None
    result, formal = signature
    names = [cell["name"] for cell in target["inputs"]]
    lines, arguments = [], []
    for kind, star, name, brackets in formal:
        cells = [i for i, cell in enumerate(names) if re.sub(r"\[.*", "", cell) == name]
        if star or brackets:
            if not cells:
                return None
            values = ", ".join(f"x[{i}]" for i in cells)
            lines.append(f"{kind} {name}_[] = {{{', '.join(f'({kind})x[{i}]' for i in cells)}}}; // {values}")
            arguments.append(f"{name}_")
        else:
            arguments.append(f"({kind})x[{cells[0]}]")
    if result in ("double", "float"):
        # Rounded to what the caller sees, but for the reference.
        narrow = "(::single)" if result == "float" else ""
        return "\n".join(lines) + f"\ny[0] = {narrow}{function}({', '.join(arguments)});", 1, result == "float"
    members = re.search(rf"struct {result} {{\s*double ([\w, ]+);", source)
    if not members:
        return None
    fields = [field.strip() for field in members[1].split(",")]
    stores = "".join(f"\ny[{i}] = r.{field};" for i, field in enumerate(fields))
    return "\n".join(lines) + f"\nauto r = {function}({', '.join(arguments)});{stores}", len(fields), False


def numbers(finding):
    """The input of a finding, cell by cell."""
    values = []
    for value in finding["input"].values():
        values += [float.fromhex(cell["hex"]) if "hex" in cell else float(cell["decimal"])
                   for cell in (value if isinstance(value, list) else [value])]
    return values


def program(hint, new_source, before_new, inputs):
    source, target = hint.path.read_text(), hint.target
    calling = call(target["function"], target, source)
    names = [cell["name"] for cell in target["inputs"]]
    condition = condition_of(hint, names)
    if not calling or condition is None:
        return None
    body, outputs, single = calling
    largest = "3.4028234663852886e38" if single else "1.7976931348623157e308"
    kinds = []
    for cell, speaker in zip(target["inputs"], numbers(hint.finding)):
        low, high = cell.get("low", f"-{largest}"), cell.get("high", largest)
        integer = "true" if cell["format"].startswith("int") else "false"
        kinds.append(f"{{{integer}, {'true' if cell['format'] == 'binary32' else 'false'}, {low}, {high}, "
                     f"{speaker.hex()}}}")
    plain = re.sub(r'^#include ["<].*[">]$', "", source, flags=re.M)
    changed = re.sub(r'^#include ["<].*[">]$', "", new_source, flags=re.M)
    part = "namespace {name} {{\n{before}{text}\nvoid run(const ::number* x, ::{result}* y) {{\n{body}\n}}\n{after}}}\n"
    wide = "#define double ::Wide\n#define float ::Wide\n"
    undo = "#undef double\n#undef float\n"
    return "\n".join([
        '#include "driver.h"', "#include <math.h>", "#include <stdio.h>", "#include <stddef.h>", "#include <algorithm>",
        "#include <vector>", "#include <array>", "#include <string>", "#include <complex>", "#include <numeric>",
        "using number = double;", "using single = float;",
        part.format(name="before_", before="", text=plain, result="number", body=body, after=""),
        part.format(name="after_", before=before_new, text=changed, result="number", body=body, after=undo),
        part.format(name="exact_", before=wide, text=plain, result="Wide", body=body.replace("(::single)", ""),
                    after=undo),
        "int main() {", f"const std::vector<InputKind> kinds = {{{', '.join(kinds)}}};",
        f"return compare(kinds, {outputs}, {'true' if single else 'false'}, {inputs}, before_::run, after_::run, "
        f"exact_::run, [](const number* x) {{ return {condition}; }});", "}"])


def checked(hint, inputs, folder):
    """What became of it: a word, and the text to print."""
    if hint.path.suffix == ".f90":
        return "skipped", "Fortran"
    new_source, before_new, why = applied(hint)
    if new_source is None:
        return "skipped", why
    text = program(hint, new_source, before_new, inputs)
    if text is None:
        return "skipped", "a signature or condition that is not understood"
    path = folder / f"hint{abs(hash(str(hint)))}.cpp"
    path.write_text(text)
    command = ["clang++-19", "-std=c++20", "-O2", "-ffp-contract=off", "-w", f"-I{HERE}", str(path), "-lmpfr", "-o",
               str(path.with_suffix(""))]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return "skipped", "does not compile: " + next((line for line in run.stderr.splitlines() if "error" in line), "")
    run = subprocess.run([str(path.with_suffix(""))], capture_output=True, text=True, timeout=600, check=False)
    return "right" if run.returncode == 0 else "HARMFUL", run.stdout.strip()


def sources(names):
    folders = [ROOT / "tests/seeded/c", ROOT / "tests/seeded/cpp", ROOT / "tests/seeded/fortran", ROOT / "examples"]
    paths = [path for folder in folders for path in sorted(folder.iterdir())
             if path.suffix in (".c", ".cpp", ".f90") and ".fixed." not in path.name]
    return [path for path in paths if not names or path.stem in names]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("faultline", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--inputs", type=int, default=500)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda path: hunt(arguments.faultline, path), sources(arguments.names)))
        hints = [hint for some in found for hint in some]
        with tempfile.TemporaryDirectory() as folder:
            results = list(pool.map(lambda hint: checked(hint, arguments.inputs, Path(folder)), hints))
    for hint, (word, text) in zip(hints, results):
        print(f"{word:8} {hint}\n         {text}")
    words = [word for word, _ in results]
    right, harmful = words.count("right"), words.count("HARMFUL")
    print(f"{len(hints)} hints: {right} right, {harmful} harmful, {words.count('skipped')} not checked")
    return 1 if harmful or right < (len(arguments.names) or FEWEST) else 0


if __name__ == "__main__":
    sys.exit(main())
