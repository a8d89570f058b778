"""A test of faultline campaign: two functions in napier.c, one of which cancels, and a folder or two beside them."""
import json
import sqlite3

from faultline_case import FaultlineCase

NAPIER = """#include <math.h>
double half_angle(double x) {
  return 1 - cos(x);
}
double doubled(double x) {
  return 2 * x + 1;
}
"""
QUICK = ("--evals", "1500", "-q")
FUNCTIONS = "SELECT function, state, rounds, granted FROM targets ORDER BY function"


class CampaignCase(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("napier.c", NAPIER)

    def campaign(self, *words, status=0, **more):
        return self.run_faultline("campaign", *words, status=status, **more)

    def begin(self, folder="c", *words):
        self.campaign("init", folder, "napier.c", *words)

    def run_it(self, *words, folder="c", status=0, **more):
        return self.campaign("run", folder, *(words or QUICK), status=status, **more)

    def ask(self, question, folder="c"):
        store = sqlite3.connect(self.scratch / folder / "campaign.db")
        try:
            return store.execute(question).fetchall()
        finally:
            store.close()

    def found(self, folder="c"):
        self.campaign("report", folder, "-o", "found.json", status=None)
        report = json.loads((self.scratch / "found.json").read_text())
        return {"problems": report["problems"], "targets": [(t["function"], t["findings"]) for t in report["targets"]]}
