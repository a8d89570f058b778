"""What the suites of `faultline bench` have in common.

A suite is a module with `main(arguments, context) -> exit status`. It runs `faultline` through the context, scores the
JSON that comes back, and hands its texts to `conclude`.
"""
import contextlib
import csv
import decimal
import difflib
import io
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unicodedata
from dataclasses import dataclass, field

USAGE, UNSUITABLE, INCONCLUSIVE, INTERNAL = 2, 3, 4, 70


class UserError(Exception):
    """An error that the user can correct: what happened, what to try, the exit status."""

    def __init__(self, message, hint="", status=USAGE):
        super().__init__(message)
        self.message, self.hint, self.status = message, hint, status


class Help(Exception):
    """The text of --help. Not an error."""


class Failure(Exception):
    """A run of faultline failed: what it wrote on standard error, and its exit status."""

    def __init__(self, text, status):
        super().__init__(text)
        self.text, self.status = text, status


# Options

@dataclass(frozen=True)
class Option:
    """A row of --help. `value` is empty for a flag; `default` is for the reader only."""
    names: str  # "-f,--function"
    value: str
    group: str
    help: str
    default: str = ""
    repeatable: bool = False

    @property
    def key(self):
        return self.names.split(",")[-1].lstrip("-")


def function_option(text):
    return Option("-f,--function", "NAME", "Functions", text, repeatable=True)


def strategy_option(default):
    return Option("--strategy", "LIST", "Search", "strategies that hunt, or none", default)


def budget_option(default, text, name="--budget"):
    return Option(name, "TIME", "Search", text, default)


def evaluations_option(default, text):
    return Option("--evals", "N", "Search", text, default)


def jobs_option(text):
    return Option("-j,--jobs", "N", "Search", text, "1, so that times compare")


SEED = Option("--seed", "N", "Search", "of the random numbers", "1")
REPORT = Option("-o", "FILE", "Output", "a report: .json, .csv, or - for JSON on standard output", repeatable=True)
QUIET = Option("-q,--quiet", "", "Output", "no progress on standard error")
HELP = Option("-h,--help", "", "Options", "this text")


@dataclass(frozen=True)
class Form:
    """The options and the operand of a suite, for `parse`."""
    name: str  # "faultline bench gsl"
    description: str
    examples: str
    options: tuple = ()
    operand: str = ""
    operand_help: str = ""
    many_operands: bool = False

    def help(self):
        options = (HELP, *self.options)
        lines = [self.description, f"Usage: {self.name} [OPTIONS]{f' [{self.operand}]' if self.operand else ''}"
                 + ("..." if self.many_operands else "")]
        heads = [f"{option.names} {option.value}".strip() for option in options] + [self.operand]
        width = max(map(len, heads)) + 2
        if self.operand:
            lines += ["", f"  {self.operand:{width}}{self.operand_help}"]
        for group in dict.fromkeys(option.group for option in options):
            lines += ["", f"{group}:"]
            for option in options:
                if option.group == group:
                    head = f"{option.names} {option.value}".strip()
                    lines.append(f"  {head:{width}}{option.help}" + "; repeatable" * option.repeatable
                                 + (f" (default: {option.default})" if option.default else ""))
        return "\n".join(lines) + f"\n\n{self.examples}\n"


class Values:
    """The values of the options and the operands."""

    def __init__(self):
        self.operands, self._values = [], {}

    def add(self, key, value):
        self._values.setdefault(key, []).append(value)

    def has(self, key):
        return key in self._values

    def values(self, key):
        return self._values.get(key, [])

    def value(self, key, default=""):
        return self._values[key][-1] if key in self._values else default

    @property
    def operand(self):
        return self.operands[-1] if self.operands else ""

    @property
    def quiet(self):
        return self.has("quiet")

    def whole(self, key, default):
        return whole(f"--{key}", self.value(key)) if self.has(key) else default

    def positive(self, key, default, option=""):
        return positive_whole(option or f"--{key}", self.value(key)) if self.has(key) else default

    def duration(self, key, default):
        """In seconds."""
        return duration(f"--{key}", self.value(key)) if self.has(key) else default

    def jobs(self):
        return min(self.positive("jobs", 1, "-j"), 1024)


