"""Saved findings, run again in a fresh process."""
import json
import unittest

from faultline_case import ROOT, FaultlineCase

FILES = [f"examples/{name}" for name in ("one_minus_cos.c", "averages.c", "quadratic.cpp", "heron.f90", "foo_single.c")]
HOSTILE = [f"examples/hostile/{name}.c" for name in ("abort", "exit", "segfault", "stack_overflow")]


class Replay(FaultlineCase):
    def save(self, *words):
        file = self.scratch / "findings.json"
        self.run_faultline("hunt", *words, "--quiet", "--fail-on", "note", "-o", file, cwd=ROOT, status=1)
        return file, json.loads(file.read_text())

    def replay(self, file, *words, status=0):
        run = self.run_faultline("replay", file, *words, cwd=ROOT, status=status)
        return run.out.splitlines()

    def test_findings_of_the_examples_are_reproduced(self):
        file, report = self.save(*FILES)
        count = sum(len(target["findings"]) for target in report["targets"])
        self.assertGreater(count, 20)
        self.assertEqual(self.replay(file)[-1], f"{count} reproduced, 0 not")

    def test_findings_of_the_examples_agree_with_themselves(self):
        file, report = self.save(*FILES)
        count = sum(len(target["findings"]) for target in report["targets"])
        lines = self.replay(file, "--strict")
        self.assertEqual(lines[-2:], [f"{count} consistent, 0 not: 0 violations", f"{count} reproduced, 0 not"])

    def test_calls_that_hang_are_reproduced_however_they_were_ended(self):
        file, report = self.save("examples/hostile/loop_forever.c", "--evals", "200", "--budget", "2s")
        (finding,) = report["targets"][0]["findings"]
        self.assertEqual(finding["kind"], "timeout")
        for detail in ("timed out", "did not come back and had to be killed"):
            finding["detail"] = detail
            file.write_text(json.dumps(report))
            self.assertEqual(self.replay(file)[-1], "1 reproduced, 0 not")

    def test_findings_that_were_tampered_with_do_not(self):
        file, report = self.save(FILES[0], "--for", "error")
        (finding,) = report["targets"][0]["findings"]
        finding["output"]["reference"]["decimal"] = "0.25"
        finding["diagnosis"]["lines"][0]["share"] = 0.5
        file.write_text(json.dumps(report))
        self.assertEqual(self.replay(file)[-1], "1 reproduced, 0 not")
        lines = self.replay(file, "--strict", status=1)
        violated = [line for line in lines if line.startswith(f"violated       {finding['id']} ")]
        self.assertTrue(any("reference of return: expected 0.25, found 0.4999" in line for line in violated), violated)
        self.assertTrue(any("shares of the lines: expected 1, found" in line for line in violated), violated)
        self.assertEqual(lines[-2:], ["0 consistent, 1 not: 2 violations", "1 reproduced, 0 not"])

    def test_crashes_are_reproduced(self):
        file, report = self.save(*HOSTILE, "--for", "crashes", "--evals", "200")
        self.assertEqual([target["outcome"] for target in report["targets"]], ["crashed", "found", "crashed", "crashed"])
        self.assertEqual(self.replay(file)[-1], "4 reproduced, 0 not")

    def test_finding_with_another_input_is_not_reproduced(self):
        file, report = self.save(FILES[0], "--for", "error")
        (finding,) = report["targets"][0]["findings"]
        finding["input"]["x"] = {"decimal": "1", "hex": "0x1p+0"}
        file.write_text(json.dumps(report))
        lines = self.replay(file, status=1)
        self.assertEqual(lines[-1], "0 reproduced, 1 not")
        self.assertTrue(lines[0].startswith("not reproduced"), lines[0])

    def test_one_of_many_is_chosen_by_its_id(self):
        file, report = self.save(FILES[1])
        chosen = report["targets"][0]["findings"][0]["id"]
        lines = self.replay(file, "--only", chosen)
        self.assertEqual((len(lines), lines[-1]), (2, "1 reproduced, 0 not"))
        self.assertIn(chosen, lines[0])

    def test_finding_of_repaired_code_is_not_reproduced(self):
        source = "#include <math.h>\ndouble f(double x) { return 1 - cos(x); }\n"
        self.write("f.c", source)
        self.run_faultline("hunt", "f.c", "--for", "error", "--quiet", "-o", "f.json", status=1)
        self.write("f.c", source.replace("1 - cos(x)", "2 * sin(x / 2) * sin(x / 2)"))
        self.assertEqual(self.run_faultline("replay", "f.json", status=1).out.splitlines()[-1], "0 reproduced, 1 not")

    def test_replay_command_of_a_finding_works_as_pasted(self):
        run = self.hunt_example(FILES[0], "--for", "error")
        words = run.findings[0]["replay"].split()
        self.assertEqual(words[0], "faultline")
        shown = self.run_faultline(*words[1:], cwd=ROOT, status=0).out
        self.assertIn("examples/one_minus_cos.c:10:27: fsub", shown)

    def test_saved_findings_are_rendered_as_the_hunt_printed_them(self):
        file = self.scratch / "f.json"
        printed = self.run_faultline("hunt", FILES[0], "--quiet", "-o", file, cwd=ROOT, status=1).out
        self.assertEqual(self.run_faultline("report", file, "--quiet", cwd=ROOT, status=0).out, printed)
        whole = self.run_faultline("report", file, cwd=ROOT, status=0).out
        self.assertIn("  why    subtracting", whole)
        self.run_faultline("report", file, "-o", self.scratch / "again.json", cwd=ROOT, status=0)
        self.assertEqual((self.scratch / "again.json").read_text(), file.read_text())


    def test_ids_do_not_depend_on_the_working_directory(self):
        self.write("src/f.c", "#include <math.h>\ndouble f(double x) { return (1 - cos(x)) / (x * x); }\n")
        reports = []
        for folder, source in ((self.scratch, "src/f.c"), (self.scratch / "src", "f.c")):
            run = self.run_faultline("hunt", source, "--evals", "500", "--quiet", "-o", "r.json", cwd=folder, status=1)
            self.assertEqual(run.err, "")
            reports.append(json.loads((folder / "r.json").read_text()))
        ids = [([finding["id"] for finding in report["targets"][0]["findings"]],
                [problem["id"] for problem in report["problems"]]) for report in reports]
        self.assertEqual(ids[0], ids[1])
        chosen = ids[0][0][0]
        replayed = self.run_faultline("replay", "r.json", "--only", chosen, cwd=self.scratch / "src", status=0)
        self.assertIn("1 reproduced, 0 not", replayed.out)


if __name__ == "__main__":
    unittest.main()
