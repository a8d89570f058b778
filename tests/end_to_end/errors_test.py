"""What a user can do wrong: each gets a message that names the thing, a hint, and the exit status that README promises."""
import unittest

from faultline_case import FaultlineCase

SQUARE = "double square(double x) { return x * x; }\n"


class Errors(FaultlineCase):
    def refused(self, status, *words, says=()):
        run = self.run_faultline(*words, status=status)
        self.assertEqual(run.out, "", "an error is no result")
        self.assertTrue(run.err.startswith("faultline: error: "), run.err)
        self.assertIn("  try: ", run.err)
        for text in says:
            self.assertIn(text, run.err)
        return run

    def setUp(self):
        super().setUp()
        self.write("square.c", SQUARE)

    def test_missing_file_is_named_with_the_nearest_one(self):
        self.refused(2, "hunt", "sqare.c", says=["sqare.c: no such file", "square.c"])
        self.refused(2, "list", "nowhere/foo.c", says=["nowhere/foo.c: no such file"])
        self.refused(2, "hunt", says=["no source file"])

    def test_syntax_error_is_shown_in_the_compilers_words(self):
        self.write("wrong.c", "double f(double x) {\n  return x +;\n}\n")
        self.refused(3, "hunt", "wrong.c", says=["wrong.c:2:13: error: expected expression", "return x +;"])
        self.write("wrong.cpp", "double f(double x) { return undeclared(x); }\n")
        self.refused(3, "hunt", "wrong.cpp", says=["wrong.cpp:1:29: error: use of undeclared identifier 'undeclared'"])
        self.write("wrong.f90", "real(8) function f(x)\n  real(8) :: x\n  f = x +\nend function\n")
        self.refused(3, "hunt", "wrong.f90", says=["wrong.f90:3:", "error"])

    def test_unknown_function_comes_with_the_nearest_names(self):
        self.write("waves.c", "double sine(double x) { return x; }\ndouble cosine(double x) { return x; }\n" + SQUARE)
        self.refused(3, "hunt", "waves.c", "-f", "cosin", says=["no function 'cosin'", "nearest names: cosine"])
        self.refused(3, "explain", "waves.c", "-f", "sinne", "--at", "x=1", says=["no function 'sinne'", "sine"])

        self.refused(3, "hunt", "waves.c", "-f", "COSINE", says=["nearest names: cosine"])

    def test_file_without_functions_is_told_from_one_with_unsuitable_ones(self):
        self.write("empty.c", "\n")
        self.refused(3, "hunt", "empty.c", says=["empty.c: there are no functions in it"])
        self.write("inner.c", "static double f(double x) { return x; }\n")
        self.refused(3, "hunt", "inner.c", says=["inner.c: there are no functions in it that another file could call", "static"])
        self.write("program.f90", "program p\n  print *, 1\nend program\n")
        self.refused(3, "hunt", "program.f90", says=["program.f90: there are no functions in it"])
        self.write("odd.c", "int odd(int n) { return n & 1; }\n")
        self.refused(3, "hunt", "odd.c", says=["no function is suitable", "write a harness"])

    def test_unsupported_float_format_is_refused(self):
        self.write("quad.c", "__float128 f(__float128 x) { return x * x; }\n")
        self.refused(3, "hunt", "quad.c", says=["__float128", "not supported"])
        self.write("inside.c", "double f(double x) { __float128 y = x; return (double)(y * y + 1); }\n")
        self.refused(3, "hunt", "inside.c", says=["inside.c:1", "binary128"])

    def test_range_the_wrong_way_round_is_refused(self):
        self.refused(2, "hunt", "square.c", "--range", "x=2:1", says=["--range x=2:1", "low end", "--range x=1:2"])
        self.refused(2, "hunt", "square.c", "--range", "x=2", says=["--range x=2"])
        self.refused(2, "hunt", "square.c", "--range", "x=a:b", says=["'a' is not a number"])
        self.refused(2, "hunt", "square.c", "--range", "y=1:2", says=["no input of that name", "x"])

    def test_reference_that_does_not_load_is_refused(self):
        self.write("wrong.c", "double f(double x) { return x +; }\n")
        self.write("odd.c", "int odd(int n) { return n & 1; }\n")
        for reference, words in {"nowhere.c:f": "nowhere.c: no such file", "square.c:cube": "no function 'cube'",
                                 "wrong.c:f": "expected expression", "odd.c:odd": "does not look like a reference",
                                 "square.c": "FILE:FUNCTION"}.items():
            with self.subTest(reference):
                self.refused(2, "hunt", "square.c", "--reference", reference, says=[words])
        self.refused(2, "hunt", "square.c", "--oracle", "reference", says=["--reference FILE:FUNCTION"])

    def test_unknown_option_and_command_come_with_the_nearest(self):
        self.refused(2, "hunt", "square.c", "--treshold", "1", says=["unknown option '--treshold'", "--threshold"])
        self.refused(2, "hant", "square.c", says=["unknown command 'hant'", "hunt"])
        self.refused(2, says=["no command"])

    def test_unknown_words_for_options_are_refused(self):
        for option, word in {"--strategy": "hope", "--oracle": "delphi", "--for": "fun", "--seed": "x", "--evals": "0",
                             "--threshold": "-1", "--budget": "soon", "-j": "0", "--format": "x=decimal64", "--hold": "x",
                             "--size": "A=0"}.items():
            with self.subTest(option):
                self.refused(2, "hunt", "square.c", option, word, says=[option, word])
        self.refused(2, "hunt", "square.c", "--strategy", "hope", says=["auto", "random", "atomu"])

    def test_malformed_findings_are_refused(self):
        self.write("half.json", '{ "faultline": ')
        self.write("other.json", '{"dependencies": {}}')
        self.write("list.json", "[1, 2]")
        self.write("targets.json", '{"faultline": "0.1.0", "schema": 1, "command": ["hunt", "square.c"], "seed": 1, "targets": 7}')
        self.write("schema.json", '{"faultline": "9", "schema": 99, "command": ["hunt", "square.c"], "seed": 1, "targets": []}')
        self.write("empty.json", "")
        for command in ("replay", "report"):
            for file in ("half.json", "other.json", "list.json", "targets.json", "schema.json", "empty.json", "none.json"):
                with self.subTest(f"{command} {file}"):
                    self.refused(2, command, file, says=[file])

    def test_report_that_cannot_be_written_is_refused_before_the_hunt(self):
        for file in ("nowhere/findings.json", "/proc/findings.json", "."):
            with self.subTest(file):
                self.refused(2, "hunt", "square.c", "-o", file, says=[file])
        self.refused(2, "hunt", "square.c", "-o", "findings.doc", says=["findings.doc", ".json"])

    def test_file_without_a_suitable_function_says_why(self):
        self.write("whole.c", "int twice(int n) { return 2 * n; }\n")
        self.refused(3, "hunt", "whole.c", says=["twice", "no floating-point output", "harness"])
        self.write("array.c", "double first(int n, double a[n][n]) { return a[n - 1][0] + 1; }\n")
        self.refused(3, "hunt", "array.c", says=["first", "--size a=N"])
        self.write("empty.c", "\n")
        self.refused(3, "hunt", "empty.c")
        listed = self.run_faultline("list", "whole.c", status=3)
        self.assertIn("0 of 1", listed.out)

    def test_malformed_bitcode_is_refused(self):
        self.write("text.ll", "this is no LLVM IR\n")
        self.write("text.bc", "this is no bitcode\n")
        self.write("cut.bc", "BC\u00c0\u00de")
        for file in ("text.ll", "text.bc", "cut.bc"):
            with self.subTest(file):
                self.refused(3, "hunt", file, says=[file, "clang-19"])

    def test_unknown_ending_is_refused(self):
        self.write("notes.txt", "hello\n")
        self.refused(2, "hunt", "notes.txt", says=["notes.txt", ".f90"])

    def test_help_is_no_error(self):
        for words in (["--help"], ["--version"], *([c, "--help"] for c in ("hunt", "list", "explain", "replay", "report"))):
            run = self.run_faultline(*words, status=0)
            self.assertTrue(run.out and not run.err)


if __name__ == "__main__":
    unittest.main()
