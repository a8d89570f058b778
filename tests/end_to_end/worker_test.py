"""A job that was written down and run by another process finds what the hunt finds."""
import json
import unittest

from faultline_case import ROOT, FaultlineCase

# Ten targets of different kinds: C, C++, Fortran, arrays, exceptions, branches, a crash.
SUBJECT = """
#include <math.h>
#include <stdlib.h>
double cancels(double x) { return 1.0 - cos(x); }
double root(double x) { return sqrt(x + 1) - sqrt(x); }
double overflows(double x, double y) { return sqrt(x * x + y * y); }
double jumps(double x) { return floor(x * 10) / 10; }
double branches(double x) { return x * 0.1 * 10 == x ? 1 : -1; }
double dies(double x) { if (x > 1e300) abort(); return x; }
double sums(const double a[8]) { double s = 0; for (int i = 0; i < 8; i++) s += a[i]; return s; }
float single(float x) { return logf(1 + x); }
"""
FORTRAN = """
real(8) function heron(a, b, c)
  real(8), intent(in) :: a, b, c
  real(8) :: s
  s = (a + b + c) / 2
  heron = sqrt(s * (s - a) * (s - b) * (s - c))
end function
real(8) function difference(x)
  real(8), intent(in) :: x
  difference = exp(x) - 1
end function
"""


def without_times(value):
    """Seconds differ from run to run; nothing else may."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key != "seconds"}
    return [without_times(part) for part in value] if isinstance(value, list) else value


class Worker(FaultlineCase):
    def hunted_and_worked(self, *words):
        self.run_faultline("hunt", *words, "-o", "hunt.json", status=1)
        folder = self.scratch / f"jobs of {words[0]}"
        self.run_faultline("hunt", *words, "-o", "hunt.json", "--write-jobs", folder, status=0)
        targets = json.loads((self.scratch / "hunt.json").read_text())["targets"]
        jobs = sorted(folder.glob("job-*.json"), key=lambda job: int(job.stem.split("-")[1]))
        self.assertEqual(len(jobs), len(targets))
        for target, job in zip(targets, jobs):
            run = self.run_faultline("worker", str(job), status=0)
            messages = [json.loads(line) for line in run.out.splitlines()]
            self.assertEqual(messages[-1], {"end": True})
            yield target, messages

    def test_finds_what_the_hunt_finds(self):
        self.write("subject.c", SUBJECT)
        self.write("subject.f90", FORTRAN)
        seen = 0
        for source in ("subject.c", "subject.f90"):
            for target, messages in self.hunted_and_worked(source, "--evals", "3000", "--size", "a=8"
                                                           if source.endswith(".c") else "*=8"):
                seen += 1
                told = [message["finding"] for message in messages if "finding" in message]
                hunted = target["findings"]
                # The supervisor gives a finding its fingerprint and its command; a death makes one of its own.
                own = ("fingerprint", "replay", "suppressed", "baseline")
                crashes = [finding for finding in hunted if finding.get("detail") == "killed the worker process"]
                self.assertEqual([message for message in messages if "death" in message] != [], crashes != [])
                expected = [{key: value for key, value in finding.items() if key not in own}
                            for finding in hunted if finding not in crashes]
                for finding in expected:  # and the text of the expressions, which it reads in the sources
                    for place in (finding.get("cause", {}), finding.get("follows_from", {})):
                        place.pop("source", None), place.pop("end_column", None)
                actual = [{key: value for key, value in finding.items() if key not in own} for finding in told]
                self.assertEqual(json.dumps(without_times(actual)), json.dumps(without_times(expected)),
                                 target["function"])
                done = [message["done"] for message in messages if "done" in message][-1]
                self.assertEqual((done["evaluations"], done["sites"]), (target["evaluations"], target["sites"]))
        self.assertEqual(seen, 10)

    def test_refuses_a_program_that_has_changed(self):
        self.write("subject.c", SUBJECT)
        self.run_faultline("hunt", "subject.c", "-f", "root", "--write-jobs", "jobs", status=0)
        again = self.run_faultline("hunt", "subject.c", "-f", "root", "--write-jobs", "jobs", status=2)
        self.assertIn("has jobs already", again.err)
        with (self.scratch / "jobs/program.bc").open("ab") as program:
            program.write(b"\0\0\0\0")
        run = self.run_faultline("worker", "jobs/job-1.json", status=2)
        self.assertIn("its content has changed", run.err)
        (self.scratch / "jobs/program.bc").unlink()
        self.run_faultline("worker", "jobs/job-1.json", status=2)

    def test_refuses_what_is_no_job(self):
        self.write("subject.c", SUBJECT)
        self.write("no.json", "{}")
        self.assertIn('has no "job"', self.run_faultline("worker", "no.json", status=2).err)
        self.run_faultline("worker", "gone.json", status=2)
        self.run_faultline("worker", status=2)


if __name__ == "__main__":
    unittest.main()
