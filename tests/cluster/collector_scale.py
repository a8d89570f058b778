"""How much a collector takes: makes a campaign's results as if many tasks had written them, merges them, and tells time, memory
and what the store comes to.

    collector_scale.py [FILES [FUNCTIONS [ROUNDS [FINDINGS]]]]

1,000 files by default, of 20 functions each, with 5 rounds of 10 findings: 1,000 findings a file. Every round of a function meets
the same ten causes, at other inputs, as rounds do. A finding is one that a hunt has made, under other names.
"""
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULTLINE = os.environ.get("FAULTLINE", str(ROOT / "build/bin/faultline"))
MASK = (1 << 64) - 1


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


def name_of(words):
    """As model::identify makes it."""
    return f"{fnv(b''.join(word.encode() + bytes([0xFF]) for word in words)):016x}"


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def seed_of(symbol, number, seed=1):
    """As campaign/arms.cpp makes it, by numeric::Rng."""
    if number == 0:
        return seed
    gamma = 0x9E3779B97F4A7C15
    forked = mix((seed + gamma) & MASK) ^ mix(fnv(f"{symbol} round {number}".encode()))
    second = mix((forked + 2 * gamma) & MASK)  # of the generator's state
    turned = (second * 5) & MASK
    turned = ((turned << 7) | (turned >> 57)) & MASK
    return ((turned * 9) & MASK) >> 1


class Scale:
    def __init__(self, folder, files, functions, rounds, findings):
        self.folder, self.files, self.functions, self.rounds, self.findings = folder, files, functions, rounds, findings
        (folder / "f.c").write_text("#include <math.h>\ndouble f(double x) {\n  return 1 - cos(x);\n}\n")

    def campaign(self, *words):
        subprocess.run([FAULTLINE, "campaign", *words], cwd=self.folder, check=True, capture_output=True)

    def template(self):
        """A line of a task, with a finding of an inaccuracy."""
        self.campaign("init", "made", "f.c")
        self.campaign("run", "made", "--evals", "1000", "--launcher", f"{FAULTLINE} worker --share {{job}}")
        [file] = (self.folder / "made/shares").glob("*/*.results")
        for text in file.read_text().splitlines():
            line = json.loads(text)
            for finding in line.get("found", {}).get("findings", []):
                if finding["kind"] == "inaccuracy":
                    line["found"]["findings"] = [finding]
                    return line
        raise SystemExit("the template has no finding")

    def store(self):
        """The same campaign with many more functions, which it knows only by name."""
        self.campaign("init", "c", "f.c")
        self.campaign("run", "c", "--time", "1ms", "--evals", "1000")
        store = sqlite3.connect(self.folder / "c/campaign.db")
        [columns] = [[row[1] for row in store.execute("PRAGMA table_info(targets)")]]
        copied = [column for column in columns if column not in ("id", "function", "symbol")]
        with store:
            for i in range(self.files * self.functions):
                store.execute(f"INSERT INTO targets (function, symbol, {', '.join(copied)}) SELECT 'f{i}', 'f{i}', {', '.join(copied)} "
                              "FROM targets WHERE function = 'f'")
            store.execute("INSERT INTO programs (target, code, places, settings, first_run) SELECT t.id, p.code, p.places, p.settings, "
                          "p.first_run FROM targets t JOIN programs p ON p.id = t.program WHERE t.function <> 'f'")
            store.execute("UPDATE targets SET program = (SELECT max(id) FROM programs WHERE target = targets.id)")
        store.close()

    def write(self, line):
        [finding] = line["found"]["findings"]
        file_name = Path(finding["cause"]["file"]).name
        results = self.folder / "results"
        results.mkdir()
        arms = ("auto", "everyday", "bracket", "ariadne", "fpgen")
        for number in range(self.files):
            path = results / f"job-{number}.node-{number}-0.results"
            with path.open("w") as stream:
                stream.write(json.dumps({"results": 1, "run": 1, "job": number, "task": f"node-{number}-0"}) + "\n")
                for number_of_round in range(self.rounds):
                    for function in range(number * self.functions, (number + 1) * self.functions):
                        name = f"f{function}"
                        line.update({"round": number_of_round, "function": name, "symbol": name, "arm": arms[number_of_round % 5],
                                     "seed": seed_of(name, number_of_round), "again": []})
                        line["found"]["function"] = name
                        line["found"]["findings"] = [self.finding(finding, file_name, name, number_of_round, i)
                                                     for i in range(self.findings)]
                        stream.write(json.dumps(line, separators=(",", ":")) + "\n")
        return sorted(results.iterdir())

    @staticmethod
    def finding(finding, file_name, function, number, i):
        value = 1e-8 * (1 + i + 100 * number)
        cause = {**finding["cause"], "line": 3 + i}
        place = f"{file_name}:{cause['line']}:{cause['column']}:{cause['operation']}"
        return {**finding, "input": {"x": {"decimal": repr(value), "hex": value.hex()}}, "cause": cause,
                "id": name_of([function, finding["kind"], place, value.hex()])}

    def merge(self, files):
        begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([FAULTLINE, "campaign", "merge", "c", *map(str, files)], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"merged in {time.monotonic() - begin:.1f} s, {busy:.1f} s of a processor: {done.stdout.strip()}{done.stderr[:1000]}")
        return busy


def main():
    given = [int(word) for word in sys.argv[1:]]
    files, functions, rounds, findings = given + [1000, 20, 5, 10][len(given):]
    with tempfile.TemporaryDirectory(prefix="faultline-scale-") as name:
        scale = Scale(Path(name), files, functions, rounds, findings)
        line = scale.template()
        scale.store()
        paths = scale.write(line)
        size = sum(path.stat().st_size for path in paths)
        lines = files * functions * rounds
        print(f"{files} files, {lines} rounds, {lines * findings} findings, {size / 1e6:.0f} MB")
        seconds = scale.merge(paths)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        store = (scale.folder / "c/campaign.db").stat().st_size
        print(f"a processor's second: {lines / seconds:.0f} rounds, {lines * findings / seconds:.0f} findings; {memory:.0f} MiB at most, "
              f"store {store / 1e6:.0f} MB")
        scale.merge(paths)


if __name__ == "__main__":
    main()
