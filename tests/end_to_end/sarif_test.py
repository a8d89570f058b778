"""SARIF and JUnit reports of real hunts."""
import json
import unittest
import xml.etree.ElementTree as ElementTree

from faultline_case import ROOT, FaultlineCase
from official_schema import sarif_validator

SUFFIXES = (".c", ".cpp", ".f90")
WINDOW = 100


def line_hashes(text):
    """By line number, as GitHub's upload action computes them: a hash that rolls over the text without its blanks."""
    counts, hashes, starts = {}, {}, {}
    units = [unit for unit in text.replace("\r\n", "\n").replace("\r", "\n") if unit not in " \t"]
    stream = [ord(unit) for unit in units] + [0xFFFF] + [0] * WINDOW
    rolling, line, begins = 0, 0, True
    for place, unit in enumerate(stream):
        if place >= WINDOW and place - WINDOW in starts:
            value = f"{rolling:x}"
            counts[value] = counts.get(value, 0) + 1
            hashes[starts[place - WINDOW]] = f"{value}:{counts[value]}"
        if begins and place <= len(units):
            line += 1
            starts[place] = line
        begins = place < len(units) and unit == ord("\n")
        leaving = stream[place - WINDOW] if place >= WINDOW else 0
        rolling = (rolling * 37 + unit - leaving * 37 ** WINDOW) % 2 ** 64
    return hashes


class Sarif(FaultlineCase):
    def reports(self, *words, cwd=ROOT):
        json_file, sarif, xml = (self.scratch / name for name in ("r.json", "r.sarif", "r.xml"))
        run = self.run_faultline("hunt", *words, "--quiet", "-o", json_file, "-o", sarif, "-o", xml, cwd=cwd)
        self.assertIn(run.status, (0, 1, 4), run.err)
        return (json.loads(json_file.read_text()), json.loads(sarif.read_text()), ElementTree.parse(xml).getroot(),
                run.status)

    def check_results(self, report, run):
        self.assertEqual([result["properties"]["id"] for result in run["results"]],
                         [problem["id"] for problem in report["problems"]])
        rules = run["tool"]["driver"]["rules"]
        fingerprints = {finding["id"]: finding["fingerprint"] for target in report["targets"]
                        for finding in target["findings"]}
        for result, problem in zip(run["results"], report["problems"]):
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertEqual((result["ruleId"], result["level"]), (problem["class"], problem["tier"]))
            self.assertEqual(result["partialFingerprints"]["faultline/v1"], fingerprints[problem["findings"][0]])
            place = result["locations"][0]["physicalLocation"]
            region = place["region"]
            self.assertEqual(region["startLine"], problem["line"])
            self.assertEqual(place["artifactLocation"]["uriBaseId"], "%SRCROOT%")
            text = (ROOT / place["artifactLocation"]["uri"]).read_text()
            line = text.splitlines()[region["startLine"] - 1]
            self.assertEqual(line, region["snippet"]["text"])
            if "endColumn" in region and "source" in problem:
                self.assertEqual(line[region["startColumn"] - 1:region["endColumn"] - 1], problem["source"])
            self.assertEqual(result["partialFingerprints"]["primaryLocationLineHash"],
                             line_hashes(text)[region["startLine"]])

    def check_rules(self, driver):
        for rule in driver["rules"]:  # what code scanning shows
            for text in (rule["shortDescription"], rule["fullDescription"], rule["help"]):
                self.assertTrue(text["text"])
            self.assertEqual(rule["helpUri"], f"{driver['informationUri']}/kinds/{rule['id']}.md")
            self.assertTrue((ROOT / "docs/kinds" / f"{rule['id']}.md").exists())

    def check_cases(self, report, suites, status):
        cases = suites.findall("./testsuite/testcase")
        self.assertEqual([case.get("name") for case in cases], [target["function"] for target in report["targets"]])
        self.assertEqual([(case.get("file"), case.get("line")) for case in cases],
                         [(target["file"], str(target["line"])) for target in report["targets"]])
        failed = {case.get("name") for case in cases if case.find("failure") is not None}
        self.assertEqual(len(failed), int(suites.get("failures")))
        self.assertTrue(all(len(case.findall("failure")) <= 1 for case in cases))
        self.assertEqual(bool(failed), status == 1)
        told = [problem for problem in report["problems"] if problem["tier"] == "error"]
        self.assertLessEqual({problem["functions"][0] for problem in told}, failed)
        self.assertLessEqual(failed, {function for problem in told for function in problem["functions"]})

    def check(self, validator, report, sarif, suites, status):
        self.assertEqual([f"{list(error.path)}: {error.message[:200]}" for error in validator.iter_errors(sarif)], [])
        run, = sarif["runs"]
        self.assertEqual(run["invocations"][0]["exitCode"], status)
        self.check_results(report, run)
        self.check_rules(run["tool"]["driver"])
        self.check_cases(report, suites, status)

    def check_all(self, folder, *words, but=()):
        validator = sarif_validator()
        files = [path for path in sorted((ROOT / folder).iterdir()) if path.suffix in SUFFIXES and path.name not in but]
        self.assertTrue(files)
        for path in files:
            with self.subTest(source=path.name):
                self.check(validator, *self.reports(f"{folder}/{path.name}", *words))

    def test_reports_of_all_examples_are_valid_and_say_what_the_json_says(self):
        self.check_all("examples", "--evals", "2000", "--size", "4")

    def test_reports_of_stable_code_are_valid(self):
        self.check_all("examples/stable", "--evals", "300", "--size", "4")

    def test_reports_of_path_examples_are_valid(self):
        self.check_all("examples/fpse", "--evals", "300", "--for", "exceptions", but=["tcas_task.c"])  # not suitable

    def test_reports_of_exceptions_are_valid(self):
        self.check_all("examples/exceptions", "--evals", "2000", "--all")

    def test_reports_of_crashes_are_valid(self):
        self.check_all("examples/hostile", "--evals", "300", but=["loop_forever.c"])

    def test_reports_of_time_outs_are_valid(self):
        self.check(sarif_validator(), *self.reports("examples/hostile/loop_forever.c", "--evals", "300"))

    def test_a_file_elsewhere_has_a_whole_uri(self):
        self.write("a b/f.c", "double f(double x) { return (1 + x) - 1; }\n")
        (self.scratch / "elsewhere").mkdir()
        run = self.run_faultline("hunt", "../a b/f.c", "--evals", "2000", "--quiet", "--fail-on", "warning", "-o", "r.sarif", status=1,
                                 cwd=self.scratch / "elsewhere")
        self.assertEqual(run.err, "")
        result = json.loads((self.scratch / "elsewhere/r.sarif").read_text())["runs"][0]["results"][0]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(uri, "file://" + str(self.scratch.resolve()).replace(" ", "%20") + "/a%20b/f.c")

    def test_saved_findings_are_rendered_as_sarif_and_junit(self):
        self.run_faultline("hunt", "examples/one_minus_cos.c", "--evals", "2000", "--quiet", "-o", self.scratch / "r.json",
                           "-o", self.scratch / "r.sarif", cwd=ROOT, status=1)
        self.run_faultline("report", self.scratch / "r.json", "-o", self.scratch / "again.sarif", "-o",
                           self.scratch / "again.xml", cwd=ROOT, status=0)
        self.assertEqual((self.scratch / "again.sarif").read_text(), (self.scratch / "r.sarif").read_text())
        self.assertEqual(ElementTree.parse(self.scratch / "again.xml").getroot().get("failures"), "1")


if __name__ == "__main__":
    unittest.main()
