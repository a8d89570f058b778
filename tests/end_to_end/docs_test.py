"""README.md and docs/: links lead somewhere, and commands can be typed as they stand there."""
import re
import shlex
import subprocess
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, ROOT, FaultlineCase

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/kinds").glob("*.md"))]
SUITES = ("gsl", "gsl-exceptions", "fpgen", "fpse", "bounds", "smt")
FOLDERS = "bench|benchmarks|cmake|docs|examples|scripts|src|tests|web"
# docs/extending.md makes files up, to show how they would be added.
MADE_UP = {"src/search/grid.cpp", "src/solve/near.cpp", "src/report/markdown.h", "tests/unit/solve/near_test.cpp",
           "tests/unit/report/markdown_test.cpp", "tests/unit/LAYER/NAME_test.cpp"}


def prose_of(page):
    """Without code blocks, which are indented after an empty line."""
    lines, code, blank = [], False, True
    for line in page.read_text().splitlines():
        code = line.startswith("    ") and (code or blank) or (code and not line.strip())
        blank = not line.strip()
        if not code:
            lines.append(line)
    return "\n".join(lines)


def inline_code_of(page):
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose_of(page))]


def commands_of(page):
    """The words after `faultline`, in code blocks and within lines; up to a pipe, a comment or the compiler's flags."""
    blocks = page.read_text().replace("\\\n", " ")
    lines = [line.strip() for line in blocks.splitlines() if line.startswith("    ")]
    for line in lines + inline_code_of(page):
        found = re.match(r"(?:- |\$ )?(?:build/bin/)?faultline ([a-z]+.*)", line)
        if found:
            words = shlex.split(re.split(r"\s[#|>]|\s--\s|;|\s&&", found.group(1))[0].replace("\\|", "|"))
            yield words[0], words[1:]


def exists(path):
    """A file, a folder, a pattern of such, or what is both a .h and a .cpp."""
    parent, name = ROOT / Path(path).parent, Path(path).name
    return any(parent.glob(name)) or any(parent.glob(name + ".*"))


class Documentation(FaultlineCase):
    def options_of(self, command, words):
        suite = [word for word in words[:1] if command == "bench" and word in SUITES]
        key = (command, *suite)
        if key not in self.options:
            text = self.run_faultline(command, *suite, "--help", status=0).out
            heads = re.findall(r"^  (-[^ ]+)", text, re.M)
            self.options[key] = {option for head in heads for option in head.split(",")}
        return self.options[key]

    def setUp(self):
        super().setUp()
        self.options = {}

    def check_links(self, pages, root):
        links = 0
        for page in pages:
            for link in re.findall(r"\]\(([^)]+)\)", prose_of(page)):
                if "://" not in link:
                    links += 1
                    target = page.parent / link.split("#")[0]
                    self.assertTrue(target.exists(), f"{page.relative_to(root)}: {link}")
        self.assertGreater(links, 10)

    def test_no_link_leads_nowhere(self):
        self.check_links(PAGES, ROOT)

    def test_pages_are_installed_with_all_that_they_link_and_run(self):
        build = Path(FAULTLINE).resolve().parents[1]
        if not (build / "cmake_install.cmake").exists():
            self.skipTest("the program is not in its build folder")
        subprocess.run(["cmake", "--install", build, "--component", "documents", "--prefix", self.scratch / "usr"], check=True,
                       stdout=subprocess.DEVNULL)
        installed = self.scratch / "usr/share/doc/faultline"
        self.check_links([installed / page.relative_to(ROOT) for page in PAGES], installed)
        for page in PAGES:
            for example in re.findall(r"\bexamples/[\w./]+\.\w+", page.read_text()):
                self.assertTrue((installed / example).exists(), f"{page.relative_to(ROOT)}: {example}")

    def test_no_page_names_a_file_that_is_gone(self):
        names = 0
        for page in PAGES:
            for code in inline_code_of(page):
                if re.fullmatch(rf"(?:{FOLDERS})/[\w./*-]+", code) and code not in MADE_UP:
                    names += 1
                    self.assertTrue(exists(code), f"{page.relative_to(ROOT)}: {code}")
        self.assertGreater(names, 50)

    def test_every_page_is_listed_in_the_readme(self):
        text = (ROOT / "README.md").read_text()
        for page in (ROOT / "docs").glob("*.md"):
            self.assertIn(f"(docs/{page.name})", text)

    def test_no_command_has_an_option_that_is_refused(self):
        commands = 0
        for page in PAGES:
            for command, words in commands_of(page):
                known = self.options_of(command, words)
                own = " ".join(word for word in words if " " not in word)  # a value in quotes may be another command
                for option in re.findall(r"(?<!\S)(?:--[a-z][\w-]*|-[a-z])", own):
                    self.assertIn(option, known, f"{page.relative_to(ROOT)}: faultline {command} {words}")
                commands += 1
        self.assertGreater(commands, 50)

    def test_examples_can_be_listed_and_explained_as_written(self):
        ran = 0
        for page in PAGES:
            for command, words in commands_of(page):
                if command in ("list", "explain") and words and words[0].startswith("examples/"):
                    self.run_faultline(command, *words, cwd=ROOT, status=0)
                    ran += 1
        self.assertGreater(ran, 2)


if __name__ == "__main__":
    unittest.main()
