"""Completion: the scripts are what the shells understand, offer what --help tells, and are installed."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase


class Completion(FaultlineCase):
    def script(self, shell):
        return self.run_faultline("completion", shell, status=0).out

    def offered(self, *words):
        """What bash would offer for the last word."""
        line = " ".join(f"'{word}'" for word in words)
        script = f"{self.script('bash')}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _faultline; " \
                 "printf '%s\\n' \"${COMPREPLY[@]}\""
        return subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_bash_knows_the_command_after_it_has_read_the_script(self):
        done = subprocess.run(["bash", "--norc", "-c", self.script("bash") + "\ncomplete -p faultline"], capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stdout, "complete -F _faultline faultline\n")
        self.assertEqual(done.stderr, "")

    def test_bash_offers_exactly_the_options_of_the_help_text(self):
        for command in ("hunt", "explain", "list", "cover", "solve", "replay", "report"):
            heads = re.findall(r"^  (-[^ ]+)", self.run_faultline("help", command, status=0).out, re.M)
            options = sorted({name for head in heads for name in head.split(",")})
            self.assertEqual(sorted(self.offered("faultline", command, "-")), options)

    def test_suites_are_those_of_bench(self):
        suites = re.findall(r"^  ([a-z-]+)  +\w", self.run_faultline("bench", "--help", status=0).out.split("Examples:")[0]
                            .split("Suites:")[1], re.M)
        self.assertGreater(len(suites), 4)
        self.assertEqual(sorted(self.offered("faultline", "bench", "")), sorted(suites))
        general = self.run_faultline("help", status=0).out
        for suite in suites:
            self.assertIn(suite, general)

    def test_other_shells_can_read_theirs(self):
        shells = [shell for shell in ("zsh", "fish") if shutil.which(shell)]
        if not shells:
            self.skipTest("neither zsh nor fish is installed")
        for shell in shells:
            self.write(f"script.{shell}", self.script(shell))
            done = subprocess.run([shell, "-n", f"script.{shell}"], cwd=self.scratch, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), shell)

    def test_all_are_installed_where_the_shells_look(self):
        build = Path(FAULTLINE).parent.parent
        if not (build / "cmake_install.cmake").exists():
            self.skipTest("this program is not in a build folder")
        subprocess.run(["cmake", "--install", build, "--component", "completions", "--prefix", self.scratch / "usr"],
                       capture_output=True, check=True)
        for shell, place in (("bash", "bash-completion/completions/faultline"), ("zsh", "zsh/site-functions/_faultline"),
                             ("fish", "fish/vendor_completions.d/faultline.fish")):
            self.assertEqual((self.scratch / "usr/share" / place).read_text(), self.script(shell))


if __name__ == "__main__":
    unittest.main()
