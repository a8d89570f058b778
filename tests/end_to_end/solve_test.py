"""faultline solve: what is wrong with a file is one line that says where, and the exit status is 2."""
import os
import signal
import subprocess
import time
import unittest

from faultline_case import FAULTLINE, FaultlineCase

HEAD = "(set-logic QF_FP)\n(declare-fun x () (_ FloatingPoint 11 53))\n"
SQUARE_IS_2 = HEAD + "(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.25)))\n(check-sat)\n(get-model)\n"


class Solve(FaultlineCase):
    def refused(self, *words, says, stdin=None):
        done = subprocess.run([FAULTLINE, "solve", *words], cwd=self.scratch, env=self.environment(), capture_output=True, input=stdin,
                              timeout=60, check=False)
        err = done.stderr.decode()
        self.assertEqual(done.returncode, 2, err)
        self.assertEqual(done.stdout, b"", "an error is no result")
        lines = err.splitlines()
        self.assertTrue(lines[0].startswith("faultline: error: "), err)
        self.assertLess(len(lines[0]), 300)
        self.assertEqual([line[:7] for line in lines[1:]], ["  try: "], "one line says what is wrong, one what to try")
        self.assertIn(says, lines[0])

    def refused_text(self, text, says):
        (self.scratch / "problem.smt2").write_bytes(text if isinstance(text, bytes) else text.encode())
        self.refused("problem.smt2", says=says)

    def has_solver(self):
        self.write("trivial.smt2", "(assert true)(check-sat)")
        run = self.run_faultline("solve", "trivial.smt2")
        if "has no solver" in run.err:
            self.skipTest("no solvers in this build")

    def test_malformed_script_is_refused_with_its_place(self):
        self.refused_text(HEAD + "(assert (fp.lt x", "problem.smt2:3:9: a '(' that is never closed")
        self.refused_text(HEAD + "(assert (fp.lt x x)))\n", "problem.smt2:3:21: expected a command, found ')'")
        self.refused_text(HEAD + "(assert (fp.lt x y))", "problem.smt2:3:18: undeclared symbol 'y'")
        self.refused_text(HEAD + "(assert (fp.lt x))", "fp.lt: takes 2 or more operands, not 1")
        self.refused_text(HEAD + "(assert x)", "of sort (_ FloatingPoint 11 53), not Bool")
        self.refused_text(HEAD + "(check-sat) and more", "expected a command, found 'and'")

    def test_file_without_a_problem_is_refused(self):
        for text in ("", "\n\n", "; a comment\n", HEAD):
            self.refused_text(text, "the file contains no problem")

    def test_file_that_is_no_text_is_refused(self):
        self.refused_text(b"\x7fELF\x02\x01\x01\x00" + bytes(1000), "problem.smt2:1:1: unexpected byte 0x7f")
        self.refused_text(HEAD.encode() + b"(assert \x00)", "unexpected byte 0x00")
        self.refused_text(os.urandom(5000) + b"\xff", "problem.smt2:")

    def test_what_is_not_supported_is_named(self):
        self.refused_text("(set-logic QF_LIA)\n(declare-fun n () Int)", "problem.smt2:1:12: unsupported logic 'QF_LIA'")
        self.refused_text("(declare-fun v () (_ BitVec 256))", "unsupported sort (_ BitVec 256)")
        self.refused_text("(declare-fun r () Real)", "unsupported sort Real")
        self.refused_text("(declare-fun q () (_ FloatingPoint 19 237))", "unsupported sort (_ FloatingPoint 19 237)")
        self.refused_text(HEAD + "(assert (forall ((y Float64)) (= x y)))", "quantifiers are not supported")
        self.refused_text(HEAD + "(pop 1)(assert true)(check-sat)", "1 levels to pop, of 0")

    def test_deep_nesting_is_no_crash(self):
        depth = 200_000
        self.refused_text(HEAD + "(assert " + "(not " * depth, "a '(' that is never closed")
        self.refused_text("(" * depth, "expected a command")
        self.refused_text(HEAD + "(assert " + "(" * depth, "expected _ and a function")
        self.refused_text(HEAD + "(assert " + "(not " * depth + "x" + ")" * depth + ")", "not: operand 1 is of sort")
        self.refused_text(HEAD + "(declare-fun y () " + "(" * depth, "unsupported sort")

    def test_definitions_that_explode_end_in_a_message(self):
        text = HEAD + "(define-fun f0 ((a Float64)) Float64 (fp.neg a))\n"
        for i in range(1, 60):
            text += f"(define-fun f{i} ((a Float64)) Float64 (f{i - 1} (f{i - 1} a)))\n"
        self.refused_text(text + "(assert (fp.isNaN (f59 x)))", "expand to too much text")

    def test_missing_file_and_folder_are_refused(self):
        self.refused("nowhere.smt2", says="nowhere.smt2: No such file")
        self.refused(".", says=".: is a folder")
        self.refused(says="no problem given")
        with open(self.scratch / "large.smt2", "wb") as large:
            large.truncate(300 << 20)
        self.refused("large.smt2", says="large.smt2: larger than 256 MB")
        self.refused("-", says="standard input:1:1: the file contains no problem", stdin=b"")

    def test_unknown_option_values_are_refused(self):
        self.write("problem.smt2", SQUARE_IS_2)
        self.refused("problem.smt2", "--solver", "hope", says="--solver hope: there is no such solver")
        self.refused("problem.smt2", "--time", "soon", says="--time soon")
        self.refused("problem.smt2", "--seed", "x", says="--seed x")
        self.refused("problem.smt2", "--", "-O2", says="takes no compiler flags")

    def test_answer_stands_alone_on_the_first_line_and_a_model_follows(self):
        self.has_solver()
        self.write("square.smt2", SQUARE_IS_2)
        run = self.run_faultline("solve", "square.smt2", status=0)
        lines = run.out.splitlines()
        self.assertEqual(lines[:2], ["sat", "("])
        self.assertRegex(lines[2], r"^  \(define-fun x \(\) \(_ FloatingPoint 11 53\) \(fp #b[01] #b[01]{11} #b[01]{52}\)\) ; -?1\.5 -?0x1\.8p\+0$")
        self.assertEqual(lines[3], ")")
        self.assertTrue(all(line.startswith("; ") for line in lines[4:]), run.out)

    def test_problem_is_read_from_standard_input(self):
        self.has_solver()
        done = subprocess.run([FAULTLINE, "solve", "-"], input=SQUARE_IS_2, env=self.environment(), capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual((done.returncode, done.stdout.split("\n")[0]), (0, "sat"), done.stderr)

    def test_several_checks_are_answered_in_their_order(self):
        self.has_solver()
        self.write("several.smt2", "(set-logic QF_BVFP)(declare-fun x () Float32)(declare-fun r () RoundingMode)(declare-fun b () (_ BitVec 8))"
                   "(assert (= x ((_ to_fp_unsigned 8 24) r b)))(assert (= b #x07))(check-sat)(get-value (x b (fp.to_real x)))"
                   "(push 1)(assert (fp.isNaN x))(set-info :status unsat)(check-sat)(pop 1)(assert (distinct r RNE RNA RTP RTN))(check-sat)(get-model)")
        run = self.run_faultline("solve", "several.smt2", status=0)
        self.assertEqual(run.out, "sat\n((x (fp #b0 #b10000001 #b11000000000000000000000))\n (b #b00000111)\n ((fp.to_real x) 7.0))\nunsat\n"
                         "sat\n(\n  (define-fun x () (_ FloatingPoint 8 24) (fp #b0 #b10000001 #b11000000000000000000000)) ; 7 0x1.cp+2\n"
                         "  (define-fun r () RoundingMode RTZ)\n  (define-fun b () (_ BitVec 8) #b00000111)\n)\n")

    def test_model_is_not_told_of_after_what_changes_the_problem(self):
        self.has_solver()
        head = "(set-logic QF_FP)(declare-fun x () Float32)(push 1)(assert (fp.isNaN x))(check-sat)(get-value ((fp.isNaN x)))"
        stale = '(error "there is no model: nothing was checked since the last change")'
        for change in ("(pop 1)", "(push 1)", "(assert (fp.isZero x))", "(declare-fun y () Float32)"):
            for question in ("(get-value (x))", "(get-model)"):
                self.write("changed.smt2", f"{head}{change}{question}")
                run = self.run_faultline("solve", "changed.smt2", status=0)
                self.assertEqual(run.out.splitlines()[:3], ["sat", "(((fp.isNaN x) true))", stale], change)
        self.write("unsat.smt2", head + "(assert (fp.isZero x))(check-sat)(get-model)(get-unsat-core)")
        run = self.run_faultline("solve", "unsat.smt2", status=0)
        self.assertEqual(run.out.splitlines()[2:], ["unsat", '(error "there is no model: the last answer is unsat")', "unsupported"])

    def test_status_that_contradicts_the_answer_is_a_warning_and_the_exit_status(self):
        self.has_solver()
        self.write("claims.smt2", "(set-info :status unsat)\n" + SQUARE_IS_2)
        run = self.run_faultline("solve", "claims.smt2", status=1)
        self.assertTrue(run.out.startswith("sat\n"), run.out)
        self.assertIn("warning: claims.smt2 has :status unsat, and the answer is sat", run.err)

    def test_over_the_reals_a_model_is_found_and_nothing_is_refuted(self):
        self.write("square.smt2", SQUARE_IS_2)
        self.assertTrue(self.run_faultline("solve", "square.smt2", "--solver", "real", status=0).out.startswith("sat\n"))
        self.write("negative.smt2", HEAD + "(assert (fp.lt (fp.mul RNE x x) ((_ to_fp 11 53) RNE (- 1.0))))\n(check-sat)\n")
        run = self.run_faultline("solve", "negative.smt2", "--solver", "real", "--time", "5s", status=4)
        self.assertEqual(run.out.splitlines()[0], "unknown")

    def test_ctrl_c_ends_it_at_once(self):
        self.has_solver()
        # Fermat's last theorem for cubes, in floats that have room for it.
        cubes = "".join(f"(declare-fun {v} () Float64)(assert (fp.gt {v} ((_ to_fp 11 53) RNE 1000)))(assert (fp.lt {v} ((_ to_fp 11 53) RNE "
                        f"100000)))(assert (= {v} (fp.roundToIntegral RNE {v})))\n(define-fun {v}3 () Float64 (fp.mul RNE {v} (fp.mul RNE {v} {v})))\n"
                        for v in "abc")
        self.write("cubes.smt2", cubes + "(assert (= (fp.add RNE a3 b3) c3))(check-sat)\n")
        process = subprocess.Popen([FAULTLINE, "solve", "cubes.smt2", "--time", "10m"], cwd=self.scratch, env=self.environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        start = time.monotonic()
        process.communicate(timeout=60)
        self.assertLess(time.monotonic() - start, 5)

    def test_extents_are_the_least_and_the_greatest_value_over_all_models(self):
        self.has_solver()
        self.write("p.smt2", HEAD + "(assert (fp.lt x ((_ to_fp 11 53) RNE 9.0)))(assert (fp.gt (fp.mul RNE x x) ((_ to_fp 11 53) RNE 4.0)))"
                   "(assert (fp.gt x ((_ to_fp 11 53) RNE 0.0)))(check-sat)(get-value (x\n(fp.add RNE x x)(fp.isNaN x)))")
        out = self.run_faultline("solve", "p.smt2", "--solver", "interval", "--extent", status=0).out
        self.assertRegex(out, r"(?m)^; extent of x: \[2.0000000000000004 0x1.0000000000001p\+1, 8.999999999999998 \S+\], exact; \d+\.\d+ s, \d+ projections$")
        self.assertRegex(out, r"(?m)^; extent of \(fp.add RNE x x\): \[4.000000000000001 \S+, 17.999999999999996 \S+\], exact; ")
        self.assertIn("; extent of (fp.isNaN x): not a float\n", out)
        self.write("q.smt2", HEAD + "(assert (fp.lt x x))(check-sat)(get-value (x))")
        out = self.run_faultline("solve", "q.smt2", "--solver", "interval", "--extent", status=0).out
        self.assertRegex(out, r"\Aunsat\n; extent of x: empty, exact; ")


if __name__ == "__main__":
    unittest.main()
