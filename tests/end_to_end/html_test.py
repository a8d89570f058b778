"""The HTML report, as a reader meets it (browser_case.py)."""
import copy
import json
import unittest

from browser_case import WEB, BrowserCase
from faultline_case import ROOT

EXAMPLES = ["examples/one_minus_cos.c", "examples/quadratic.cpp"]

DIAGNOSIS = {
    "class": "cancellation", "why": "cancels 47 of 53 bits", "accounted": 1,
    "chain": [{"line": line, "column": 3, "operation": operation, "text": operation, "reference": "0.5", "relative": relative, "skipped": skipped}
              for line, operation, relative, skipped in ((10, "cos", 4e-18, 0), (10, "fsub", 7.99e-4, 0), (11, "fdiv", 7.99e-4, 2))],
    "lines": [{"line": 10, "share": 0.9998, "growth": 2e14}, {"line": 11, "share": 0.0002, "growth": 1}],
    "remedy": {"name": "half-angle", "advice": "write 2 * sin(x / 2)^2 for 1 - cos(x)", "relative": 1.1e-16, "tried": 4000},
}


def diagnosis_in(file):
    diagnosis = copy.deepcopy(DIAGNOSIS)
    for place in diagnosis["chain"] + diagnosis["lines"]:
        place["file"] = file
    return diagnosis


