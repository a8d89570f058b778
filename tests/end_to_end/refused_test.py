"""What the code refuses is not its fault; and what it throws, or stops with, says what and where."""
import unittest

from faultline_case import FaultlineCase

THROWS = """#include <cmath>
#include <stdexcept>
#include <vector>
double root(double x) {
  if (x < 0)
    throw std::domain_error("root of a negative number");
  return std::sqrt(x);
}
double steps(double x) {
  if (x > 100)
    throw std::runtime_error("too\\nmany \\x01 steps");
  if (x < -100)
    throw 42;
  return x * 2;
}
double twice(double x) {
  if (x > 1e10)
    throw std::runtime_error("first");
  if (x < -1e10)
    throw std::runtime_error("second");
  return x;
}
double caught(double x) {
  try {
    if (x > 100)
      throw std::runtime_error("caught");
  } catch (const std::exception&) {
    return 1;
  }
  return x;
}
double at(double x) {
  static const std::vector<double> table = {1, 2, 3};
  return table.at(x < 0 || x >= 3 ? 7 : size_t(x));
}
"""

# The root of x - 1 loses all digits at 1; below it is refused.
REFUSES = """int mtherr(char *name, int code);
double sqrt(double);
double f(double x) {
  if (x < 1) {
    mtherr("f", 1);
    return (x + 1e30) - 1e30;
  }
  return x * x;
}
void abort(void);
double g(double x) {
  if (x < 1) {
    mtherr("g", 1);
    abort();
  }
  return x * x;
}
double pole(double x) {
  if (x == 0)
    mtherr("pole", 2);
  return 1 / x;
}
"""
HANDLER = "int merror;\nint mtherr(char *name, int code) { merror = code; return 0; }\n"

STOPS = """real(8) function halts(x)
  real(8), intent(in) :: x
  halts = x * 2
  if (x > 100) stop 3
  if (x < -100) error stop 'too small'
end function
"""


