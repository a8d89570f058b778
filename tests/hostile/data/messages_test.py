"""Messages that code under test writes itself, in other commands than hunt: the supervisor neither crashes nor stays busy."""
import json
import os
import re
import shutil
import subprocess
import time
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase

ATTACK = Path(__file__).resolve().parents[1] / "attack.h"
INNOCENT = "#include <math.h>\ndouble f(double x) { return (1 - cos(x)) / (x * x); }\n"
MEBIBYTE = 1 << 20
TEXT = "*/\n#error injected\x1b[31m"
BRANCH = {"site": 1, "outcome": 1, "input": ["0x1p+0", "0x1p+1"], "file": "f.c", "function": "f", "line": 2, "column": 1,
          "operation": "<", "condition": "x < y", "text": "true", "standing": "covered", "solver": "", "why": ""}
FLOOD = """
double f(double x, double y) {
  for (int i = 0; i < 1000000; i++) {
    char text[600];
    snprintf(text, sizeof text, FORMAT, i, i);
    say(text);
  }
  return x < y ? 1 : 2;
}
"""
PLOTS = """
static char message[66 << 20];
static unsigned length = 4;
static void append(const char* text) { memcpy(message + length, text, strlen(text)); length += strlen(text); }
double f(double x) {
  length = 4;
  append("{\\"plots\\":{\\"note\\":\\"\\",\\"output\\":\\"return\\",\\"inputs\\":[{\\"input\\":\\"x\\",\\"range\\":[],\\"around\\":[");
  while (length < 63 << 20)
    append("[\\"1\\",1,1,1,1,\\"1\\",\\"1\\"],");
  length--;
  append("]}]}}");
  length -= 4;
  memcpy(message, &length, 4);
  for (int i = 0; i < 15; i++)
    write_all(message, length + 4);
  return (1 - cos(x)) / (x * x);
}
"""


def saying(*messages):
    """Code that sends these messages."""
    return "".join(f"say({json.dumps(json.dumps(message))}); " for message in messages)


class Messages(FaultlineCase):
    def setUp(self):
        super().setUp()
        shutil.copy(ATTACK, self.scratch)

    def write_code(self, code):
        return self.write("f.c", f'#include "attack.h"\n#include <math.h>\n{code}\n')

    def cover(self, *messages, status=None):
        self.write_code(f"double f(double x, double y) {{ {saying(*messages)} return x < y; }}")
        self.write("faultline.toml", 'budget = "1s"\n')
        return self.run_faultline("cover", "f.c", "-f", "f", "-o", "t.c", status=status)

    def findings(self):
        self.write("f.c", INNOCENT)
        self.run_faultline("hunt", "f.c", "--evals", "500", "-q", "-o", "found.json", status=1)

    def measured(self, *words, timeout=90):
        """Seconds and bytes of a command."""
        start = time.monotonic()
        process = subprocess.Popen(["timeout", str(timeout), FAULTLINE, *words], cwd=self.scratch, env=self.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 1, 2, 3, 4))
        return time.monotonic() - start, used.ru_maxrss * 1024

    def test_inputs_of_another_length_crash_nothing(self):
        for numbers in ([], ["0x1p+0"], ["0x1p+0"] * 3):
            run = self.cover({"branch": {**BRANCH, "input": numbers}})
            self.assertIn(run.status, (0, 4), f"{numbers}: {run.err}")

    def test_decisions_do_not_command_the_terminal(self):
        texts = {name: TEXT for name in ("file", "function", "operation", "condition", "text", "why")}
        run = self.cover({"branch": {**BRANCH, **texts}}, status=4)
        self.assertIn("injected", run.out)
        self.assertFalse("\x1b" in run.out)
        self.assertIsNone(re.search("^#error", run.out, re.MULTILINE))

    def test_many_branches_do_not_keep_the_supervisor_busy(self):
        branch = json.dumps({"branch": {**BRANCH, "site": 1111, "input": ["2222", "1"]}})
        form = json.dumps(branch.replace("1111", "%d").replace("2222", "%d"))
        self.write_code(FLOOD.replace("FORMAT", form))
        self.write("faultline.toml", 'budget = "5s"\n')  # more, and the messages end by their size
        seconds, memory = self.measured("cover", "f.c", "-f", "f")
        self.assertLess(seconds, 30)
        self.assertLess(memory, 1000 * MEBIBYTE)

    def test_many_candidates_for_vectors_do_not_keep_the_supervisor_busy(self):
        self.findings()
        candidate = {"candidate": {"region": "ordinary", "input": ["1111"], "decisions": [[2222, 1], [2222, 2]]}}
        form = json.dumps(json.dumps(candidate).replace("1111", "%d").replace("2222", "%d"))
        self.write_code(FLOOD.replace(", double y", "").replace("FORMAT, i, i", f"{form}, i, i, i")
                        .replace("x < y ? 1 : 2", "(1 - cos(x)) / (x * x)"))
        self.write("faultline.toml", 'budget = "5s"\n')
        seconds, memory = self.measured("report", "found.json", "-o", "v.csv")
        self.assertLess(seconds, 40)
        self.assertLess(memory, 1000 * MEBIBYTE)

    def test_outputs_that_are_not_there_crash_no_test(self):
        self.findings()
        expected = {"output": 1000000, "reference": ["1", "0x1p+0"], "computed": ["2", "0x1p+1"], "ulps": 1, "bound": 8,
                    "unavoidable": 0}
        self.write_code(f"double f(double x) {{ {saying({'expected': expected}) * 3} return (1 - cos(x)) / (x * x); }}")
        self.run_faultline("report", "found.json", "-o", "t.c", status=0)
        self.assertIn("Without a test", (self.scratch / "t.c").read_text())

    def test_samples_for_plots_are_limited(self):
        self.findings()
        self.write_code(PLOTS)
        _, memory = self.measured("report", "found.json", "-o", "page.html")
        self.assertLess(memory, 700 * MEBIBYTE)
        self.assertLess((self.scratch / "page.html").stat().st_size, 5 * MEBIBYTE)


if __name__ == "__main__":
    unittest.main()
