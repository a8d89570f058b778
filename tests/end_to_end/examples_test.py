"""The examples: what README promises, in the format that docs/json.md promises."""
import unittest

from faultline_case import ERRORS, ROOT, FaultlineCase, inputs_of

NUMBER = {"decimal": str, "hex": str}
MEASURE = (int, float)  # infinity is the largest double
SCHEMA = {
    "faultline": str, "schema": int, "command": [str], "seed": int,
    "targets": [{
        "function": str, "file": str, "line": int,
        "inputs": [{"name": str, "format": str, "low": str, "high": str, "values?": [int]}],
        "sites": int, "evaluations": int, "judged?": int, "seconds": (int, float), "total_seconds": (int, float), "outcome": str,
        "cut?": bool, "note?": str, "folded?": int, "largest_everyday?": dict, "largest?": dict,
        "findings": [{
            "id": str, "kind": str, "input": dict, "everyday": bool, "half_digits?": bool, "doubtful?": bool, "output?": {"name": str, "computed": NUMBER, "reference?": NUMBER},
            "error?": {"relative": MEASURE, "absolute": MEASURE, "ulps": MEASURE, "bits": MEASURE},
            "oracle": str, "strategy": str, "found_by?": str,
            "cause?": {"file": str, "line": int, "column": int, "end_column?": int, "function?": str, "operation": str, "source?": str, "condition": MEASURE,
                       "share": MEASURE},
            "verdict": str, "silent?": bool, "reported_by?": str, "reaches_output?": bool,
            "swallowed_at?": {"file": str, "line": int, "operation": str}, "consequence?": bool, "harmless?": bool, "flags?": bool,
            "after_underflow?": bool, "result?": str, "follows_from?": dict, "thrown?": {"type": str, "what": str}, "detail?": str,
            "diagnosis?": {"class": str, "why": str,
                           "chain": [{"file": str, "line": int, "column": int, "function?": str, "operation": str, "text": str,
                                      "reference": str, "relative": MEASURE, "skipped?": int}],
                           "lines": [{"file": str, "line": int, "function?": str, "share": MEASURE, "growth": MEASURE}],
                           "accounted": MEASURE,
                           "remedy?": {"name": str, "advice": str, "relative": MEASURE, "tried": int, "condition?": str}},
            "share?": {"of": str, "low": (int, float), "high": (int, float)}, "when?": str,
            "fingerprint": str, "replay": str, "merged?": int,
            "roots?": [str], "handles_extremes?": bool, "seen?": str,
            "also?": [{"input": dict, "computed": NUMBER, "relative": MEASURE, "absolute": MEASURE}]}]}],
    "problems": [{
        "id": str, "tier": str, "class": str, "file": str, "line": int, "column": int, "source?": str, "functions": [str],
        "findings": [str], "input": dict, "everyday": bool, "output?": dict, "error?": dict, "worst?": dict, "share?": dict,
        "when?": str, "verdict": str, "remedy?": {"text": str, "tried": int, "error": MEASURE, "condition?": str},
        "set_aside?": bool, "other_lines?": list, "seen?": str}]}
EXCEPTIONS = ("overflow", "underflow", "invalid", "divide-by-zero")
OF_EXCEPTIONS = ("found_by?", "silent?", "reported_by?", "reaches_output?", "swallowed_at?", "consequence?", "harmless?", "flags?",
                 "after_underflow?", "thrown?", "result?", "follows_from?")
KINDS = {"inaccuracy", "overflow", "underflow", "invalid", "divide-by-zero", "crash", "timeout", "branch-flip", "bound-violated", "exception"}
VERDICTS = {"inaccuracy": {"avoidable", "ill-conditioned", "unknown"}, "overflow": {"avoidable", "inherent", "unknown"},
            "underflow": {"avoidable", "inherent", "unknown"}}


