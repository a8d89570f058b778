"""What Faultline proves of generated programs, and certificates that were edited: brute force refutes nothing."""
import ctypes
import subprocess
import sys
import unittest

from faultline_case import FAULTLINE, FaultlineCase, long

try:
    from brute_force import Comparison, Tally
    from certificate_edits import CALLS, FIELDS, edit_and_check
except ImportError:
    Comparison = None

FLAGS = [[], [], [], [], ["-O1"], ["-O3", "-funroll-loops"], ["-march=haswell"], ["-march=haswell", "-ffp-contract=off"],
         ["-fno-math-errno"], ["-ffast-math"], ["-O0"]]
PER_FILE = 20


@unittest.skipIf(Comparison is None, "python3-gmpy2 is not installed: scripts/install-deps test")
class Generated(FaultlineCase):
    def compare(self, count):
        tally = Tally()
        for first in range(0, count, PER_FILE):
            flags = FLAGS[first // PER_FILE % len(FLAGS)]
            tally.add(Comparison(FAULTLINE, range(first, min(first + PER_FILE, count)), flags, self.scratch).compare())
            if first % 500 == 0:
                print(tally, file=sys.stderr, flush=True)
        self.assertEqual(tally.violations, [])
        # Otherwise it would have compared nothing.
        self.assertGreater(tally.complete, count / 4)
        self.assertGreater(tally.hunts, count / 10)
        return tally

    def edit(self, total):
        self.write("calls.c", CALLS)
        subprocess.run(["clang-19", "-O2", "-shared", "-fPIC", "-o", "calls.so", "calls.c", "-lm"], cwd=self.scratch, check=True)
        count = edit_and_check(FAULTLINE, self.scratch, ctypes.CDLL(str(self.scratch / "calls.so")), total)
        print(count.text(), file=sys.stderr)
        self.assertEqual(count.false, [])
        self.assertGreaterEqual(min(count.edits.values()), total // len(FIELDS) - 1)
        self.assertGreater(sum(count.accepted.values()), 0)

    def test_brute_force_refutes_no_proof_of_a_generated_program(self):
        self.compare(60)

    @long
    def test_brute_force_refutes_no_proof_of_many_generated_programs(self):
        tally = self.compare(10_000)
        self.assertGreater(tally.infeasible, 100)

    def test_no_edited_certificate_with_a_false_claim_is_accepted(self):
        self.edit(2 * len(FIELDS))

    @long
    def test_no_certificate_among_many_edited_ones_with_a_false_claim_is_accepted(self):
        self.edit(5_000)


if __name__ == "__main__":
    unittest.main()
