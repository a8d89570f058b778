"""The man page and the pages of the kinds."""
import re
import shutil
import subprocess
import unittest

from faultline_case import ROOT, FaultlineCase

PAGE = ROOT / "docs/faultline.1"
COMMANDS = ("hunt", "fix", "explain", "exact", "cover", "bound", "check", "export", "vectors", "solve", "replay", "report", "run", "bench", "list", "campaign", "worker", "record", "cc", "completion", "help")
SUITES = [["gsl"], ["gsl-exceptions"], ["fpgen"], ["fpse"], ["bounds"], ["smt"]]


class Manual(FaultlineCase):
    def options_of(self, command):
        """The words that begin an option's line of the help text."""
        found = set()
        for suite in SUITES if command == "bench" else [[]]:
            for line in self.run_faultline(command, *suite, "--help", status=0).out.splitlines():
                head = re.match(r"  (-[^ ]+)", line)
                found.update(head.group(1).split(",") if head else [])
        return found

    def test_man_page_has_every_option(self):
        sections = dict(re.findall(r"^\.Ss faultline (\w+)\n(.*?)(?=^\.Ss |^\.Sh )", PAGE.read_text(), re.M | re.S))
        self.assertEqual(sorted(sections), sorted(COMMANDS))
        for command in COMMANDS:
            if command == "cc":  # its options are the compiler's
                continue
            options = self.options_of(command)
            self.assertIn("--help", options)
            text = sections[command]
            for name in re.findall(r"^\.\\\" shared: (.*)$", text, re.M):  # what stands under another command
                text += sections[name]
            known = {("--" + name[1:]) if name.startswith("-") else "-" + name
                     for line in re.findall(r"^\.It Fl .*$", text, re.M) for name in re.findall(r"Fl (-?[\w-]+)", line)}
            self.assertEqual(sorted(options - known - {"-h", "--help", "--version"}), [], f"{command}: not in the man page")

    def test_man_page_is_clean(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        done = subprocess.run(["groff", "-ww", "-mdoc", "-Tutf8", "-z", PAGE], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_every_kind_has_a_page_that_explain_prints(self):
        for page in sorted((ROOT / "docs/kinds").glob("*.md")):
            run = self.run_faultline("explain", "--kind", page.stem, status=0)
            self.assertEqual(run.out, page.read_text())
        run = self.run_faultline("explain", "--kind", "cancelation", status=2)
        self.assertIn("try: cancellation\n", run.err)
        self.assertIn("branch-flip", run.err)


if __name__ == "__main__":
    unittest.main()
