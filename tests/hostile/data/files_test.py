"""Large, endless and damaged files; full disks; names that are no names."""
import json
import os
import resource
import signal
import subprocess
import unittest

from faultline_case import FAULTLINE, FaultlineCase

CLANG = os.environ.get("CLANG", "clang-19")
SOURCE = "#include <math.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\n"
MEBIBYTE = 1 << 20


class Files(FaultlineCase):
    def limited(self, *words, memory=None, file_size=None, **more):
        """With limits on what the process may use; a write beyond fails as it does on a full disk."""
        def limit():
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            if file_size:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        return subprocess.run([FAULTLINE, *map(str, words)], cwd=self.scratch, env=self.environment(), preexec_fn=limit,
                              capture_output=True, text=True, timeout=60, check=False, **more)

    def findings(self):
        self.write("q.c", SOURCE)
        self.run_faultline("hunt", "q.c", "--evals", "500", "--quiet", "-o", "found.json", status=1)
        return json.loads((self.scratch / "found.json").read_text())

    def test_endless_files_are_refused(self):
        self.write("q.c", SOURCE)
        for words in (["replay", "/dev/zero"], ["report", "/dev/zero"], ["worker", "--share", "/dev/zero"],
                      ["solve", "/dev/zero"],
                      ["list", "q.c", "-p", "/dev/zero"], ["list", "q.c", "--config", "/dev/zero"],
                      ["hunt", "q.c", "--baseline", "/dev/zero"]):
            run = self.limited(*words, memory=2048 * MEBIBYTE)
            self.assertEqual(run.returncode, 2, f"{words}: {run.stderr}")
            self.assertIn("/dev/zero: ", run.stderr)

    def test_endless_text_is_refused(self):
        for generator in ("yes ' '", "yes '[' | tr -d '\\n'", "(printf '{\"faultline\": \"'; yes a)", "(printf '['; yes '{},')",
                          "(printf '{\"targets\": [{\"x\": ['; yes '0,')"):
            with subprocess.Popen(["sh", "-c", generator], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  start_new_session=True) as source:
                run = self.limited("report", "/dev/stdin", memory=2048 * MEBIBYTE, stdin=source.stdout)
                source.stdout.close()
                os.killpg(source.pid, signal.SIGKILL)
            self.assertEqual(run.returncode, 2, f"{generator}: {run.stderr}")
            self.assertIn("/dev/stdin: ", run.stderr)

    def test_many_findings_take_the_memory_of_findings(self):
        """Not that of their text and of a document made from it: eight times as much."""
        report = self.findings()
        finding = report["targets"][0]["findings"][0]
        report["targets"][0]["findings"] = [{**finding, "id": f"{i:016x}"} for i in range(4000)]
        self.write("many.json", json.dumps(report, indent=2))
        size = (self.scratch / "many.json").stat().st_size
        self.assertGreater(size, 15 * MEBIBYTE)
        for words in (["many.json"], ["many.json", "-o", "again.json"]):
            process = subprocess.Popen([FAULTLINE, "report", *words], cwd=self.scratch, env=self.environment(),
                                       stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            self.assertLess(used.ru_maxrss * 1024, 80 * MEBIBYTE + 4 * size)  # 60 MiB are the program's
        again = json.loads((self.scratch / "again.json").read_text())
        self.assertEqual(len(again["targets"][0]["findings"]), 4000)

    def test_memory_that_runs_out_is_told(self):
        report = self.findings()
        report["targets"][0]["findings"] = report["targets"][0]["findings"][:1] * 20000
        self.write("many.json", json.dumps(report))
        run = self.limited("report", "many.json", memory=320 * MEBIBYTE)
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("faultline: error: out of memory", run.stderr)

    def test_complaints_do_not_command_the_terminal(self):
        report = self.findings()
        report["targets"][0]["findings"][0]["kind"] = "\x1b]0;title\x07\x1b[31mred"
        self.write("red.json", json.dumps(report))
        run = self.run_faultline("report", "red.json", status=2)
        self.assertIn("red' is not a kind of finding", run.err)
        self.assertNotIn("\x1b", run.err)

    def test_corpus_on_a_full_disk_is_told(self):
        self.write("q.c", SOURCE)
        subprocess.run([CLANG, "-O2", "-g", "-emit-llvm", "-c", "q.c", "-o", "q.bc"], cwd=self.scratch, check=True)
        run = self.limited("hunt", "q.bc", "--evals", "500", "--corpus", "corpus", file_size=512)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--corpus corpus: findings cannot be kept: ", run.stderr)
        self.assertIn("cancellation", run.stdout)  # the report has them all the same
        self.assertEqual(list((self.scratch / "corpus").iterdir()), [])

    def test_report_on_a_full_disk_is_told(self):
        self.write("q.c", SOURCE)
        subprocess.run([CLANG, "-O2", "-g", "-emit-llvm", "-c", "q.c", "-o", "q.bc"], cwd=self.scratch, check=True)
        for file in ("full.json", "full.html"):
            run = self.limited("hunt", "q.bc", "--evals", "500", "-o", file, "--no-plots", file_size=2048)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(f"-o {file}: cannot be written: File too large", run.stderr)
            self.assertFalse((self.scratch / file).exists())

    def test_temporary_folder_that_is_not_there_is_told_before_tests_are_written(self):
        self.findings()
        run = self.run_faultline("report", "found.json", "-o", "a_test.cpp", TMPDIR="/nonexistent")
        self.assertEqual(run.status, 2, run.err)
        self.assertIn("no temporary folder can be made in /nonexistent", run.err)

    def test_names_of_files_do_not_break_tests(self):
        for name in ("a\nb.c", 'a"b\\\nint x;.c'):
            self.write(name, SOURCE.replace("return", "if (x > 3) return 1; return"))
            for command in (["hunt", name, "--evals", "500"], ["cover", name, "-f", "q"]):
                self.run_faultline(*command, "-o", "t.c")
                text = (self.scratch / "t.c").read_text()
                self.assertEqual([line for line in text.splitlines() if line.startswith(("b.c", "int x;"))], [])
                subprocess.run([CLANG, "-std=c99", "-w", "-fsyntax-only", "t.c"], cwd=self.scratch, check=True)
                (self.scratch / "t.c").unlink()

    def test_function_called_like_our_own_is_hunted_in(self):
        self.write("own.c", "#include <math.h>\ndouble faultline_globals = 1;\n"
                            "double faultline_tape(double x) { return sqrt(x + 1) - sqrt(x); }\n"
                            "double faultline_driver(double x) { return 1 - cos(x) * faultline_globals; }\n")
        run = self.hunt("own.c", "--evals", "2000")
        self.assertEqual({name: target["outcome"] for name, target in run.targets.items()},
                         {"faultline_tape": "found", "faultline_driver": "found"})

    def test_largest_size_is_one_number(self):
        self.write("sum.c", "double sum(const double* A) { return A[0] + A[1]; }\n")
        run = self.run_faultline("list", "sum.c", "--size", "A=131073", status=2)
        self.assertIn("more than 131072 elements", run.err)
        self.run_faultline("list", "sum.c", "--size", "A=131072", status=0)

    def test_one_line_has_a_bounded_number_of_findings(self):
        names = [f"a{i}" for i in range(60)]
        self.write("sum.c", f"double f({', '.join('double ' + name for name in names)}) {{ return {' + '.join(names)}; }}\n")
        run = self.hunt("sum.c", "--for", "exceptions", "--evals", "20000")
        overflows = [finding for finding in run.findings if finding["kind"] == "overflow"]
        self.assertEqual(len(overflows), 16)
        self.assertGreater(sum(finding.get("merged", 0) for finding in overflows), 10)


if __name__ == "__main__":
    unittest.main()
