"""Answers of compilers are kept between runs, and only for unchanged code."""
import unittest

from faultline_case import FaultlineCase

SOURCE = """#include <vector>
#include "scale.h"
double total(const std::vector<double> &x) {
  double sum = 0;
  for (double v : x)
    sum += SCALE * v;
  return sum;
}
double reciprocal(double x) { return SCALE / x; }
"""


class Cache(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("total.cpp", SOURCE)
        self.write("scale.h", "#define SCALE 1.0")
        self.cache = self.folder / "cache"

    def list(self):
        """What `list` prints, and whether it made anything that was not kept."""
        before = self.kept()
        text = self.run_faultline("list", "total.cpp", status=0, FAULTLINE_CACHE=str(self.cache)).out
        return text, self.kept() != before

    def kept(self):
        return {path.name: path.read_bytes() for path in self.cache.glob("*")}

    def test_a_second_run_compiles_nothing(self):
        first, made = self.list()
        self.assertTrue(made)
        second, made = self.list()
        self.assertEqual(second, first)
        self.assertFalse(made)
        self.assertEqual(self.cache.stat().st_mode & 0o777, 0o700)

    def test_a_changed_header_counts(self):
        self.list()
        self.write("scale.h", "#define SCALE 1.0\ndouble extra(double x) { return x * x; }")
        text, made = self.list()
        self.assertTrue(made)
        self.assertIn("extra", text)

    def test_a_damaged_answer_is_made_again(self):
        first, _ = self.list()
        for path in self.cache.glob("*"):
            path.write_bytes(path.read_bytes()[:-1])
        second, made = self.list()
        self.assertEqual(second, first)
        self.assertTrue(made)

    def test_nothing_is_kept_if_it_is_off(self):
        self.run_faultline("list", "total.cpp", status=0, FAULTLINE_CACHE="off", HOME=str(self.folder / "home"))
        self.assertFalse((self.folder / "home").exists())


if __name__ == "__main__":
    unittest.main()