def parse(form, words):
    """Returns the Values. Raises Help or UserError."""
    help_hint = f"{form.name} --help"
    options = {name: option for option in (HELP, *form.options) for name in option.names.split(",")}
    values, rest = Values(), list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            raise UserError("bench takes no compiler flags", "leave out -- and what follows it")
        if not word.startswith("-") or word == "-":
            if not form.operand or (values.operands and not form.many_operands):
                raise UserError(f"unexpected word '{word}'", help_hint)
            values.operands.append(word)
            continue
        name, equals, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        option = options.get(name)
        if option is None:
            near = difflib.get_close_matches(name, options)
            raise UserError(f"unknown option '{name}'", f"{', '.join(near)}; {help_hint} shows all" if near else help_hint)
        if option is HELP:
            raise Help(form.help())
        if option.value and not equals:
            if not rest:
                raise UserError(f"{name}: the value is missing", help_hint)
            value = rest.pop(0)
        elif not option.value and equals:
            raise UserError(f"{word}: takes no value", f"{name} alone, or leave it out")
        if option.value and not option.repeatable and values.has(option.key):
            raise UserError(f"{name}: given twice", help_hint)
        values.add(option.key, value)
    return values


def whole(option, text):
    if re.fullmatch(r"\d+", text) and int(text) < 2**64:
        return int(text)
    if re.fullmatch(r"\d+(\.\d*)?[eE]\+?\d+", text) and float(text) <= 2**53 and float(text).is_integer():
        return int(float(text))
    raise UserError(f"{option} {text}: is not a whole number", f"{option} 1000")


def positive_whole(option, text):
    if value := whole(option, text):
        return value
    raise UserError(f"{option} {text}: must not be 0", f"{option} 1")


def duration(option, text):
    units = {"ms": 1e-3, "min": 60, "s": 1, "m": 60, "h": 3600, "": 1}
    if found := re.fullmatch(r"(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)(ms|min|s|m|h|)", text):
        seconds = float(found[1]) * units[found[2]]
        if 0 < seconds <= 1e9:
            return seconds
    raise UserError(f"{option} {text}: is not a time", f"{option} 10s, 500ms, 2m or 1h")


# Running faultline

PROGRESS = re.compile(r"faultline: (\d+\.\d s, .*)")