class Examples(FaultlineCase):
    def check(self, value, schema, path="report"):
        if isinstance(schema, list):
            self.assertIsInstance(value, list, path)
            for i, element in enumerate(value):
                self.check(element, schema[0], f"{path}[{i}]")
        elif isinstance(schema, dict):
            self.assertIsInstance(value, dict, path)
            known = {key.rstrip("?") for key in schema}
            required = {key for key in schema if not key.endswith("?")}
            self.assertEqual(set(value) - known, set(), f"{path} has keys that are not in docs/json.md")
            self.assertEqual(required - set(value), set(), f"{path} lacks keys of docs/json.md")
            for key, inner in schema.items():
                if key.rstrip("?") in value:
                    self.check(value[key.rstrip("?")], inner, f"{path}.{key}")
        else:
            self.assertIsInstance(value, schema, path)

    def check_report(self, report):
        self.check(report, SCHEMA)
        self.assertEqual((report["schema"], report["seed"]), (1, 1))
        for target in report["targets"]:
            names = [cell["name"] for cell in target["inputs"]]
            for finding in target["findings"]:
                self.assertIn(finding["kind"], KINDS)
                self.assertIn(finding["verdict"], VERDICTS.get(finding["kind"], {"avoidable", "inherent", "unknown"}))
                self.assertEqual(list(finding["input"]), names)
                for value in finding["input"].values():
                    self.check(value, NUMBER)
                    if target["inputs"][0]["format"] == "binary64":
                        self.assertEqual(float(value["decimal"]), float.fromhex(value["hex"]), "decimal and hex differ")
                if finding["kind"] in ERRORS:
                    optional = ("detail?", "merged?", "also?", "diagnosis?", "share?", "when?", "half_digits?", "doubtful?",
                                "roots?", "handles_extremes?", "seen?")
                    self.check(finding, {key if key in optional else key.rstrip("?"): inner
                                         for key, inner in SCHEMA["targets"][0]["findings"][0].items()
                                         if key not in OF_EXCEPTIONS})
                elif finding["kind"] in EXCEPTIONS:
                    self.assertLessEqual({"silent", "reaches_output", "consequence", "found_by"}, set(finding))

    def test_one_minus_cos_is_found(self):
        run = self.hunt_example("examples/one_minus_cos.c")
        self.check_report(run.json)
        finding = run.worst("one_minus_cos")
        self.assertEqual(finding["kind"], "inaccuracy")
        self.assertGreater(finding["error"]["relative"], 1e-3)
        cause = finding["cause"]
        self.assertEqual((cause["file"], cause["line"], cause["operation"]), ("examples/one_minus_cos.c", 10, "fsub"))
        self.assertEqual((finding["verdict"], finding["oracle"]), ("avoidable", "lifted"))
        target = run.targets["one_minus_cos"]
        self.assertEqual((target["file"], target["line"], target["outcome"]), ("examples/one_minus_cos.c", 9, "found"))
        self.assertEqual(target["inputs"][0]["name"], "x")
        self.assertEqual(target["inputs"][0]["format"], "binary64")

    def test_cpp_example_is_blamed_in_the_users_own_file(self):
        run = self.hunt_example("examples/quadratic.cpp")
        self.check_report(run.json)
        for function in ("quadratic_root", "quadratic_root_single"):
            finding = run.worst(function)
            self.assertGreater(finding["error"]["relative"], 1e-3)
            self.assertEqual(finding["cause"]["file"], "examples/quadratic.cpp")
        self.assertIn(run.worst("quadratic_root_single")["cause"]["line"], (16, 25))
        for finding in run.findings:
            if "cause" in finding:
                self.assertEqual(finding["cause"]["file"], "examples/quadratic.cpp")
                self.assertIn(finding["cause"]["line"], (16, 21, 25))

    def test_fortran_example_is_blamed_in_the_users_own_file(self):
        run = self.hunt_example("examples/heron.f90")
        self.check_report(run.json)
        for function, lines in {"versine": (22,), "mean_and_variance": (29, 30)}.items():
            finding = run.worst(function)
            self.assertGreater(finding["error"]["relative"], 1e-3)
            self.assertEqual(finding["cause"]["file"], "examples/heron.f90")
            self.assertIn(finding["cause"]["line"], lines)

    def test_averages_overflow_where_the_paper_says(self):
        run = self.hunt_example("examples/averages.c")
        self.check_report(run.json)
        lines = {name: {f["cause"]["line"] for f in target["findings"] if f["kind"] == "overflow"} for name, target in run.targets.items()}
        self.assertEqual(lines, {"av1": {8}, "av2": set(), "av3": {10}, "av4": {11}, "average": set()})
        for finding in run.findings:
            if finding["kind"] == "overflow":
                self.assertEqual(finding["verdict"], "avoidable")

    def test_branch_of_the_float_only_path_is_a_flip(self):
        run = self.hunt_example("examples/foo_single.c", "-f", "foo_reals_only", "--range", "x=1:9000")
        finding = run.worst("foo_reals_only")
        self.assertEqual((finding["kind"], finding["cause"]["line"]), ("branch-flip", 13))
        self.assertTrue(1 <= inputs_of(finding)["x"] <= 9000)

    def test_text_report_shows_the_line_the_input_and_the_verdict(self):
        run = self.run_faultline("hunt", "examples/one_minus_cos.c", "-v", cwd=ROOT, status=1)
        for words in ("examples/one_minus_cos.c:10:27: inaccuracy", "double difference = 1.0 - cos(x);", "  input     x = ",
                      "  verdict   avoidable", "faultline explain examples/one_minus_cos.c -f one_minus_cos --at x="):
            self.assertIn(words, run.out)
        self.assertEqual(run.err, "")


if __name__ == "__main__":
    unittest.main()
