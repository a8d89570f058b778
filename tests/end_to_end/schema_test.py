"""JSON reports are what schemas/report.schema.json says."""
import copy
import json
import unittest

from faultline_case import ROOT, FaultlineCase

SUFFIXES = (".c", ".cpp", ".f90")


def validator():
    try:
        import jsonschema
    except ImportError:
        raise unittest.SkipTest("python3-jsonschema is not installed: scripts/install-deps test") from None
    schema = json.loads((ROOT / "schemas/report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class Schema(FaultlineCase):
    def check(self, text):
        report = json.loads(text)
        self.assertEqual([f"{error.json_path}: {error.message[:200]}" for error in validator().iter_errors(report)], [])
        return report

    def hunted(self, *words, cwd=ROOT):
        run = self.run_faultline("hunt", *words, "--quiet", "-o", "-", cwd=cwd)
        self.assertIn(run.status, (0, 1, 4), run.err)
        return self.check(run.out)

    def test_reports_of_all_examples_are_valid(self):
        for path in sorted((ROOT / "examples").iterdir()):
            if path.suffix in SUFFIXES:
                with self.subTest(path.name):
                    report = self.hunted(path, "--evals", "1000", "--size", "4")
                    self.assertTrue(report["problems"] or path.name == "summation.c")

    def test_reports_of_exceptions_are_valid(self):
        for path in sorted((ROOT / "examples/exceptions").iterdir()):
            if path.suffix in SUFFIXES:
                with self.subTest(path.name):
                    self.hunted(path, "--evals", "1000", "--all")

    def test_a_report_of_a_crash_and_of_a_time_out_is_valid(self):
        self.write("f.c", "#include <stdlib.h>\ndouble f(double x) { if (x > 2) abort(); return x * 0.5; }\n")
        self.assertEqual(self.hunted("f.c", "--evals", "300", cwd=self.scratch)["problems"][0]["class"], "crash")
        self.hunted("examples/hostile/loop_forever.c", "--evals", "300")

    def test_a_report_without_findings_is_valid(self):
        self.write("f.c", "double f(double x) { return x * 0.5; }\n")
        report = self.hunted("f.c", "--evals", "300", "--for", "error", cwd=self.scratch)
        self.assertEqual((report["problems"], report["targets"][0]["findings"]), ([], []))

    def test_a_corpus_and_what_is_found_again_are_valid(self):
        for _ in range(2):  # the second hunt begins with what the first has found
            self.hunted(ROOT / "examples/one_minus_cos.c", "--evals", "1000", "--corpus", "corpus", cwd=self.scratch)
        kept = sorted((self.scratch / "corpus").iterdir())
        self.assertTrue(kept)
        for file in kept:
            self.check(file.read_text())
        self.run_faultline("replay", "corpus", status=0)

    def test_reports_with_a_baseline_and_a_suppression_are_valid(self):
        self.write("f.c", "#include <math.h>\ndouble f(double x) { return 1 - cos(x); } // faultline: ignore it is meant so\n"
                          "double g(double x) { return exp(x) - 1; }\n")
        (self.scratch / "known.json").write_text(json.dumps(self.hunted("f.c", "--evals", "500", cwd=self.scratch)))
        report = self.hunted("f.c", "--evals", "500", "--all", "--baseline", "known.json", cwd=self.scratch)
        self.assertTrue(any(problem.get("set_aside") for problem in report["problems"]))

    def test_an_explanation_is_valid(self):
        run = self.run_faultline("explain", ROOT / "examples/one_minus_cos.c", "-f", "one_minus_cos", "--at", "x=1e-7", "-o",
                                 "-")
        self.check(run.out)

    def test_the_schema_notices_what_is_wrong(self):
        report = self.hunted("examples/one_minus_cos.c", "--evals", "1000")
        for place, value in ((("seed",), "1"), (("targets", 0, "outcome"), "perhaps"), (("targets", 0, "seconds"), "1 s"),
                             (("targets", 0, "findings", 0, "error", "ulps"), "many"), (("problems", 0, "tier"), "bad"),
                             (("problems", 0, "findings"), []), (("problems", 0, "input", "x"), 1e-7)):
            wrong = copy.deepcopy(report)
            part = wrong
            for key in place[:-1]:
                part = part[key]
            part[place[-1]] = value
            self.assertFalse(validator().is_valid(wrong), place)


if __name__ == "__main__":
    unittest.main()
