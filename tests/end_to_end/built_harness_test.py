"""Functions of a built library that need a harness: it is made from the source, if that is still what was compiled."""
from capture_test import CaptureCase

STATS = """#include "stats.h"
#include <cmath>
double versine_of(const std::vector<double>& v) { return 1 - std::cos(v[0]); }
double Circle::sagitta(double x) const { return radius - std::sqrt(radius * radius - x * x); }
double plain(double x) { return x / 2; }
"""
HEADER = "#include <vector>\nstruct Circle { explicit Circle(double r) : radius(r) {} double sagitta(double x) const; double radius; };\n"


class BuiltHarness(CaptureCase):
    def setUp(self):
        super().setUp()
        self.write("stats.h", HEADER)
        self.write("stats.cpp", STATS)
        self.sh("$CXX -O2 -c stats.cpp && ar rc libstats.a stats.o")

    def test_a_captured_library_has_harnesses(self):
        run = self.hunt("libstats.a", "-f", "versine_of", "--size", "v=1", "--budget", "2s")
        worst = run.worst("versine_of")
        self.assertEqual(worst["cause"]["file"], "stats.cpp")
        self.assertEqual(worst["cause"]["line"], 3)
        self.assertEqual(list(worst["input"]), ["v"])

    def test_members_of_classes_too(self):
        run = self.hunt("libstats.a", "-f", "Circle::sagitta", "--budget", "2s")
        self.assertEqual({entry["name"] for target in run.targets.values() for entry in target["inputs"]}, {"this.radius", "x"})

    def test_a_small_library_lists_them_without_being_asked(self):
        out = self.run_faultline("list", "libstats.a", "--size", "v=2", status=0).out
        self.assertIn("v[0..1]", out)

    def test_a_source_that_is_gone_is_told(self):
        (self.scratch / "stats.cpp").unlink()
        told = self.run_faultline("hunt", "libstats.a", "-f", "versine_of", status=3).err
        self.assertRegex(told, "stats.cpp is gone")
        self.hunt("libstats.a", "-f", "plain", "--evals", 50, status=None)

    def test_a_header_that_has_changed_is_told(self):
        self.write("stats.h", HEADER + "// changed\n")
        told = self.run_faultline("hunt", "libstats.a", "-f", "Circle::sagitta", status=3).err
        self.assertRegex(told, "stats.h has changed")
