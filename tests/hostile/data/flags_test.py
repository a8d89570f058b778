"""Compiler flags in files: none loads code into the compiler, and none writes a file."""
import json
import os
import subprocess
import unittest

from faultline_case import FaultlineCase

CLANG = os.environ.get("CLANG", "clang-19")

# The plugin is loaded before it can be found wanting: it makes a file at once.
PLUGIN = """#include <fcntl.h>
__attribute__((constructor)) static void loaded(void) { open(MARK, O_CREAT | O_WRONLY, 0600); }
"""
SOURCE = "#include <math.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\n"
FORTRAN = "real(8) function q(x)\nreal(8), intent(in) :: x\nq = (1 - cos(x)) / (x * x)\nend function\n"


class Flags(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("q.c", SOURCE)
        self.marks = self.folder / "marks"
        self.marks.mkdir()
        self.plugin = self.folder / "plugin.so"
        source = self.folder / "plugin.c"
        source.write_text(PLUGIN)
        subprocess.run([CLANG, "-shared", "-fPIC", f'-DMARK="{self.marks}/loaded"', source, "-o", self.plugin], check=True)
        (self.folder / "response").write_text(f"-fplugin={self.plugin}\n")

    def loading(self):
        return [[f"-fplugin={self.plugin}"], [f"-fpass-plugin={self.plugin}"], ["-Xclang", "-load", "-Xclang", self.plugin],
                ["-mllvm", f"-load={self.plugin}"], [f"@{self.folder}/response"], ["-I", f"@{self.folder}/response"],
                [f"--config={self.folder}/response"]]

    def writing(self):
        return [[f"-ftime-trace={self.marks}/a"], [f"-Wp,-MD,{self.marks}/b"], ["-MD", "-MF", f"{self.marks}/c"],
                ["-o", f"{self.marks}/d"], [f"-foptimization-record-file={self.marks}/e"], ["-MJ", f"{self.marks}/f"],
                [f"-fproc-stat-report={self.marks}/g"], ["-save-temps=cwd"], ["--coverage"]]

    def saved(self, flags, name="saved.json"):
        """Findings whose hunt had these flags, by their own claim."""
        if not (self.scratch / "found.json").exists():
            self.run_faultline("hunt", "q.c", "--evals", "500", "--quiet", "-o", "found.json", status=1)
        report = json.loads((self.scratch / "found.json").read_text())
        report["command"] += ["--trust-flags", "--", *map(str, flags)]  # his trust is not ours
        return self.write(name, json.dumps(report))

    def expect_nothing(self, flags, before):
        self.assertEqual(sorted(self.marks.iterdir()), [], flags)
        self.assertEqual(sorted(self.scratch.iterdir()), before, flags)

    def test_plugin_works_at_all(self):
        """Else the other tests would show nothing."""
        subprocess.run([CLANG, "-c", f"-fplugin={self.plugin}", "q.c", "-o", "/dev/null"], cwd=self.scratch, check=False)
        self.assertEqual([path.name for path in self.marks.iterdir()], ["loaded"])

    def test_replay_of_findings_loads_and_writes_nothing(self):
        for flags in self.loading() + self.writing():
            name = self.saved(flags)
            before = sorted(self.scratch.iterdir())
            run = self.run_faultline("replay", name)
            self.expect_nothing(flags, before)
            if flags in self.loading():
                self.assertEqual(run.status, 2, flags)
                self.assertIn(f"{name}: the compiler flag '{flags[0]}", run.err)

    def test_report_of_findings_loads_nothing(self):
        for flags in self.loading()[:2]:
            name = self.saved(flags)
            for output, status in ("page.html", 0), ("a_test.cpp", 2):  # a page can do without plots
                run = self.run_faultline("report", name, "-o", self.folder / output, status=status)
                self.assertIn("is not taken from a file", run.err)
            self.expect_nothing(flags, sorted(self.scratch.iterdir()))

    def test_corpus_loads_nothing(self):
        (self.scratch / "corpus").mkdir()
        self.saved(self.loading()[0], "corpus/a.json")
        run = self.run_faultline("replay", "corpus", status=1)
        self.assertIn("is not taken from a file", run.out)
        self.expect_nothing("corpus", sorted(self.scratch.iterdir()))

    def test_configuration_loads_nothing(self):
        for flags in self.loading():
            self.write("faultline.toml", "flags = " + json.dumps([str(flag) for flag in flags]))
            for command in (["list", "q.c"], ["hunt", "q.c", "--evals", "10"]):
                run = self.run_faultline(*command, status=2)
                self.assertIn("faultline.toml: the compiler flag", run.err)
            self.expect_nothing(flags, sorted(self.scratch.iterdir()))

    def test_compilation_database_loads_and_writes_nothing(self):
        for flags in self.loading() + self.writing():
            self.write("compile_commands.json", json.dumps([{"directory": str(self.scratch), "file": "q.c", "arguments":
                       ["cc", *map(str, flags), "-c", "q.c"]}]))
            before = sorted(self.scratch.iterdir())
            self.run_faultline("list", "q.c", "-p", ".", status=2 if flags in self.loading() else 0)
            self.expect_nothing(flags, before)

    def test_fortran_compiler_loads_nothing(self):
        self.write("q.f90", FORTRAN)
        for flags in (["-Xflang", "-load", "-Xflang", str(self.plugin)], [f"-fpass-plugin={self.plugin}"],
                      ["-mmlir", f"--load-pass-plugin={self.plugin}"], ["-J", str(self.marks)]):
            self.write("faultline.toml", "flags = " + json.dumps(flags))
            self.run_faultline("list", "q.f90", status=0 if "-J" in flags else 2)
            self.expect_nothing(flags, sorted(self.scratch.iterdir()))

    def test_source_of_findings_is_no_response_file(self):
        """A file called @q.c is a file."""
        self.write("@q.c", SOURCE)
        self.write("q.c", f"-fplugin={self.plugin}")
        self.run_faultline("list", "@q.c", status=0)
        self.expect_nothing("@q.c", sorted(self.scratch.iterdir()))

    def test_flags_of_trusted_files_and_typed_ones_are_taken(self):
        name = self.saved([f"-fplugin={self.plugin}"])
        self.run_faultline("replay", name, "--trust-flags")
        self.assertEqual([path.name for path in self.marks.iterdir()], ["loaded"])
        (self.marks / "loaded").unlink()
        self.run_faultline("list", "q.c", "--", f"-fplugin={self.plugin}")
        self.assertEqual([path.name for path in self.marks.iterdir()], ["loaded"])


if __name__ == "__main__":
    unittest.main()