class Context:
    """The program, its data and its processes.

    The first Ctrl-C (or SIGTERM) ends the run that is under way, which then reports what it has; `interrupted` is true from
    then on, and a suite starts no further run. The second one kills.
    """

    def __init__(self, faultline, share):
        self.faultline, self.share = pathlib.Path(faultline), pathlib.Path(share)
        self.command = []  # as typed, without the name of the program
        self.interrupted = False
        self._process, self._needed = None, False
        self._live = False  # a line of progress is on the terminal
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:  # by nohup, or a shell: keep it so
                signal.signal(number, self._interrupt)

    def _interrupt(self, number, _):
        process = self._process
        if self.interrupted:
            if process:
                process.kill()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.interrupted = True
        if process and not self._needed:
            process.send_signal(signal.SIGINT)

    def recorded(self):
        """The command for a report, without -j: the findings do not depend on it."""
        kept, words = [], list(self.command)
        while words:
            word = words.pop(0)
            if word in ("-j", "--jobs"):
                words[:1] = []
            elif not re.match(r"-j|--jobs=", word):
                kept.append(word)
        return kept

    def note(self, text):
        """Prints a line on standard error."""
        self._clear()
        print(f"faultline: {text}", file=sys.stderr, flush=True)

    def _clear(self):
        if self._live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._live = False

    def progress(self, line):
        if not sys.stderr.isatty():
            return self.note(line)
        try:
            columns = max(os.get_terminal_size(sys.stderr.fileno()).columns, 20)
        except OSError:
            columns = 80
        print(f"\r\033[K{shortened(line, columns - 1)}", end="", file=sys.stderr, flush=True)
        self._live = True

    def run(self, words, quiet=True, statuses=(0, 1, INCONCLUSIVE), text="", needed=False):
        """Runs faultline; returns its standard output. `text` is its standard input. Shows its progress unless quiet. `needed`:
        for the report, so that Ctrl-C does not end it. Raises Failure for other statuses."""
        if self.interrupted and not needed:
            raise UserError("interrupted", status=INCONCLUSIVE)
        command = [str(self.faultline), *map(str, words)]
        # A group of its own: Ctrl-C in a terminal comes to us, and we pass it on once.
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", process_group=0) as process:
            self._process, self._needed = process, needed
            if self.interrupted and not needed:  # between the check and the start
                process.send_signal(signal.SIGINT)
            errors = []
            reader = threading.Thread(target=self._read_errors, args=(process.stderr, errors, quiet), daemon=True)
            writer = threading.Thread(target=write_input, args=(process.stdin, text), daemon=True)
            reader.start()
            writer.start()
            out = process.stdout.read()
            status = process.wait()
            reader.join()
            writer.join()
        self._process = None
        self._clear()
        if status not in statuses and self.interrupted and not needed:
            raise UserError("interrupted", status=INCONCLUSIVE)
        if status not in statuses:
            raise Failure("".join(map(printable_line, errors)), status if status > 0 else INTERNAL)
        return out

    def _read_errors(self, stream, errors, quiet):
        """Shows lines of progress, and keeps others."""
        for line in stream:
            found = PROGRESS.match(line)
            if not found:
                errors.append(line)
            elif not quiet:
                self.progress(printable(found[1]))

    def hunt(self, words, quiet=True):
        """The report of a hunt, as JSON. Settings of faultline.toml do not count."""
        out = self.run(["hunt", *words, "--no-config", "-o", "-"], quiet)
        return json.loads(out)

    def render(self, report, words=()):
        """The report of some targets, as faultline writes it: with the problems, most important first."""
        report = {"faultline": self.run(["--version"], needed=True).split()[-1], "schema": 1, **report}
        with tempfile.TemporaryDirectory(prefix="faultline-bench-") as folder:
            path = pathlib.Path(folder) / "report.json"
            path.write_text(json.dumps(report), encoding="utf-8")
            return self.run(["report", path, "--no-plots", "-o", "-", *words], needed=True)

    def strategies(self, option, typed, defaults):
        """Reads a comma list of strategies, or "none"."""
        if not typed or typed == "none":
            return [] if typed else list(defaults)
        chosen = typed.split(",")
        known = self._known_strategies() if set(chosen) - set(defaults) else defaults
        for name in chosen:
            if name not in known:
                raise UserError(f"{option} {typed}: there is no strategy '{name}'", f"a comma list of {', '.join(known)}, or none")
            if chosen.count(name) > 1:
                raise UserError(f"{option} {typed}: {name} is given twice", "name each once")
        return chosen

    def _known_strategies(self):
        """A refused name tells the others."""
        refused = subprocess.run([self.faultline, "hunt", __file__, "--no-config", "--strategy", "?"], capture_output=True,
                                 text=True, check=False).stderr
        found = re.search(r"try: one of (.*)", refused)
        if not found:
            raise Failure(refused, INTERNAL)
        return found[1].split(", ")

    # Files

    def benchmarks(self, name):
        """A file or folder of benchmarks/: relative to the current folder if it is below, since reports name it."""
        path = self.share / "benchmarks" / name
        if not path.exists():
            raise UserError(f"{path}: there is no such file", "install faultline with its share/faultline folder")
        return shown(path.resolve())

    def subject(self, name, folder=""):
        """The bitcode of a library: in the folder, in build/subjects, or fetched by scripts/fetch-subjects."""
        if folder:
            path = pathlib.Path(folder) / f"{name}.bc"
            if not path.exists():
                raise UserError(f"{folder}: there is no {name}.bc in this folder",
                                f"scripts/fetch-subjects {name} leaves it in build/subjects/{name}")
            return shown(path)
        fetched = pathlib.Path("build/subjects") / name / f"{name}.bc"
        if fetched.exists():
            return shown(fetched)
        # Only the tree of the executable: a script of any current folder must not be run.
        tree = next((parent for parent in self.faultline.parents if (parent / "scripts/fetch-subjects").exists()), None)
        if tree is None:
            raise UserError(f"neither {name}.bc nor scripts/fetch-subjects is here",
                            f"faultline bench {name} DIR, where DIR is the folder that has {name}.bc")
        if not (tree / fetched).exists():
            fetch(tree / "scripts/fetch-subjects", name)
        return shown(tree / fetched)


def write_input(stream, text):
    with contextlib.suppress(BrokenPipeError):  # it may end without reading all of it
        stream.write(text)
    with contextlib.suppress(BrokenPipeError):
        stream.close()


def fetch(script, name):
    try:
        status = subprocess.run([script, name], stdout=sys.stderr, check=False).returncode
    except OSError as error:
        raise UserError(f"{script} cannot be run: {error.strerror}", "run it by hand", UNSUITABLE) from None
    if status:
        raise UserError(f"{name} could not be fetched; see the messages above", f"{script} {name}", UNSUITABLE)


def shown(path):
    near = os.path.relpath(os.path.abspath(path))
    return str(path) if near.startswith("..") else near


def lines_of(path):
    """The lines of a file of names; # begins a comment."""
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def inputs_of_functions(context, source):
    """Of each function that can be tested, its inputs as `faultline list` has them: (name, type)."""
    found, name = {}, None
    for line in context.run(["list", source, "--no-config"]).splitlines():
        if head := re.match(r"\S+: (\w+)$", line):
            name = head[1]
        elif inputs := re.match(r"  inputs +(.*)", line):
            found[name] = re.findall(r"(\w+): (\w+)", inputs[1])
    return found


# Tables

