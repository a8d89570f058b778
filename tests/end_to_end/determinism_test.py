"""Same seed, same options, same binary: the same findings, byte for byte, whatever -j is."""
import re
import unittest

from faultline_case import FaultlineCase

FILES = ("examples/one_minus_cos.c", "examples/averages.c", "examples/quadratic.cpp", "examples/heron.f90", "examples/foo_single.c")


class Determinism(FaultlineCase):
    def report(self, *words):
        out = self.hunt_example(*FILES, *words, jobs=None).out
        lines = out.splitlines(keepends=True)
        kept = [line for line in lines if not re.search(r'"(total_)?seconds":', line)]
        self.assertEqual(len(lines) - len(kept), 28, "two figures of seconds a target")
        return "".join(kept)

    def test_same_seed_gives_the_same_bytes_whatever_j_is(self):
        first = self.report("-j", "1")
        self.assertEqual(first, self.report("-j", "1"), "twice with -j 1")
        self.assertEqual(first, self.report("-j", "2"), "-j 1 and -j 2")
        self.assertEqual(first, self.report(), "-j left out")

    def test_another_seed_finds_other_inputs(self):
        def inputs(seed):
            run = self.hunt_example("examples/one_minus_cos.c", "--seed", seed)
            self.assertEqual(run.json["seed"], seed)
            return [finding["input"] for finding in run.findings]
        self.assertNotEqual(inputs(1), inputs(2))

    def test_functions_do_not_depend_on_their_neighbours(self):
        together = self.hunt_example("examples/averages.c").targets["av3"]["findings"]
        alone = self.hunt_example("examples/averages.c", "-f", "av3").targets["av3"]["findings"]
        self.assertEqual(together, alone)


if __name__ == "__main__":
    unittest.main()
