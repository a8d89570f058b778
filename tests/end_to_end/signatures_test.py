"""Functions with the signatures that people write: hunted in without a line written by hand."""
import subprocess
import unittest

from faultline_case import ROOT, FaultlineCase

SIGNATURES = ROOT / "tests" / "signatures"
SIZES = ("--size", "v=3", "--size", "a=3", "--size", "b=3", "--size", "m=2x2", "--size", "z=2", "--size", "p=2")


class Signatures(FaultlineCase):
    def hunted(self, file, *words):
        """The targets by name; all that are in the file, none refused."""
        run = self.hunt(SIGNATURES / file, "--for", "error", "--evals", "60", "--budget", "2s", "-j", "2", *words, status=None)
        self.assertIn(run.status, (0, 1), run.err)
        return run.targets

    def expect_hunted(self, targets):
        self.assertEqual({name: target["outcome"] for name, target in targets.items() if target["outcome"] not in ("found", "none")},
                         {})

    def test_functions_of_cxx_are_hunted_in(self):
        targets = self.hunted("plain.cpp", *SIZES)
        self.expect_hunted(targets)
        self.assertEqual(len(targets), 42, sorted(targets))
        names = {name: [one["name"] for one in target["inputs"]] for name, target in targets.items()}
        self.assertEqual(names["stats::mean"], ["v[0]", "v[1]", "v[2]"])
        self.assertEqual(names["shifted"], ["z.real", "z.imag"])
        self.assertEqual(names["nested"], ["m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"])
        self.assertEqual(names["polar"], ["z[0].real", "z[0].imag", "z[1].real", "z[1].imag"])
        self.assertEqual(names["longest"], ["s.from.x", "s.from.y", "s.to.x", "s.to.y"])
        self.assertEqual(names["Ring::weight"], ["this.inner", "this.width", "density"])

    def test_functions_of_c_are_hunted_in(self):
        targets = self.hunted("plain.c", "--size", "q=2x2")
        self.expect_hunted(targets)
        self.assertEqual(len(targets), 13, sorted(targets))

    def test_matrices_of_eigen_are_hunted_in(self):
        targets = self.hunted("matrices.cpp", "--size", "m=2x2", "--size", "v=3", "--", "-I/usr/include/eigen3")
        self.expect_hunted(targets)
        self.assertEqual(len(targets), 7, sorted(targets))
        self.assertIn("m(1,0)", [one["name"] for one in targets["trace"]["inputs"]])

    def test_headers_and_templates_are_hunted_in(self):
        targets = self.hunted("library.hpp", "--size", "v=3")
        self.expect_hunted(targets)
        self.assertEqual(sorted(targets), ["library::Parabola<double>::at", "library::Parabola<float>::at", "library::difference<double>",
                                           "library::difference<float>", "library::one_minus_cos", "library::ratio<double>",
                                           "library::ratio<float>", "library::slope", "library::sum<double>", "library::sum<float>"])
        listed = self.run_faultline("list", SIGNATURES / "library.hpp", "--all", "--size", "v=3", status=0).out
        self.assertIn("library::elsewhere\n  it is declared here and defined elsewhere", listed)
        self.assertIn("'N' is a template parameter that is no type", listed)

    def test_instances_of_templates_can_be_named(self):
        targets = self.hunted("library.hpp", "-f", "library::ratio<long double>", "-f", "first_of<double, 3>")
        self.assertEqual({name: target["inputs"][0]["format"] for name, target in targets.items()},
                         {"library::ratio<long double>": "extended80", "library::first_of<double, 3>": "binary64"})

    def test_findings_of_harnesses_replay_and_become_tests(self):
        self.write("v.cpp", "#include <vector>\ndouble gap(const std::vector<double>& v) { return (v[0] + 1e9) - v[1] - 1e9; }\n")
        run = self.hunt("v.cpp", "--size", "v=2", "--evals", "2000", "-o", "v.json", "-o", "v_test.c")
        self.assertEqual(run.targets["gap"]["outcome"], "found")
        self.assertIn(" 0 not", self.run_faultline("replay", "v.json", status=0).out)
        self.assertIn("faultline harness v.cpp -f gap --size v=2 prints", (self.scratch / "v_test.c").read_text())
        printed = self.run_faultline("harness", "v.cpp", "-f", "gap", "--size", "v=2", status=0)
        self.write("harness.cpp", printed.out)
        for command in (["clang++-19", "-c", "harness.cpp"], ["clang-19", "-c", "v_test.c"], ["clang++-19", "harness.o", "v_test.o", "-o", "t"]):
            subprocess.run(command, cwd=self.scratch, check=True)
        self.assertEqual(subprocess.run([self.scratch / "t"], stdout=subprocess.DEVNULL, check=False).returncode, 1)

    def test_harness_of_what_cannot_be_called_has_places_to_fill_in(self):
        self.write("s.cpp", "#include <string>\n#include <map>\ndouble look(const std::map<std::string, double>& m, double x) { return x - 1; }\n")
        refused = self.run_faultline("hunt", "s.cpp", status=3)
        self.assertIn("cannot be made from numbers", self.run_faultline("list", "s.cpp", "--all").out + refused.err)
        printed = self.run_faultline("harness", "s.cpp", "-f", "look", status=0).out
        self.assertIn("m; // fill in", printed)
        self.assertIn("return look(m, x);", printed)

    def test_missing_size_is_told_with_the_option(self):
        self.write("v.cpp", "#include <vector>\ndouble first(const std::vector<double>& v) { return v[0] - 1; }\n")
        self.assertIn("--size v=N", self.run_faultline("list", "v.cpp", "--all").out)

    def test_harness_that_does_not_compile_loses_no_other(self):
        self.write("t.hpp", "#include <cmath>\ntemplate <class T> T bad(T x) { return x.nothing(); }\n"
                            "template <class T> T good(T x) { return std::cos(x) - 1; }\n")
        listed = self.run_faultline("list", "t.hpp", "--all", status=0).out
        self.assertIn("2 of 4 functions can be hunted in", listed)
        self.assertIn("it cannot be called by a harness: member reference base type 'double'", listed)


if __name__ == "__main__":
    unittest.main()