def read_csv(path):
    """The rows, by title. Raises UserError with the line for a row that is too long or too short."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = csv.reader(file, strict=True)
        rows = []
        try:
            titles = next(lines, None)
            if not titles:
                raise UserError(f"{path}: there are no titles")
            for row in lines:
                if len(row) != len(titles):
                    raise UserError(f"{path}:{lines.line_num}: {len(row)} cells under {len(titles)} titles",
                                    "put cells with commas or quotes in double quotes")
                rows.append(dict(zip(titles, row)))
        except csv.Error as error:
            raise UserError(f"{path}:{lines.line_num}: {error}", "put cells with commas or quotes in double quotes") from None
    return rows


def csv_text(titles, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([titles, *rows])
    return text.getvalue()


def printable(text):
    """Without control characters: a text from a file must not control the terminal."""
    return "".join(" " if c == "\t" else "?" if unicodedata.category(c) == "Cc" else c for c in text)


def printable_line(line):
    return printable(line.rstrip("\r\n")) + "\n"


def shortened(text, widest):
    return text if len(text) <= widest else text[:max(widest - 3, 0)] + "..."


@dataclass
class Table:
    """Aligned columns. A title that begins with > is of a column aligned to the right."""
    titles: list
    rows: list = field(default_factory=list)
    widest: int = 120

    def text(self, bold=()):
        right = [title.startswith(">") for title in self.titles]
        titles = [title.removeprefix(">") for title in self.titles]
        rows = [[shortened(printable(cell), self.widest) for cell in row] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(titles, *rows)]

        def line(cells):
            parts = (cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in zip(cells, widths, right))
            return ("  " + "  ".join(parts)).rstrip()

        lines = [dressed("2", line(titles))]
        lines += [dressed("1", line(row)) if i in bold else line(row) for i, row in enumerate(rows)]
        return "\n".join(lines) + "\n"


def dressed(code, text):
    """In colour, on a terminal that has and allows them (https://no-color.org)."""
    allowed = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
    return f"\033[{code}m{text}\033[0m" if allowed else text


def shortest(number):
    """The shortest decimal that reads back as this float, with an exponent where that is shorter, as faultline prints it."""
    number = float(number)
    if not math.isfinite(number):
        return repr(number)
    sign, digits, exponent = decimal.Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # digits before the decimal point
    scientific = digits[0] + ("." + digits[1:]) * (len(digits) > 1) + f"e{point - 1:+03}"
    fixed = str(abs(int(number))) if exponent >= 0 else \
        f"{digits[:point]}.{digits[point:]}" if point > 0 else f"0.{'0' * -point}{digits}"
    return "-" * sign + (scientific if len(scientific) < len(fixed) else fixed)


def measure(number):
    return "nan" if number != number else "0" if number == 0 else f"{number:.2e}"


def part_of(part, whole_):
    return f"{part} of {whole_}"


# Reports

class Report:
    """A file of -o. It is made before the long run, since it may be refused. The file is written as a whole or not at all."""

    def __init__(self, file):
        self.file = file
        self.is_csv = file.endswith(".csv")
        if file == "-":
            return
        if os.path.splitext(file)[1] not in (".json", ".csv"):
            raise UserError(f"-o {file}: the ending does not say what to write", ".json, .csv, or -o - for JSON on standard output")
        if os.path.isdir(file):
            self._refuse("Is a directory")
        if os.path.exists(file) and not os.access(file, os.W_OK):
            self._refuse("Permission denied")
        if not self._is_special():
            self._write_beside("", keep=False)

    @property
    def destination(self):
        return self.file if self.file == "-" else os.path.realpath(self.file)

    def _is_special(self):
        return os.path.exists(self.file) and not os.path.isfile(self.file)

    def _refuse(self, why):
        raise UserError(f"cannot write {self.file}: {why}", "name a file in a folder that you may write to")

    def _write_beside(self, text, keep):
        folder, name = os.path.split(self.destination)
        temporary = os.path.join(folder, f".{name}.{os.getpid()}")
        try:
            with open(temporary, "x", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, self.destination) if keep else os.unlink(temporary)
        except OSError as error:
            if os.path.exists(temporary):
                os.unlink(temporary)
            self._refuse(error.strerror)

    def write(self, text):
        if self.file == "-":
            sys.stdout.write(text)
        elif self._is_special():
            try:
                with open(self.file, "w", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                self._refuse(error.strerror)
        else:
            self._write_beside(text, keep=True)


def reports(files):
    made = [Report(file) for file in files]
    for i, report in enumerate(made):
        if report.destination in [other.destination for other in made[:i]]:
            raise UserError(f"-o {report.file}: given twice", "name each report once")
    return made


def conclude(context, made, table, csv_of, json_of):
    """Prints the table unless a report goes to standard output; writes the reports; returns the status. The last three are
    functions without arguments that return texts."""
    if all(report.file != "-" for report in made):
        sys.stdout.write(table())
    for report in made:
        report.write(csv_of() if report.is_csv else json_of())
    sys.stdout.flush()
    if not context.interrupted:
        return 0
    context.note("interrupted; this is what was found until then")
    return INCONCLUSIVE
