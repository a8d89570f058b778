"""Compiler flags in files: none loads code into the compiler, none writes a file, and none reads one outside of the project."""
import json
import os
import shutil
import sqlite3
import subprocess
import unittest
from pathlib import Path

from faultline_case import FaultlineCase

CLANG = os.environ.get("CLANG", "clang-19")
FLANG = "flang-new-19"
NOBODY = 65534

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
        self.write("x86_64-a/b-linux-gnu-clang.cfg", f"-fplugin={self.plugin}\n")

    def loading(self):
        return [[f"-fplugin={self.plugin}"], [f"-fpass-plugin={self.plugin}"], ["-Xclang", "-load", "-Xclang", self.plugin],
                ["-mllvm", f"-load={self.plugin}"], [f"@{self.folder}/response"], ["-I", f"@{self.folder}/response"],
                [f"--config={self.folder}/response"], ["-isystem-after", "-I", f"-fplugin={self.plugin}"],
                ["-isystem", "-after", "-I", f"-fplugin={self.plugin}"], ["-I", "-", f"-fplugin={self.plugin}"],
                ["--target=x86_64-a/b-linux-gnu"], ["-target", "x86_64-a/b-linux-gnu"],
                ["-I", "--driver-mode=cl", f"-I/clang:-fplugin={self.plugin}"]]

    def reading(self):
        """Of what is not in the project."""
        return [["-include", self.folder / "secret.h"], [f"-I{self.folder}"], ["-imacros", "../secret.h"],
                [f"--sysroot={self.folder}"], ["-isystem", "link"], [f"-fsanitize-ignorelist={self.folder}/secret.h"]]

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

    def saved_campaign(self, flags):
        """A campaign that was begun with these flags, by its own claim."""
        if not (self.scratch / "night").exists():
            self.run_faultline("campaign", "init", "night", "q.c", "-q", status=0)
        store = sqlite3.connect(self.scratch / "night/campaign.db")
        with store:
            (command,), = store.execute("SELECT value FROM campaign WHERE key = 'command'").fetchall()
            words = json.loads(command)
            words = words[:words.index("--")] if "--" in words else words
            store.execute("UPDATE campaign SET value = ? WHERE key = 'command'", (json.dumps([*words, "--", *map(str, flags)]),))
        store.close()

    def saved_job(self, flags):
        job = {"share": 1, "run": 1, "job": 1, "program": "0" * 64, "folder": str(self.scratch), "flags": [str(flag) for flag in flags],
               "seed": 1, "seconds": 1, "functions": []}
        return self.write("night/shares/1/job-1.json", json.dumps(job))

    def test_each_kind_of_file_is_refused_by_name(self):
        (self.folder / "secret.h").write_text("int secret;\n")
        (self.scratch / "link").symlink_to(self.folder)
        for flags in self.loading() + self.reading():
            words = [str(flag) for flag in flags]
            self.saved_campaign(flags)
            job, found = self.saved_job(flags), self.saved(flags)
            self.write("faultline.toml", f"flags = {json.dumps(words)}")
            self.write("database/compile_commands.json", json.dumps([{"directory": str(self.scratch), "file": f"{self.scratch}/q.c",
                       "arguments": ["cc", *words, "-c", "q.c"]}]))
            before = sorted(self.scratch.iterdir())
            for file, command in (("faultline.toml", ["list", "q.c"]), (found, ["replay", found]),
                                  ("compile_commands.json", ["list", "q.c", "-p", "database", "--no-config"]),
                                  ("campaign.db", ["campaign", "run", "night", "--evals", "10"]),
                                  ("job-1.json", ["worker", "--share", job])):
                run = self.run_faultline(*command)
                self.assertIn(run.status, (2, 4), f"{command} {flags}\n{run.err}")
                self.assertRegex(run.err, rf"{file}.*: the compiler flag '", f"{command} {flags}")
                self.assertNotIn("secret;", run.out + run.err)
                self.expect_nothing(flags, before)
                for left in (self.scratch / "night/shares/1").glob("job-1.*"):
                    if left.suffix != ".json":
                        left.unlink()

    def test_configuration_files_of_compilers_are_off(self):
        """They lie next to the compiler, or in the home folder."""
        folder = self.folder / "bin"
        folder.mkdir()
        for compiler in (CLANG, FLANG):
            real = Path(shutil.which(compiler)).resolve()
            shutil.copy(real, folder / Path(compiler).name)
            for name in (Path(compiler).name, real.name, "clang", "flang", "x86_64-pc-linux-gnu-clang", "x86_64-pc-linux-gnu-flang"):
                (folder / f"{name}.cfg").write_text(f"-fplugin={self.plugin}\n-fpass-plugin={self.plugin}\n")
        self.write("q.c", "double q(double x) { return x + 1; }\n")
        self.write("q.f90", FORTRAN)
        path = f"{folder}:{os.environ['PATH']}"
        subprocess.run([folder / Path(CLANG).name, "-c", "q.c", "-o", "/dev/null"], cwd=self.scratch, check=False, stderr=subprocess.DEVNULL)
        self.assertEqual([path.name for path in self.marks.iterdir()], ["loaded"], "the compiler reads no such file")
        (self.marks / "loaded").unlink()
        for file in ("q.c", "q.f90"):
            self.run_faultline("list", file, "--", "-ffast-math", PATH=path, HOME=str(folder))  # flang by its driver, too
            self.expect_nothing(file, sorted(self.scratch.iterdir()))

    def test_variables_that_compilers_read_are_off(self):
        self.write("cpath/math.h", '#error "from CPATH"\n')
        variables = {"CCC_OVERRIDE_OPTIONS": f"# +-fplugin={self.plugin}", "DEPENDENCIES_OUTPUT": f"{self.marks}/a",
                     "SUNPRO_DEPENDENCIES": f"{self.marks}/b", "CC_PRINT_OPTIONS": "1", "CC_PRINT_OPTIONS_FILE": f"{self.marks}/c",
                     "CC_LOG_DIAGNOSTICS": "1", "CC_LOG_DIAGNOSTICS_FILE": f"{self.marks}/d", "CC_PRINT_HEADERS": "1",
                     "CC_PRINT_HEADERS_FILE": f"{self.marks}/e", "CPATH": "cpath", "C_INCLUDE_PATH": "cpath",
                     "COMPILER_PATH": str(self.folder), "GCC_EXEC_PREFIX": str(self.folder)}
        before = sorted(self.scratch.iterdir())
        subprocess.run([CLANG, "-c", "q.c", "-o", "/dev/null"], cwd=self.scratch, env={**os.environ, **variables}, check=False,
                       stderr=subprocess.DEVNULL)
        self.assertNotEqual(list(self.marks.iterdir()), [], "the compiler reads no such variable")
        for mark in self.marks.iterdir():
            mark.unlink()
        self.run_faultline("list", "q.c", status=0, **variables)
        self.expect_nothing(variables, before)

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
                self.assertIn(f"{name}: the compiler flag '", run.err)

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
        modules = self.scratch / "modules"
        modules.mkdir()
        for flags in (["-Xflang", "-load", "-Xflang", str(self.plugin)], [f"-fpass-plugin={self.plugin}"],
                      ["-mmlir", f"--load-pass-plugin={self.plugin}"], ["-J", "modules"]):
            self.write("faultline.toml", "flags = " + json.dumps(flags))
            self.run_faultline("list", "q.f90", status=0 if "-J" in flags else 2)
            self.expect_nothing(flags, sorted(self.scratch.iterdir()))
            self.assertEqual(list(modules.iterdir()), [])

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


@unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
class FlagsOfOrdinaryUser(Flags):
    prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")

    def run_faultline(self, *words, **more):
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        return super().run_faultline(*words, **more)


if __name__ == "__main__":
    unittest.main()
