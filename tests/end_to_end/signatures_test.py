"""Functions with the signatures that people write: hunted in without a line written by hand."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from faultline_case import ROOT, FaultlineCase

SIGNATURES = ROOT / "tests" / "signatures"
SIZES = ("--size", "v=3", "--size", "a=3", "--size", "b=3", "--size", "m=2x2", "--size", "z=2", "--size", "p=3")


class Signatures(FaultlineCase):
    def hunted(self, file, *words, evals="60"):
        """The targets by name; all that are in the file, none refused."""
        run = self.hunt(SIGNATURES / file, "--for", "error", "--evals", evals, "--budget", "2s", "-j", "2", *words, status=None)
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

    def test_objects_are_made_by_their_public_functions(self):
        self.write("t.cpp", """class Mean {
public:
  void add(double value);
  double result() const;

private:
  int count = 0;
  double sum = 0;
};
void Mean::add(double value) { ++count; sum += value; }
double Mean::result() const { return count > 0 ? sum / count : 0; }
class Secret {
public:
  static Secret make();
  double value() const;

private:
  Secret() = default;
  double number = 1;
};
double Secret::value() const { return number / 3; }
struct List { double first; double* rest; List* others; };
double next(const List& list) { return list.first + *list.rest; }
double after(const List& list) { return list.others->first / 3; }
double nothing() { return 1; }
double refused(double x) { if (x == x) throw 1; return x; }
""")
        run = self.hunt("t.cpp")
        names = self.inputs_of(run.targets)
        calls = ["this.call1", "this.call1.add.value", "this.call2", "this.call2.add.value"]
        self.assertEqual(names, {"Mean::add": ["value", *calls], "Mean::result": calls, "next": ["list.first", "list.rest[0]"],
                                 "refused": ["x"]})
        self.assertTrue(all(run.targets[name]["judged"] > 0 for name in ("Mean::add", "Mean::result")))
        listed = self.run_faultline("list", "t.cpp", "--all", status=0).out
        self.assertIn("choices this.call1: 0 is no call, 1 is add", listed)
        self.assertIn("this.result(): binary64", listed)
        self.assertIn("needs state (Secret)", listed)
        self.assertIn("needs state (List): it reads list.others (List*)", listed)
        self.assertNotIn("judged", run.targets["refused"])
        shown = self.run_faultline("hunt", "t.cpp", "--budget", "1s", "--fail-on", "note", status=1).out
        self.assertIn("functions were not tested: 3 need state that Faultline cannot make, 1 has no input", shown)

    def test_functions_of_c_are_hunted_in(self):
        targets = self.hunted("plain.c", "--size", "q=2x2")
        self.expect_hunted(targets)
        self.assertEqual(len(targets), 13, sorted(targets))

    def test_matrices_of_eigen_are_hunted_in(self):
        targets = self.hunted("matrices.cpp", "--size", "m=2x2", "--size", "v=3", "--", "-I/usr/include/eigen3")
        self.expect_hunted(targets)
        self.assertEqual(len(targets), 7, sorted(targets))
        self.assertIn("m(1,0)", [one["name"] for one in targets["trace"]["inputs"]])

    def expect_found(self, targets, *functions):
        self.assertEqual({name: targets[name]["outcome"] for name in functions if targets[name]["outcome"] != "found"}, {})

    def inputs_of(self, targets):
        return {name: [one["name"] for one in target["inputs"]] for name, target in targets.items()}

    def test_procedures_of_fortran_are_hunted_in(self):
        targets = self.hunted("plain.f90", "--size", "z=2", "--size", "m=2x1", "--size", "p=3", "--size", "this%w=2", "--size", "a=2",
                              "--norm", "component", evals="300")
        self.expect_hunted(targets)
        self.assertEqual(len(targets), 23, sorted(targets))
        self.expect_found(targets, "chosen", "modulus_gap", "shifted", "single", "value_of", "balance", "by_name", "slope", "mean_of", "scaled",
                          "hidden", "external_ratio")
        names = self.inputs_of(targets)
        self.assertEqual(names["shifted"], ["z.real", "z.imag"])
        self.assertEqual(names["complex_sum"], ["n", "z(1).real", "z(1).imag", "z(2).real", "z(2).imag"])
        self.assertEqual(names["rotated"][:4], ["m(1,1).real", "m(1,1).imag", "m(2,1).real", "m(2,1).imag"])
        self.assertEqual(names["middle"], ["s%from%x", "s%from%y", "s%to%x", "s%to%y", "s%weight"])
        self.assertEqual(names["value_of"], ["p%c(0)", "p%c(1)", "p%c(2)", "p%even", "x"])
        self.assertEqual(names["path"], ["p(1)%x", "p(2)%x", "p(3)%x", "p(1)%y", "p(2)%y", "p(3)%y"])
        self.assertEqual(names["balance"], ["this%x", "this%y", "this%w(1)", "this%w(2)", "by"])
        self.assertIn("real(16) is not supported", self.run_faultline("list", SIGNATURES / "plain.f90", "--all", status=0).out)
        self.assertEqual(names["euler"], ["f", "t", "y(1)", "y(2)", "y(3)", "step"])

    def test_procedures_in_fixed_form_are_hunted_in(self):
        targets = self.hunted("plain.f", "--size", "x=2", "--size", "zx=3", "--norm", "component", evals="300")
        self.expect_hunted(targets)
        self.assertEqual(sorted(targets), ["cdivide", "solve2", "step", "steps", "trapez", "zshift"])
        self.expect_found(targets, "cdivide", "solve2", "step", "trapez")
        self.assertEqual(self.inputs_of(targets)["solve2"][:3], ["uplo", "a(1,1)", "a(2,1)"])
        listed = self.run_faultline("list", SIGNATURES / "plain.f", "--size", "x=2", "--size", "zx=3", status=0).out
        self.assertIn("n: int32 (held at 3), za.real: binary64", listed)
        self.assertIn("uplo: 0 is 'U', 1 is 'L'", listed)
        self.assertIn("f: 0 is x*x - 2, 1 is sin(x), 2 is the constant 1", listed)

    def test_arrays_of_fortran_are_given_as_a_list(self):
        explain = ("explain", SIGNATURES / "plain.f90", "-f", "complex_sum", "--size", "z=2")
        self.assertIn("return = 5", self.run_faultline(*explain, "--at", "z=1,2,8,4", status=0).out)
        self.assertIn("z(2).real, z(2).imag", self.run_faultline(*explain, "--at", "z=1,2", status=2).err)

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
        self.assertIn("faultline harness v.cpp -f gap --size v=2 prints, instead of v.cpp", (self.scratch / "v_test.c").read_text())
        printed = self.run_faultline("harness", "v.cpp", "-f", "gap", "--size", "v=2", status=0)
        self.write("harness.cpp", printed.out)
        for command in (["clang++-19", "-c", "harness.cpp"], ["clang-19", "-c", "v_test.c"], ["clang++-19", "harness.o", "v_test.o", "-o", "t"]):
            subprocess.run(command, cwd=self.scratch, check=True)
        self.assertEqual(subprocess.run([self.scratch / "t"], stdout=subprocess.DEVNULL, check=False).returncode, 1)

    def test_harness_of_fortran_can_be_printed_and_hunted_in(self):
        self.write("z.f90", "module m\n  private :: gap\ncontains\n  real(8) function gap(z)\n    complex(8), intent(in) :: z\n"
                            "    gap = (real(z) + 1d9) - aimag(z) - 1d9\n  end function\nend module\n")
        run = self.hunt("z.f90", "-f", "gap", "--evals", "2000", "-o", "z.json", "-o", "z_test.c")
        self.assertEqual(run.targets["gap"]["outcome"], "found")
        self.assertEqual(run.targets["gap"]["findings"][0]["cause"]["line"], 6)
        self.assertIn(" 0 not", self.run_faultline("replay", "z.json", status=0).out)
        self.assertIn("harness.f90, which faultline harness z.f90 -f gap", (self.scratch / "z_test.c").read_text())
        self.write("harness.f90", self.run_faultline("harness", "z.f90", "-f", "gap", status=0).out)
        again = self.hunt("harness.f90", "z.f90", "-f", "harness_m_gap", "--evals", "2000")
        self.assertEqual(again.targets["harness_m_gap"]["outcome"], "found")
        for command in (["flang-new-19", "-c", "z.f90"], ["flang-new-19", "-c", "harness.f90"], ["clang-19", "-c", "z_test.c"],
                        ["flang-new-19", "z.o", "harness.o", "z_test.o", "-o", "t"]):
            subprocess.run(command, cwd=self.scratch, check=True)
        self.assertEqual(subprocess.run([self.scratch / "t"], stdout=subprocess.DEVNULL, check=False).returncode, 1)

    def runs_of_flang(self, source):
        """How often it is started for a file."""
        counted = self.scratch / "counted"
        counted.write_text("")
        real = shutil.which("flang-new-19")
        self.write("bin/flang-new-19", f"#!/bin/sh\necho run >> {counted}\nexec {real} \"$@\"\n")
        (self.scratch / "bin" / "flang-new-19").chmod(0o755)
        self.write("f.f90", source)
        self.run_faultline("list", "f.f90", status=0, PATH=f"{self.scratch / 'bin'}:{os.environ['PATH']}")
        return len(counted.read_text().splitlines())

    def test_fortran_that_needs_no_harness_is_compiled_and_no_more(self):
        plain = "real(8) function f(n, x)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x\n  f = x**n - 1\nend function\n"
        self.assertEqual(self.runs_of_flang(plain), 1)
        self.assertEqual(self.runs_of_flang(plain.replace("real(8), intent", "complex(8), intent")), 4)

    def test_fortran_that_cannot_be_called_has_places_to_fill_in(self):
        self.write("q.f90", "module m\n  type node\n    type(node), pointer :: next\n    real(8) :: x\n  end type\ncontains\n"
                            "  real(8) function f(x, more)\n    real(8), intent(in) :: x\n    type(node), intent(in) :: more\n"
                            "    f = more%x - x\n  end function\nend module\n")
        self.assertIn("'more': its component next is a pointer", self.run_faultline("list", "q.f90", "--all").out)
        printed = self.run_faultline("harness", "q.f90", "-f", "f", status=0).out
        self.assertIn("type(node) :: more ! fill in", printed)
        self.assertIn("f(x, more)", printed)

    def test_harness_of_fortran_that_does_not_compile_loses_no_other(self):
        self.write("m.f90", "module m\n  type, abstract :: shape\n    real(8) :: x\n  end type\ncontains\n"
                            "  real(8) function bad(s)\n    class(shape), intent(in) :: s\n    bad = s%x - 1\n  end function\n"
                            "  real(8) function good(z)\n    complex(8), intent(in) :: z\n    good = abs(z) - 1\n  end function\nend module\n")
        listed = self.run_faultline("list", "m.f90", "--all", status=0).out
        self.assertIn("1 of 2 functions can be tested", listed)
        self.assertIn("it cannot be called by a harness: ", listed)

    def test_harness_of_what_cannot_be_called_has_places_to_fill_in(self):
        self.write("s.cpp", "#include <string>\n#include <map>\ndouble look(const std::map<std::string, double>& m, double x) { return x - 1; }\n")
        refused = self.run_faultline("hunt", "s.cpp", status=3)
        self.assertIn("cannot be made from numbers", self.run_faultline("list", "s.cpp", "--all").out + refused.err)
        printed = self.run_faultline("harness", "s.cpp", "-f", "look", status=0).out
        self.assertIn("m; // fill in", printed)
        self.assertIn("return look(m, x);", printed)

    def test_a_harness_to_fill_in_compiles(self):
        self.write("p.c", "double rows(double *a[], double (*f)(double, void *), void *p) { return f(*a[0], p); }\n"
                          "double planes(int n, double a[n][2], char **names) { return a[0][0] + names[0][0]; }\n")
        self.write("p.cpp", "#include <map>\n#include <string>\nstruct Table { explicit Table(const char *); double look(double) const; std::map<int, double> m; };\n"
                            "double Table::look(double x) const { return m.at(int(x)); }\n"
                            "double with(const Table &t, const std::map<int, double> &m, double x) { return t.look(x) + m.at(0); }\n"
                            "std::string named(const Table &t, double x) { return std::to_string(t.look(x)); }\n")
        for source, names in (("p.c", ("rows", "planes")), ("p.cpp", ("Table::look", "with", "named"))):
            for name in names:
                printed = self.run_faultline("harness", source, "-f", name, status=None)
                self.assertIn("fill in", printed.out, printed.err)
                self.write("h" + source, printed.out)
                compiler = "clang-19" if source.endswith(".c") else "clang++-19"
                subprocess.run([compiler, "-fsyntax-only", "-Werror=incompatible-pointer-types", "h" + source], cwd=self.scratch, check=True)

    @unittest.skipUnless(Path("/usr/include/eigen3/Eigen/Dense").exists(), "Eigen is not installed")
    def test_tests_of_functions_that_return_matrices_compile(self):
        self.write("m.cpp", "#include <eigen3/Eigen/Dense>\nEigen::Matrix2d made(double x) {\n"
                            "  Eigen::Matrix2d m; m << (x + 1e9) - 1e9, 0, 0, 0; return m; }\n")
        run = self.hunt("m.cpp", "--evals", "2000", "-o", "m_test.cpp", status=1)
        self.assertNotIn("do not compile", run.err)
        self.assertIn("TEST(", (self.scratch / "m_test.cpp").read_text())

    def test_sizes_that_differ_between_tests_are_in_a_file(self):
        self.write("v.cpp", "#include <vector>\ndouble gap(const std::vector<double>& v) { return (v[0] + 1e9) - v[1] - 1e9; }\n"
                            "double gap3(const std::vector<double>& v) { return (v[0] + 1e9) - v[2] - 1e9; }\n")
        self.write("faultline.toml", "[function.gap]\nsize = { v = 2 }\n[function.gap3]\nsize = { v = 3 }\n")
        self.hunt("v.cpp", "--evals", "2000", "-o", "v_test.cpp", status=1)
        text = (self.scratch / "v_test.cpp").read_text()
        self.assertIn("--config sizes.toml", text.replace("\n// ", " "))
        sizes = [line.removeprefix("//   ") for line in text.splitlines() if line.startswith("//   function.")]
        self.write("sizes.toml", "\n".join(sizes) + "\n")
        printed = self.run_faultline("harness", "v.cpp", "-f", "gap", "-f", "gap3", "--config", "sizes.toml", status=0).out
        self.assertIn("= 2 }", printed)
        self.assertIn("= 3 }", printed)

    def test_missing_size_is_told_with_the_option(self):
        self.write("v.cpp", "#include <vector>\ndouble first(const std::vector<double>& v) { return v[0] - 1; }\n")
        self.assertIn("--size v=N", self.run_faultline("list", "v.cpp", "--all").out)

    def test_harness_that_does_not_compile_loses_no_other(self):
        self.write("t.hpp", "#include <cmath>\ntemplate <class T> T bad(T x) { return x.nothing(); }\n"
                            "template <class T> T good(T x) { return std::cos(x) - 1; }\n")
        listed = self.run_faultline("list", "t.hpp", "--all", status=0).out
        self.assertIn("2 of 4 functions can be tested", listed)
        self.assertIn("it cannot be called by a harness: member reference base type 'double'", listed)


if __name__ == "__main__":
    unittest.main()
