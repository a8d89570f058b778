"""What README.md and docs/ show of a hunt is what the program prints. UPDATE_DOCS=1 writes it into the pages."""
import os
import re
import unittest

from faultline_case import FAULTLINE, ROOT, FaultlineCase
from shown_output import Stage, blocks_of, with_output

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]  # those of docs/kinds are part of the program
LIBRARY = ROOT / "build/subjects/gsl/gsl.bc"


def needs_the_library(page):
    return any(block.mark and "subjects/gsl" in "\n".join(block.lines) for block in blocks_of(page.read_text()))


class ShownOutput(FaultlineCase):
    def check(self, page):
        text = page.read_text()
        stage = Stage(self.scratch / page.stem, ROOT, FAULTLINE, self.environment())
        outputs = []
        for block in blocks_of(text):
            if block.mark:
                shown = stage.carry_out(block)
                if shown is not None:
                    outputs.append((block, shown))
        if "UPDATE_DOCS" in os.environ:
            page.write_text(with_output(text, outputs))
            return len(outputs)
        for block, shown in outputs:
            with self.subTest(f"{page.name}: {block.command}"):
                self.assertEqual("\n".join(block.shown), "\n".join(shown), "UPDATE_DOCS=1 writes the page anew")
        return len(outputs)

    def test_pages_show_what_is_printed(self):
        checked = sum(self.check(page) for page in PAGES if not needs_the_library(page))
        self.assertGreater(checked, 1)

    @unittest.skipUnless(LIBRARY.exists(), "scripts/fetch-subjects gsl has not been run")
    def test_the_walk_through_a_library_shows_what_is_printed(self):
        checked = sum(self.check(page) for page in PAGES if needs_the_library(page))
        self.assertGreater(checked, 5)

    def test_no_page_shows_output_that_nobody_checks(self):
        for page in PAGES:
            for block in blocks_of(page.read_text()):
                if re.match(r"\$ (?:build/bin/)?faultline", "\n".join(block.lines)):
                    self.assertTrue(block.mark and block.mark[1], f"{page.name}: {block.lines[0]}")


if __name__ == "__main__":
    unittest.main()
