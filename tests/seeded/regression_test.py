"""Regression tests that are written for the seeded bugs: each fails on the bug and passes on the fixed twin.

The tests are written by faultline hunt -o FILE.c (or FILE.cpp, for GoogleTest), compiled with the code as a user would, and
run. A bug whose findings are all left out, for a reason that stands in the file, has no test; AT_LEAST says how many must
have one.

usage: regression_test.py FAULTLINE ENDING [NAME...]
"""
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from seeded_test import bugs

AT_LEAST = 24
FORTRAN_RUNTIME = ["-lFortranRuntime", "-lFortranDecimal"]
STANDING = re.compile(r"^// (\d+) tests?; (it|all \d+) failed on the code", re.MULTILINE)


def run(*words, cwd, timeout=240):
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False)


def must(done):
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(done.args)}\n{done.stdout}{done.stderr}")
    return done


def built(folder, code, test):
    """The test, linked with the code."""
    compiler = {".c": "clang-19", ".cpp": "clang++-19", ".f90": "flang-new-19"}
    code_object, test_object, program = f"{code.stem}.o", f"{code.stem}.test.o", folder / code.stem
    must(run(compiler[code.suffix], "-O2", "-c", code, "-o", code_object, cwd=folder))
    must(run(compiler[test.suffix], "-Wall", "-Wextra", "-Werror", "-c", test, "-o", test_object, cwd=folder))
    libraries = ["-lgtest_main", "-lgtest", "-pthread"] if test.suffix == ".cpp" else []
    if code.suffix == ".f90":
        where = run("llvm-config-19", "--libdir", cwd=folder).stdout.strip()
        libraries += [f"-L{where}", *FORTRAN_RUNTIME]
    must(run("g++" if test.suffix == ".cpp" else "gcc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", test, cwd=folder))
    must(run("clang++-19", test_object, code_object, *libraries, "-lm", "-o", program, cwd=folder))
    return program


def examine(faultline, bug, ending):
    """How many tests there are, and what is wrong with them."""
    with tempfile.TemporaryDirectory(prefix="faultline-seeded-") as name:
        folder = Path(name)
        test = folder / f"{bug.name}_test{ending}"
        run(faultline, "hunt", bug.path, "--quiet", *bug.options, "-o", test, cwd=folder)
        text = test.read_text()
        standing = STANDING.search(text)
        if not standing:
            return 0, [] if "No problem can be written" in text else [f"{bug.name}: not tried out: {text[:400]}"]
        tests = int(standing.group(1))
        problems = []
        before = run(built(folder, bug.path, test), cwd=folder)
        failures = before.returncode if ending == ".c" else len(re.findall(r"^\[  FAILED  \] \w+\.\w+$", before.stdout, re.M))
        if failures != tests or not re.search("instead of|exceeds|<=", before.stdout):
            problems.append(f"{bug.name}: {failures} of {tests} fail on the bug\n{before.stdout}")
        after = run(built(folder, bug.twin, test), cwd=folder)
        if after.returncode != 0:
            problems.append(f"{bug.name}: the twin does not pass\n{after.stdout}")
        return tests, problems


def main():
    faultline, ending, names = str(Path(sys.argv[1]).resolve()), sys.argv[2], sys.argv[3:]
    chosen = [bug for bug in bugs() if not names or bug.name in names]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda bug: (bug, *examine(faultline, bug, ending)), chosen))
    for bug, tests, problems in results:
        print(f"{bug.name:22} {tests} tests", *problems, sep="\n  ")
    tested = sum(tests > 0 for _, tests, _ in results)
    failed = sum(bool(problems) for _, _, problems in results)
    print(f"{tested} of {len(chosen)} bugs have tests, {failed} of them go wrong")
    return 1 if failed or tested < (AT_LEAST if not names else len(chosen)) else 0


if __name__ == "__main__":
    sys.exit(main())
