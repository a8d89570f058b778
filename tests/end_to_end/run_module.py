"""Runs the test methods of one module in one process.

usage: run_module.py [--long] MODULE

Without --long these are the methods that are not marked as long, with it those that are (faultline_case.long). A line of each
method says how long it took. Exit status: 0 all passed, 1 some did not, 77 all were skipped.
"""
import sys
import time
import unittest
from pathlib import Path

SKIPPED = 77


class TimedResult(unittest.TextTestResult):
    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        print(f"{time.monotonic() - self.began:6.1f} s  {test}", flush=True)


def methods(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from methods(test)
        else:
            yield test


def is_long(test):
    return getattr(getattr(test, getattr(test, "_testMethodName", ""), None), "long", False)


def main():
    words = sys.argv[1:]
    wanted = words[:1] == ["--long"]
    if len(words) != 1 + wanted:
        sys.exit(__doc__)
    sys.path[:0] = [str(Path.cwd()), str(Path(__file__).resolve().parent)]
    chosen = unittest.TestSuite(test for test in methods(unittest.defaultTestLoader.loadTestsFromName(words[-1])) if is_long(test) == wanted)
    count = chosen.countTestCases()
    result = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult).run(chosen)
    if not count or not result.wasSuccessful():
        return 1
    return SKIPPED if len(result.skipped) == count else 0


if __name__ == "__main__":
    sys.exit(main())
