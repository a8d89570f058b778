"""Incomplete programs: a function without a definition, one of several that is refused, a file that does not compile."""
import json
import unittest

from faultline_case import FaultlineCase

# The difference loses all digits near 1; below 0 something is called that is not there.
PARTIAL = """void errmsg(const char *);
double versine(double x) {
  if (x < 0)
    errmsg("negative");
  return (x + 1e16) - 1e16;
}
double always(double x) {
  errmsg("always");
  return x * x;
}
"""
WORDS = "calls errmsg, which is missing"


class Partial(FaultlineCase):
    def test_missing_function_ends_the_input_and_no_more(self):
        self.write("p.c", PARTIAL)
        run = self.hunt("p.c", "--evals", "2000", status=1)
        versine, always = run.targets["versine"], run.targets["always"]
        self.assertEqual(versine["outcome"], "found")
        self.assertRegex(versine["note"], f"^[0-9]+ of [0-9]+ inputs: {WORDS} .*--reject errmsg")
        self.assertNotIn("crash", {finding["kind"] for finding in run.findings})
        self.assertTrue(all(float.fromhex(finding["input"]["x"]["hex"]) >= 0 for finding in run.findings))
        self.assertEqual((always["outcome"], always["findings"]), ("unknown", []))
        self.assertIn(WORDS, always["note"])

    def test_nothing_but_missing_functions_is_inconclusive(self):
        self.write("p.c", PARTIAL)
        run = self.run_faultline("hunt", "p.c", "-f", "always", status=4)
        self.assertIn(WORDS, run.out)

    def test_missing_function_that_is_a_handler_refuses_the_input(self):
        self.write("p.c", PARTIAL)
        note = self.hunt("p.c", "-f", "versine", "--evals", "2000", "--reject", "errmsg").targets["versine"]["note"]
        self.assertRegex(note, "inputs were refused by errmsg")
        self.assertNotIn("is missing", note)

    def test_a_handler_that_is_partial_itself_still_refuses_the_input(self):
        self.write("p.c", PARTIAL.replace('errmsg("negative")', 'mtherr("versine", 1)') +
                   'int mtherr(char *name, int code) { errmsg(name); return 0; }\n')
        text = (self.scratch / "p.c").read_text()
        self.write("p.c", "int mtherr(char *, int);\n" + text)
        note = self.hunt("p.c", "-f", "versine", "--evals", "2000").targets["versine"]["note"]
        self.assertRegex(note, "inputs were refused by mtherr")
        self.assertNotIn("is missing", note)

    def test_explain_cover_and_replay_say_what_is_missing(self):
        self.write("p.c", PARTIAL)
        explained = self.run_faultline("explain", "p.c", "-f", "versine", "--at", "x=-1", status=None)
        self.assertIn(f"unknown: it {WORDS}", explained.out)
        self.assertNotIn("crash", explained.out)
        covered = self.run_faultline("cover", "p.c", "-f", "versine", "-o", "p_test.cpp", status=None)
        self.assertIn(f"x=-1 {WORDS}", covered.out)
        tests = (self.scratch / "p_test.cpp").read_text()
        self.assertIn(f"is left out: the call {WORDS}", tests)
        self.assertNotIn("EXPECT_DEATH", tests)
        self.run_faultline("hunt", "p.c", "-f", "versine", "--evals", "2000", "-o", "p.json", status=1)
        text = (self.scratch / "p.c").read_text().replace("x < 0", "x >= 0")
        self.write("p.c", text)
        replayed = self.run_faultline("replay", "p.json", status=None)
        self.assertIn(WORDS, replayed.out)
        self.assertRegex(replayed.out, "0 reproduced, [1-9]")

    def test_regression_tests_are_tried_out_without_what_is_missing(self):
        self.write("p.c", PARTIAL)
        run = self.run_faultline("hunt", "p.c", "-f", "versine", "-o", "p_test.c", status=1)
        self.assertNotIn("undefined", run.err)
        self.assertIn("versine", (self.scratch / "p_test.c").read_text())

    def test_one_refused_function_does_not_lose_the_others(self):
        self.write("p.c", "double good(double x) { return (x + 1e16) - 1e16; }\n"
                          "double bad(void **p) { return p ? 1.0 : 2.0; }\n"
                          "double quad(double x) { return (double)((__float128)x * x + 1); }\n")
        run = self.hunt("p.c", "-f", "bad", "-f", "good", "-f", "quad", status=1)
        self.assertEqual({name: target["outcome"] for name, target in run.targets.items()},
                         {"good": "found", "bad": "refused", "quad": "refused"})
        self.assertIn("binary128", run.targets["quad"]["note"])
        self.assertIn("no input", run.targets["bad"]["note"])
        shown = self.run_faultline("hunt", "p.c", "-f", "bad", "-f", "good", "-f", "quad", "-o", "p.xml", status=1)
        self.assertRegex(shown.out, "bad is refused: ")
        self.assertRegex(shown.out, "quad is refused: .*binary128")
        self.assertRegex(shown.out, "in 1 function .*; 2 refused")
        self.assertIn("<skipped", (self.scratch / "p.xml").read_text())

    def test_the_rest_decides_the_exit_status(self):
        self.write("p.c", "double fine(double x) { return -x; }\ndouble bad(void **p) { return p ? 1.0 : 2.0; }\n"
                          "double quad(double x) { return (double)((__float128)x * x + 1); }\n")
        self.run_faultline("hunt", "p.c", "-f", "fine", "-f", "bad", status=0)
        self.run_faultline("hunt", "p.c", "-f", "fine", "-f", "quad", status=0)
        self.run_faultline("hunt", "p.c", "-f", "bad", "-f", "quad", status=3)
        nowhere = self.run_faultline("hunt", "p.c", "-f", "fine", "-f", "nowhere", status=3)
        self.assertIn("there is no function 'nowhere'", nowhere.err)

    def test_one_file_that_does_not_compile_does_not_lose_the_folder(self):
        self.write("code/a.c", '#include "config.h"\ndouble lost(double x) { return x; }\n')
        self.write("code/b.c", "double kept(double x) { return (x + 1e16) - 1e16; }\n")
        listed = self.run_faultline("list", "code", status=0)
        self.assertIn("kept", listed.out)
        self.assertRegex(listed.err, "code/a.c is left out, as it does not compile: code/a.c:1:10: fatal error: 'config.h'")
        self.assertRegex(listed.err, r"file not found\n  try: config.h is made by the build: run configure .*faultline cc")
        self.assertIn("1 of 2 files is left out, as it does not compile: code/a.c", listed.err)
        hunted = self.run_faultline("hunt", "code", "-o", "a.json", status=1)
        self.assertIn("1 of 2 files is left out", hunted.err)
        self.assertIn("1 of 2 files is left out, as it does not compile: code/a.c", json.loads((self.scratch / "a.json").read_text())["remarks"])
        self.assertIn("config.h", self.run_faultline("hunt", "code/a.c", status=3).err)
        self.run_faultline("hunt", "code/a.c", "code/a.c", status=3)

    def test_what_is_left_out_is_told_once_however_many_reports_there_are(self):
        self.write("code/a.c", '#include "config.h"\ndouble lost(double x) { return x; }\n')
        self.write("code/b.c", "double kept(double x) { return (x + 1e16) - 1e16; }\n")
        hunted = self.run_faultline("hunt", "code", "-o", "a.json", "-o", "a.csv", "-o", "a_test.c", status=1)
        self.assertEqual(hunted.err.count("code/a.c is left out"), 1, hunted.err)
        reported = self.run_faultline("report", "a.json", "-o", "b.csv", "-o", "b_test.c", status=0)
        self.assertEqual(reported.err.count("code/a.c is left out"), 1, reported.err)

    def test_the_same_file_named_twice_is_one_file(self):
        self.write("code/b.c", "double kept(double x) { return (x + 1e16) - 1e16; }\n")
        (self.scratch / "link.c").symlink_to("code/b.c")
        run = self.run_faultline("hunt", "code/b.c", "./code/../code/b.c", "link.c", "code", status=1)
        self.assertNotIn("keeps its own", run.err)

    def test_a_database_alone_is_all_its_files(self):
        self.write("src/a.c", "double next(void) { return 1; }\ndouble first(double x) { return x + next() + ONE; }\n")
        self.write("src/b.c", "double next(void) { return 2; }\ndouble second(double x) { return x + next() + ONE; }\n")
        self.write("src/c.f90", "real(8) function third(x)\n  real(8), intent(in) :: x\n  third = x / 2\nend function\n")
        self.write("src/d.c", "double fourth(double x) { return x + ONE; }\n")
        entries = [{"directory": str(self.scratch), "file": file, "command": f"cc -DONE=1 -c {file}"} for file in
                   ("src/a.c", "src/b.c", "src/a.c", "src/c.f90", "src/start.S", "src/gone.c")]
        self.write("build/compile_commands.json", json.dumps(entries))
        listed = self.run_faultline("list", "-p", "build", status=0)
        for function in ("first", "second", "third"):
            self.assertIn(function, listed.out)
        self.assertIn("src/b.c keeps its own next, which src/a.c defines, too", listed.err)
        more = self.run_faultline("list", "-p", "build", "src", status=0)
        self.assertIn("fourth", more.out)
        self.assertIn("src/d.c is not in build: it is compiled with the flags of src/a.c", more.err)
        found = self.hunt("-p", "build", "-f", "second", status=None)
        for finding in found.findings:
            self.assertNotIn("a.c", finding["replay"])

    def test_fortran_files_are_compiled_in_the_order_of_their_modules(self):
        self.write("code/a.f90", "real(8) function area(r)\n  use circles\n  real(8), intent(in) :: r\n  area = pi * r * r\nend function\n")
        self.write("code/z.f90", "module circles\n  real(8), parameter :: pi = 3.14d0\nend module\n")
        self.assertIn("area", self.run_faultline("list", "code", status=0).out)


if __name__ == "__main__":
    unittest.main()
