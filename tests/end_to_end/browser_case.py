"""A test of an HTML page, as a reader meets it: in a browser, opened from disk. html_browser.js has the reader's part."""
import os
import shutil
import subprocess
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase

WEB = Path(FAULTLINE).resolve().parents[1] / "web"  # of the build: what npm fetched
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
NODE = shutil.which("node") or shutil.which("nodejs")


def missing():
    if not NODE:
        return "no node"
    if not os.access(CHROMIUM, os.X_OK):
        return "no chromium"
    if not (WEB / "node_modules/playwright-core").is_dir():
        return "no playwright-core: npm did not run when this was configured"
    return ""


class BrowserCase(FaultlineCase):
    def browse(self, scenario, page):
        if missing():
            self.skipTest(missing())
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "FAULTLINE_WEB": str(WEB), "CHROMIUM": CHROMIUM}
        script = Path(__file__).with_name("html_browser.js")
        done = subprocess.run([NODE, script, scenario, page], env=environment, capture_output=True, text=True, timeout=90, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.strip()
