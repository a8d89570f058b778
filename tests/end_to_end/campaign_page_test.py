"""The page of a campaign: faultline campaign report -o FILE.html."""
import json
import sqlite3
import unittest

from browser_case import BrowserCase
from campaign_case import NAPIER, QUICK, CampaignCase

HOSTILE = '<img src=x onerror="window.broken=1">'


class CampaignPage(CampaignCase, BrowserCase):
    def page(self, folder="c", name="page.html"):
        self.campaign("report", folder, "-o", name, "--no-plots", status=None)
        return self.scratch / name

    def test_the_library_is_seen_at_a_glance(self):
        self.begin("c<b>")
        self.run_it(*QUICK, "--commit", HOSTILE, folder="c<b>")
        self.browse("showsTheLibrary", self.page("c<b>"))

    def test_what_is_new_is_told_since_the_last_page_and_since_a_run(self):
        self.begin()
        self.run_it(*QUICK, "--commit", "first")
        first = self.page().read_bytes()
        self.assertEqual(self.page(name="again.html").read_bytes(), first, "without a change it is the same page")
        self.write("napier.c", NAPIER.replace("2 * x + 1", "sqrt(x * x + 1) - 1").replace("1 - cos(x)", "2 * sin(x / 2) * sin(x / 2)"))
        self.run_it(*QUICK, "--commit", "second")
        second = self.page()
        self.browse("tellsWhatIsNew", second)
        self.assertEqual(self.page(name="again.html").read_bytes(), second.read_bytes())

    def test_the_page_of_a_past_run_is_that_of_a_hunt_and_no_last_page(self):
        self.begin()
        self.run_it()
        self.assertNotIn('"campaign":{', self.page("c@1").read_text())
        self.assertEqual(self.ask("SELECT count(*) FROM reports"), [(0,)])

    def multiply(self, copies):
        """Two functions become thousands; half of them have findings."""
        store = sqlite3.connect(self.scratch / "c/campaign.db")
        store.execute("DELETE FROM findings WHERE target = (SELECT id FROM targets WHERE function = 'doubled')")
        store.execute("UPDATE targets SET outcome = 'none' WHERE function = 'doubled'")
        rows = lambda table, where="": [dict(zip([column[0] for column in found.description], row))
                                        for found in [store.execute(f"SELECT * FROM {table} {where}")] for row in found]
        targets, findings = rows("targets"), rows("findings", "WHERE until_run IS NULL")
        add = lambda table, row: store.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
        store.execute("UPDATE targets SET file = 'part0.c', head = json_set(head, '$.file', 'part0.c')")
        for copy in range(1, copies):
            file = f"part{copy % 10}.c"
            for row in targets:
                name = f"{row['function']}_{copy}"
                head = {**json.loads(row["head"]), "function": name, "file": file}
                add("targets", {**row, "id": row["id"] + 10 * copy, "function": name, "symbol": name, "file": file, "head": json.dumps(head)})
            for row in findings:
                finding = json.loads(row["json"])
                finding["cause"]["line"] += 10 * copy
                finding["id"] = finding["fingerprint"] = f"{copy:012x}{row['id']:04x}"
                add("findings", {**row, "id": None, "target": row["target"] + 10 * copy, "finding": finding["id"], "fingerprint": finding["id"],
                                 "problem": finding["id"], "line": finding["cause"]["line"], "json": json.dumps(finding)})
        store.commit()
        store.close()

    def test_five_thousand_functions_are_filtered_as_one_types(self):
        self.begin()
        self.run_it()
        self.multiply(2500)
        page = self.page()
        print(f"{page.stat().st_size} bytes", self.browse("filtersThousands", page))

    def test_the_page_fits_a_phone(self):
        self.begin()
        self.run_it()
        self.browse("campaignFitsAPhone", self.page())


if __name__ == "__main__":
    unittest.main()
