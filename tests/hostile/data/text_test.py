"""Names and texts from code and data: none of them commands a terminal, hides code, or becomes code."""
import csv
import json
import os
import re
import subprocess
import unittest

from faultline_case import FaultlineCase

CLANG = os.environ.get("CLANG", "clang-19")
SOURCE = "#include <math.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\n"
HIDDEN = "\x1b]0;title\x07\x1b[31m\u009b31m\u202e\u2066\u2069\u200f\u061c\u2028\x7f"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
INJECTED = "x\n#error injected\nimport injected\n=cmd|injected"


class Text(FaultlineCase):
    def run_bytes(self, *words, status=None):
        """The output as it is, with bytes that are no text."""
        from faultline_case import FAULTLINE
        done = subprocess.run([FAULTLINE, *words], cwd=self.scratch, env=self.environment(), capture_output=True, timeout=90,
                              check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def expect_plain(self, data, what):
        text = data.decode()  # it is UTF-8
        found = FORBIDDEN.search(text.replace("\n", ""))
        self.assertIsNone(found, f"{what}: {found and text[max(0, found.start() - 40):found.end() + 40]!r}")

    def test_source_lines_do_not_command_the_terminal(self):
        line = f"double q(double x) {{ return (1 - cos(x)) / (x * x); }} // {HIDDEN}"
        (self.scratch / "q.c").write_bytes(b"#include <math.h>\n" + line.encode() + b" \x9b31m \xff\xc2\n")
        self.expect_plain(self.run_bytes("hunt", "q.c", "--evals", "500", "-v", "-o", "t.txt", "-o", "t.c", "-o", "v.py", "-o",
                                         "v.csv", "-o", "v.ipp", "-o", "v.hpp", status=1), "terminal")
        for name in ("t.txt", "t.c", "v.py", "v.csv", "v.ipp", "v.hpp"):
            self.expect_plain((self.scratch / name).read_bytes(), name)
        self.expect_plain(self.run_bytes("explain", "q.c", "-f", "q", "--at", "x=1e-8"), "explain")

    def test_output_of_code_does_not_command_the_terminal(self):
        octal = "".join(f"\\{byte:03o}" for byte in HIDDEN.encode() + b"\x9b31m")
        self.write("p.c", f'int puts(const char*);\ndouble p(double x) {{ puts("{octal}"); return x + 1; }}\n')
        self.expect_plain(self.run_bytes("explain", "p.c", "-f", "p", "--at", "x=1e-8"), "explain")

    def test_names_of_files_do_not_command_the_terminal(self):
        name = f"q{HIDDEN}.c".replace("/", "")
        self.write(name, SOURCE)
        self.expect_plain(self.run_bytes("hunt", name, "--evals", "500", "-o", "t.c", "-o", "v.csv", "-o", "v.py"), "terminal")
        for file in ("t.c", "v.csv", "v.py"):
            self.expect_plain((self.scratch / file).read_bytes(), file)

    def test_texts_of_findings_do_not_command_the_terminal(self):
        self.write("q.c", SOURCE)
        self.run_faultline("hunt", "q.c", "--evals", "500", "--quiet", "-o", "found.json", status=1)
        report = json.loads((self.scratch / "found.json").read_text())

        def spoilt(value, key=""):
            if isinstance(value, dict):
                return {name: spoilt(part, name) for name, part in value.items()}
            if isinstance(value, list):
                return [spoilt(part, key) for part in value]
            free = key in ("function", "file", "detail", "why", "text", "advice", "note", "when", "name", "source", "replay")
            return value + HIDDEN if isinstance(value, str) and free else value
        report["targets"] = spoilt(report["targets"])
        self.write("evil.json", json.dumps(report))
        for words in (["-v"], ["-q"], [], ["-o", "e.txt"]):
            self.expect_plain(self.run_bytes("report", "evil.json", *words), words)
        if (self.scratch / "e.txt").exists():
            self.expect_plain((self.scratch / "e.txt").read_bytes(), "e.txt")

    def bitcode_with(self, old, new):
        """q.c with another name in its debug information."""
        self.write("q.c", SOURCE)
        subprocess.run([CLANG, "-O2", "-g", "-S", "-emit-llvm", "q.c", "-o", "q.ll"], cwd=self.scratch, check=True)
        text = (self.scratch / "q.ll").read_text()
        escaped = "".join(f"\\{byte:02X}" for byte in new.encode())
        self.assertIn(f'name: "{old}"', text)
        return self.write("q.ll", text.replace(f'name: "{old}"', f'name: "{escaped}"'))

    def test_names_of_debug_information_become_no_code(self):
        for old in ("x", "q"):
            for new in (INJECTED, HIDDEN, '"); system("injected"); ("', "*/ injected", "x\\", "x\r\n#error injected"):
                self.bitcode_with(old, new)
                for name in ("t.c", "t.cpp", "v.py", "v.ipp", "v.hpp", "v.csv"):
                    (self.scratch / name).unlink(missing_ok=True)
                self.expect_plain(self.run_bytes("hunt", "q.ll", "--evals", "500", "-o", "t.c", "-o", "v.py", "-o", "v.ipp", "-o",
                                                 "v.hpp", "-o", "v.csv"), "terminal")
                for name in ("t.c", "v.py", "v.ipp", "v.hpp", "v.csv"):
                    data = (self.scratch / name).read_bytes()
                    self.expect_plain(data, name)
                    for line in data.decode().splitlines():
                        self.assertFalse(line.lstrip().startswith(("#error", "import injected", "system(")), line)
                subprocess.run([CLANG, "-std=c99", "-w", "-fsyntax-only", "t.c"], cwd=self.scratch, check=True)
                subprocess.run([CLANG, "-x", "c++", "-std=c++17", "-w", "-fsyntax-only", "v.hpp"], cwd=self.scratch, check=True)
                compile((self.scratch / "v.py").read_text(), "v.py", "exec")

    def test_names_of_debug_information_do_not_command_the_terminal(self):
        for old, name in ("x", HIDDEN), ("q", "x"):
            self.bitcode_with(old, HIDDEN)
            at = ["--range", f"{name}=1:2", "--time", "1s"]
            for words in (["list"], ["cover", "-f", "q"], ["bound", "-f", "q", *at], ["explain", "-f", "q", "--at", f"{name}=1e-8"]):
                self.expect_plain(self.run_bytes(words[0], "q.ll", *words[1:]), words)

    def test_symbol_that_is_code_makes_no_test(self):
        self.write("label.c", """#include <math.h>
double f(double x) __asm__("f0(double);\\n__attribute__((constructor)) static void pwn(void) { }\\ndouble g0");
double f(double x) { return (1 - cos(x)) / (x * x); }
""")
        run = self.run_faultline("hunt", "label.c", "--evals", "500", "-q", "-o", "t.c", "-o", "v.py", status=1)
        text = (self.scratch / "t.c").read_text()
        self.assertNotIn("\n__attribute__", text)
        self.assertIn("the symbol of f is not a name that a test can declare", " ".join(text.replace("//", "").split()))
        subprocess.run([CLANG, "-w", "-fsyntax-only", "t.c"], cwd=self.scratch, check=True)
        self.assertIn("its symbol is not a plain name", (self.scratch / "v.py").read_text())
        run = self.run_faultline("cover", "label.c", "-f", "f", "-o", "c.c", status=2)
        self.assertIn("is not a name that a test can declare", run.err)
        self.assertFalse((self.scratch / "c.c").exists())

    def test_symbol_that_is_a_keyword_makes_a_test_that_compiles(self):
        self.write("int.c", SOURCE.replace("double q", 'double q(double x) __asm__("int");\ndouble q'))
        self.run_faultline("hunt", "int.c", "--evals", "500", "-q", "-o", "t.c", status=1)
        subprocess.run([CLANG, "-w", "-fsyntax-only", "t.c"], cwd=self.scratch, check=True)
        self.assertIn('__asm__("int")', (self.scratch / "t.c").read_text())

    def test_cells_of_a_table_are_no_formulas(self):
        self.bitcode_with("q", "=cmd|' /C calc'!A0")
        self.run_faultline("hunt", "q.ll", "--evals", "500", "-q", "-o", "v.csv", status=1)
        rows = list(csv.reader(line for line in (self.scratch / "v.csv").open() if not line.startswith("#")))
        self.assertEqual({row[0] for row in rows[1:]}, {"'=cmd|' /C calc'!A0"})
        self.assertTrue(any(cell.startswith("-0x") for row in rows for cell in " ".join(row).replace("=", " ").split()))
        run = self.run_faultline("vectors", "v.csv", "q.ll")  # reads the name as it was
        self.assertEqual(run.status, 0, run.out + run.err)


if __name__ == "__main__":
    unittest.main()