class Html(BrowserCase):
    def page_of_hunt(self, *words):
        file = self.scratch / "report.html"
        self.run_faultline("hunt", *words, "--evals", "2000", "--quiet", "-o", file, cwd=ROOT, status=1)
        return file

    def findings(self, *words):
        return self.hunt_example(*words, "--evals", "2000").json

    def page_of(self, report, *words, cwd=None):
        saved, page = self.scratch / "findings.json", self.scratch / "report.html"
        saved.write_text(json.dumps(report))
        run = self.run_faultline("report", saved, "-o", page, *words, cwd=cwd, status=0)
        return page, run

    def page_with_shares(self, *words):
        """Whatever the hunt knows of how often a problem shows, and when: the page must tell it."""
        report = self.findings(*words)
        for target in report["targets"]:
            for finding in target["findings"]:
                finding.update(share={"of": "everyday", "low": 1e-4, "high": 2e-4}, when=next(iter(finding["input"])) + " > 1e8")
        return self.page_of(report, "--no-plots", cwd=ROOT)[0]

    def add_plots(self, page):
        """As many points as a thousand findings may have, without the time that it takes to sample them."""
        text = page.read_text()
        begin = text.index('type="application/json">') + len('type="application/json">')
        end = text.index("</script>", begin)
        data = json.loads(text[begin:end])
        count = 30  # of each of two plots: campaign::PlotLimits allows 60,000 points
        points = {"values": [repr(-1.2345678901234567e-08 - i) for i in range(count)], "offsets": [(i - 15) * 10**12 for i in range(count)],
                  "errors": [1.23e-4] * count, "ulps": [1.23e12] * count, "computed": [0.499877] * count, "exact": [0.5] * count,
                  "remedies": [1.1e-16] * count}
        for extra in data["extras"][0]:
            extra["plots"] = [{"input": "x", "around": points, "range": points}]
        page.write_text(text[:begin] + json.dumps(data, separators=(",", ":")).replace("<", "\\u003c") + text[end:])

    def test_page_opens_on_an_overview_of_problems_by_tier(self):
        self.browse("opensOnTheOverview", self.page_with_shares(*EXAMPLES))

    def test_functions_are_sorted_by_worst_and_by_any_column_and_filter_the_list(self):
        self.browse("sortsFunctions", self.page_of_hunt(*EXAMPLES, "--no-plots"))

    def test_problem_tells_what_to_try_why_and_how_to_fix_it(self):
        self.browse("tellsAProblem", self.page_with_shares(EXAMPLES[1]))

    def test_plots_change_between_errors_ulps_and_values(self):
        self.browse("changesUnits", self.page_of_hunt(EXAMPLES[0]))

    def test_plots_show_where_it_overflows(self):
        self.browse("drawsExceptions", self.page_of_hunt(EXAMPLES[1]))

    def test_finding_is_found_and_read(self):
        self.browse("reads", self.page_of_hunt(*EXAMPLES, "--no-plots"))

    def test_keys_walk_through_the_problems_and_the_address_keeps_one(self):
        self.browse("walks", self.page_of_hunt(*EXAMPLES, "--no-plots"))

    def test_plots_tell_the_input_and_its_error_under_the_mouse(self):
        self.browse("draws", self.page_of_hunt(EXAMPLES[0]))

    def test_colours_are_chosen_and_remembered(self):
        self.browse("changesColours", self.page_of_hunt(EXAMPLES[0]))

    def test_page_fits_a_phone(self):
        self.browse("fitsAPhone", self.page_of_hunt(EXAMPLES[0]))

    def test_diagnosis_is_marked_in_the_source(self):
        report = self.findings(EXAMPLES[0], "--for", "error")
        finding = report["targets"][0]["findings"][0]
        finding["diagnosis"] = diagnosis_in(EXAMPLES[0])
        page, _ = self.page_of(report, "--no-plots", cwd=ROOT)
        self.browse("marksTheDiagnosis", page)

    def test_hostile_names_and_sources_are_inert(self):
        self.write("evil.c", "// </script><script>window.broken=1</script>\ndouble f(double x) {\n  return x - 1; // <!--<script>\n}\n")
        report = self.findings(EXAMPLES[0])
        name = '<img src=x onerror="window.broken=1"></script><script>window.broken=1</script>'
        report["command"] = ["hunt", "evil.c", name]
        for target in report["targets"]:
            target.update(function=name, file="evil.c", line=2, note=name)
            for finding in target["findings"]:
                finding.update(detail=name, replay=name)
                finding["cause"] = {"file": "evil.c", "line": 3, "column": 12, "function": name, "operation": name, "condition": 1, "share": 1}
                finding["diagnosis"] = {**diagnosis_in("evil.c"), "why": name}
        page, _ = self.page_of(report, "--no-plots")
        self.browse("staysInert", page)

    def test_crashes_and_fields_from_elsewhere_do_not_break_it(self):
        report = self.findings("examples/hostile/abort.c", "--for", "crashes")
        report["targets"] += self.findings(EXAMPLES[1])["targets"]
        page, _ = self.page_of(report, "--no-plots", cwd=ROOT)
        text = page.read_text()
        self.assertIn('"report":{', text)
        page.write_text(text.replace('"report":{', '"later":[1],"report":{"later":{"x":1},', 1).replace('"kind":"invalid"', '"kind":"from-elsewhere"'))
        self.browse("showsWhatThereIs", page)

    def test_report_is_written_without_plots_when_the_code_is_gone(self):
        report = self.findings(EXAMPLES[0], "--for", "error")
        page, run = self.page_of(report)  # elsewhere: no such file here
        self.assertIn("faultline: without plots: ", run.err)
        self.browse("saysWhyThereAreNoPlots", page)

    def test_saved_findings_make_the_page_of_the_hunt(self):
        if not (WEB / "node_modules/uplot").is_dir():
            self.skipTest("no uPlot: npm did not run when this was configured")
        page = self.page_of_hunt(EXAMPLES[0], "--for", "error", "-o", self.scratch / "findings.json").read_text()
        self.assertIn('"plots":[{"input":"x"', page)
        again = self.scratch / "again.html"
        run = self.run_faultline("report", self.scratch / "findings.json", "-o", again, cwd=ROOT, status=0)
        self.assertEqual(run.err, "")
        self.assertIn('"plots":[{"input":"x"', again.read_text())
        self.run_faultline("report", self.scratch / "findings.json", "-o", again, "--no-plots", cwd=ROOT, status=0)
        self.assertNotIn('"plots":', again.read_text())

    def test_thousand_findings_open(self):
        report = self.findings(EXAMPLES[0], "--for", "error")
        target = report["targets"][0]
        finding = {**target["findings"][0], "diagnosis": diagnosis_in(EXAMPLES[0])}
        target["findings"] = []
        for i in range(1000):
            x = (i + 1) * 1e-9
            target["findings"].append({**finding, "id": f"{i:016x}", "input": {"x": {"decimal": repr(x), "hex": x.hex()}}})
        page, _ = self.page_of(report, "--no-plots", cwd=ROOT)
        self.add_plots(page)
        size = page.stat().st_size
        self.assertLess(size, 10_000_000)
        print(f"{size} bytes", self.browse("opensManyFindings", page))


if __name__ == "__main__":
    unittest.main()