class Refused(FaultlineCase):
    def kinds(self, target):
        return sorted(finding["kind"] for finding in target["findings"])

    def thrown(self, target):
        return {(f["thrown"]["type"], f["thrown"]["what"], f["cause"]["line"]) for f in target["findings"]}

    def test_exceptions_have_type_what_and_place(self):
        self.write("t.cpp", THROWS)
        targets = self.hunt("t.cpp", "--for", "crashes", status=1).targets
        (root,) = targets["root"]["findings"]
        self.assertEqual((root["kind"], root["thrown"]), ("exception", {"type": "std::domain_error", "what": "root of a negative number"}))
        self.assertEqual((root["cause"]["line"], root["cause"]["operation"], root["cause"]["function"]), (6, "throw", "root"))
        self.assertEqual((root["silent"], root["reported_by"]), (False, "exception"))
        self.assertEqual(root["detail"], "threw std::domain_error: root of a negative number")
        self.assertEqual(self.thrown(targets["steps"]), {("std::runtime_error", "too?many ? steps", 11), ("int", "", 13)})
        self.assertTrue(all(finding["reported_by"] == "exception" for finding in targets["steps"]["findings"]))
        self.assertEqual(self.thrown(targets["twice"]), {("std::runtime_error", "first", 18), ("std::runtime_error", "second", 20)})
        self.assertEqual(targets["caught"]["findings"], [])
        (beyond,) = targets["at"]["findings"]
        self.assertEqual((beyond["thrown"]["type"], beyond["cause"]["line"]), ("std::out_of_range", 34))
        self.assertNotIn("reported_by", beyond)

    def test_exceptions_are_found_again_and_written_everywhere(self):
        self.write("t.cpp", THROWS)
        hunt = ["hunt", "t.cpp", "-f", "steps", "--for", "crashes", "--corpus", "corpus", "--fail-on", "note"]
        self.run_faultline(*hunt, "-o", "a.json", "-o", "a.sarif", "-o", "a.xml", "-o", "a.html", status=1)
        replay = self.run_faultline("replay", "a.json", status=0)
        self.assertIn("2 reproduced, 0 not", replay.out)
        self.assertIn("2 reproduced, 0 not", self.run_faultline("replay", "corpus", status=0).out)
        self.run_faultline(*hunt, "--baseline", "a.json", status=0)
        self.assertIn('"ruleId": "exception"', (self.scratch / "a.sarif").read_text())
        self.assertIn("# Exception", self.run_faultline("explain", "--kind", "exception", status=0).out)
        told = self.run_faultline("explain", "t.cpp", "-f", "steps", "--at", "x=101", status=0)
        self.assertIn("threw std::runtime_error: too?many ? steps", told.out)

    def test_handlers_of_libraries_are_known(self):
        self.write("without.c", REFUSES)
        self.write("with.c", HANDLER + REFUSES.replace("int mtherr(char *name, int code);\n", ""))
        for file in ("without.c", "with.c"):
            targets = self.hunt(file, "--evals", "2000", status=None).targets
            for function in ("f", "g"):
                self.assertTrue(set(self.kinds(targets[function])) <= {"overflow", "underflow"}, targets[function]["findings"])
                self.assertRegex(targets[function]["note"], "[0-9]+ inputs were refused by mtherr")
            (pole,) = [f for f in targets["pole"]["findings"] if f["kind"] == "divide-by-zero"]
            self.assertEqual((pole["silent"], pole["reported_by"]), (False, "rejected"))

    def test_none_switches_them_off(self):
        self.write("with.c", HANDLER + REFUSES.replace("int mtherr(char *name, int code);\n", ""))
        targets = self.hunt("with.c", "--evals", "2000", "--reject", "none", status=1).targets
        self.assertIn("inaccuracy", self.kinds(targets["f"]))
        self.assertIn("crash", self.kinds(targets["g"]))

    def test_other_handlers_can_be_named(self):
        for name, handler, said in (("a.c", "fail", "fail"), ("b.cpp", "own::fail", "own::fail")):
            begin, end = ("namespace own {\n", "}\n") if "::" in handler else ("", "")
            self.write(name, f"{begin}int failures;\nvoid fail(int code) {{ failures += code; }}\n{end}"
                             f"double f(double x) {{ if (x < 1) {{ {handler}(1); return (x + 1e30) - 1e30; }} return x; }}\n")
            loud = self.hunt(name, "-f", "f", "--evals", "2000", status=1).targets["f"]
            self.assertIn("inaccuracy", self.kinds(loud))
            quiet = self.hunt(name, "-f", "f", "--evals", "2000", "--reject", said, status=0).targets["f"]
            self.assertEqual(quiet["findings"], [])
            self.assertRegex(quiet["note"], f"refused by {said}")
            self.assertIn("--reject", " ".join(quiet["settings"]))

    def test_the_file_can_name_them(self):
        self.write("a.c", "int failures;\nvoid fail(int code) { failures += code; }\n"
                          "double f(double x) { if (x < 1) { fail(1); return (x + 1e30) - 1e30; } return x; }\n")
        self.write("faultline.toml", 'reject = ["fail"]\n')
        self.assertEqual(self.hunt("a.c", "-f", "f", "--evals", "2000", status=0).targets["f"]["findings"], [])

    def test_stop_says_what_and_where(self):
        self.write("s.f90", STOPS)
        findings = self.hunt("s.f90", "--for", "crashes", status=1).targets["halts"]["findings"]
        self.assertEqual({(f["kind"], f["detail"], f["cause"]["line"], f["cause"]["operation"]) for f in findings},
                         {("exception", "STOP 3", 4, "STOP"), ("exception", "ERROR STOP too small", 5, "STOP")})

    def test_exit_says_what_and_where(self):
        self.write("e.c", "void exit(int);\ndouble f(double x) {\n  if (x > 100)\n    exit(2);\n  return x;\n}\n")
        (finding,) = self.hunt("e.c", "--for", "crashes", status=1).findings
        self.assertEqual((finding["kind"], finding["detail"], finding["cause"]["line"]), ("exception", "exit(2)", 4))
        self.assertNotIn("thrown", finding)


if __name__ == "__main__":
    unittest.main()
