"""Files that sources and reports name: only those of the project are read and shown."""
import json
import os
import re
import resource
import subprocess
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase, Run

CLANG = os.environ.get("CLANG", "clang-19")
MEBIBYTE = 1 << 20
SOURCE = "#include <math.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\n"
SECRET = "the password is xyzzy"
NOBODY = 65534
WITHOUT = Path(__file__).resolve().parents[1] / "without.c"


class ReadingCase(FaultlineCase):
    """With a secret outside of the project, in a file that the user may read."""
    user = None  # ourselves

    def setUp(self):
        super().setUp()
        self.secret = self.folder / "secret"
        self.secret.mkdir()
        self.secret = self.secret / "key.h"
        self.secret.write_text(f"// {SECRET} // 1 - cos(x)\n" * 9)

    def run_faultline(self, *words, cwd=None, status=None, timeout=60, before=(), limit=None, **environment):
        if self.user is not None:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, self.user, self.user, follow_symlinks=False)
        more = {"user": self.user, "group": self.user, "extra_groups": []} if self.user is not None else {}
        done = subprocess.run([*before, FAULTLINE, *map(str, words)], cwd=cwd or self.scratch,
                              env=self.environment(**environment), capture_output=True, text=True, errors="replace",
                              timeout=timeout, check=False, preexec_fn=limit, **more)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}\n{done.stderr}")
        return Run(done.returncode, done.stdout, done.stderr)

    def expect_no_secret(self, run, *files):
        self.assertNotIn("xyzzy", run.out + run.err)
        for file in files:
            self.assertNotIn("xyzzy", (self.scratch / file).read_text(errors="replace"), file)

    def findings(self):
        self.write("q.c", SOURCE)
        self.run_faultline("hunt", "q.c", "--evals", "500", "--quiet", "-o", "found.json", status=1)
        return json.loads((self.scratch / "found.json").read_text())

    def report_about(self, *files):
        """A report whose findings are in these files, by its own claim."""
        report = self.findings()
        finding = report["targets"][0]["findings"][0]
        report["targets"][0]["findings"] = [
            {**finding, "id": f"{i:016x}", "fingerprint": f"{i:016x}", "cause": {**finding["cause"], "file": str(file), "line": 1}}
            for i, file in enumerate(files)]
        return self.write("evil.json", json.dumps(report))


class Excerpts(ReadingCase):
    def hunt_with_line(self, path):
        self.write("line.c", f'#include <math.h>\n#line 1 "{path}"\ndouble f(double x) {{ return (1 - cos(x)) / (x * x); }}\n')
        return self.run_faultline("hunt", "line.c", "--evals", "500", "--no-plots", "-v", "-o", "l.html", "-o", "l.sarif",
                                  "-o", "l.json", "-o", "l.txt")

    def test_line_directive_shows_no_other_file(self):
        (self.scratch / "link.h").symlink_to(self.secret)
        self.write(".env", f"// {SECRET} 1 - cos(x)\n")
        for path in (self.secret, "../secret/key.h", "link.h", ".env"):
            run = self.hunt_with_line(path)
            self.assertEqual(run.status, 1, run.err)
            self.expect_no_secret(run, "l.html", "l.sarif", "l.json", "l.txt")

    def test_line_directive_shows_files_of_the_project(self):
        """Else the other tests would show nothing."""
        self.write("grammar.y", f"// {SECRET} 1 - cos(x)\n")
        self.assertIn("xyzzy", self.hunt_with_line("grammar.y").out)

    def test_bitcode_shows_other_files_only_by_their_checksums(self):
        """The author of a checksum has the file. A build may be far from its sources."""
        far = self.folder / "far"
        far.mkdir()
        (far / "q.c").write_text(SOURCE.replace("}", "} // " + SECRET))
        subprocess.run([CLANG, "-O2", "-g", "-S", "-emit-llvm", far / "q.c", "-o", "q.ll"], cwd=self.scratch, check=True)
        hunt = ["hunt", "q.ll", "--evals", "500", "--no-plots", "-v", "-o", "l.html", "-o", "l.sarif"]
        self.assertIn("xyzzy", self.run_faultline(*hunt, status=1).out)
        (far / "q.c").write_text(SOURCE.replace("}", "}  // " + SECRET))
        self.expect_no_secret(self.run_faultline(*hunt, status=1), "l.html", "l.sarif")
        text = (self.scratch / "q.ll").read_text()
        self.write("q.ll", re.sub(r", checksumkind: CSK_MD5, checksum: \"[0-9a-f]*\"", "", text))
        self.expect_no_secret(self.run_faultline(*hunt, status=1), "l.html", "l.sarif")

    def test_report_shows_no_other_file(self):
        (self.scratch / "link.h").symlink_to(self.secret)
        for path in (self.secret, "../secret/key.h", "link.h", "/etc/passwd"):
            self.report_about(path)
            run = self.run_faultline("report", "evil.json", status=0)
            self.run_faultline("report", "evil.json", "-o", "e.html", "-o", "e.sarif", "-o", "e.txt", "--no-plots", status=0)
            self.expect_no_secret(run, "e.html", "e.sarif", "e.txt")
            self.assertNotIn("root:", run.out)

    def test_report_shows_files_of_the_project(self):
        self.report_about("q.c")
        self.assertIn("#include <math.h>", self.run_faultline("report", "evil.json", status=0).out)
        (self.scratch / "build").mkdir()
        os.rename(self.scratch / "evil.json", self.scratch / "build/evil.json")  # beside it, rendered from above
        self.assertIn("#include <math.h>", self.run_faultline("report", "build/evil.json", status=0).out)

    def test_pipe_or_file_of_the_kernel_stops_nothing(self):
        os.mkfifo(self.scratch / "pipe.h")
        (self.scratch / "link.h").symlink_to("/proc/kmsg")
        for path in ("pipe.h", "/proc/kmsg", "link.h", "/dev/zero", "/proc/self/environ"):
            self.assertEqual(self.hunt_with_line(path).status, 1, path)
            self.report_about(path)
            self.run_faultline("report", "evil.json", "-o", "e.html", "-o", "e.sarif", "--no-plots", status=0, timeout=30)

    def test_many_names_of_a_large_file_take_little_memory(self):
        (self.scratch / "large.h").write_text(("x" * 99 + "\n") * (300 * 1000))
        with open(self.scratch / "sparse.h", "wb") as sparse:
            sparse.truncate(1 << 40)
        names = ["./" * i + name for i in range(60) for name in ("large.h", "sparse.h")]
        self.report_about(*names)
        for ending in ("html", "sarif"):
            process = subprocess.Popen(["timeout", "60", FAULTLINE, "report", "evil.json", "-o", f"e.{ending}", "--no-plots"], cwd=self.scratch,
                                       env=self.environment(), stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            self.assertLess(used.ru_maxrss * 1024, 600 * MEBIBYTE)
            self.assertLess(used.ru_utime + used.ru_stime, 20)


class Compiling(ReadingCase):
    def sources(self, path):
        yield "embed.c", f'static const char text[] = {{\n#embed "{path}"\n,0}};\ndouble f(double x) {{ return x + text[0]; }}\n'
        yield "include.c", f'#include "{path}"\ndouble f(double x) {{ return x; }}\n'
        yield "include.cpp", f'#include "{path}"\ndouble f(double x) {{ return x; }}\n'
        yield "include.f90", f"real(8) function f(x)\ninclude '{path}'\nreal(8) :: x\nf = x\nend function\n"
        yield "include.F90", f'real(8) function f(x)\n#include "{path}"\nreal(8) :: x\nf = x\nend function\n'

    def expect_refusal(self, name, before=()):
        for command in (["list", name], ["hunt", name, "--evals", "100", "-q"]):
            run = self.run_faultline(*command, before=before, status=3)
            self.assertIn(f"{name}: reads {self.secret}, which does not belong to the project", run.err)
            self.assertIn(f"--allow-read {self.secret.parent}", run.err)
            self.expect_no_secret(run)

    def test_source_reads_no_other_file(self):
        (self.scratch / "link.h").symlink_to(self.secret)
        for path in (self.secret, "../secret/key.h", "link.h"):
            for name, text in self.sources(path):
                self.write(name, text)
                self.expect_refusal(name)

    def test_source_reads_no_other_file_without_landlock(self):
        tool = self.folder / "without"
        subprocess.run([CLANG, "-O1", "-o", tool, WITHOUT], check=True)
        for path in (self.secret, "../secret/key.h"):
            for name, text in self.sources(path):
                self.write(name, text)
                self.expect_refusal(name, before=(tool, "landlock"))

    def test_allowed_folder_is_read(self):
        for name, text in self.sources(self.secret):
            if not name.endswith("90"):
                self.write(name, text)
                self.run_faultline("list", name, "--allow-read", self.secret.parent, status=0)

    def test_assembler_reads_no_other_file(self):
        """Neither when it is compiled, nor when tests are made of it."""
        self.write("asm.c", f"""#include <math.h>
            __asm__(".data\\nblob: .incbin \\"{self.secret}\\"\\n.byte 0\\n.text\\n");
            extern const char blob[];
            int puts(const char*);
            double f(double x) {{ if (x > 2) puts(blob); return (1 - cos(x)) / (x * x); }}\n""")
        self.expect_no_secret(self.run_faultline("explain", "asm.c", "-f", "f", "--at", "x=3"))
        run = self.run_faultline("hunt", "asm.c", "--evals", "300", "-q", "-o", "t.c", "-o", "a.json", "-o", "a.html", "--no-plots")
        self.assertIn(run.status, (0, 1, 3, 4), run.err)
        self.expect_no_secret(run)

    def test_link_that_data_name_leads_to_no_other_file(self):
        self.write("link.c", "double f(double x) { return (x + 1) - x; }\n")
        self.run_faultline("hunt", "link.c", "--evals", "300", "-q", "-o", "found.json")
        (self.scratch / "link.c").unlink()
        self.secret.write_text("xyzzy = 1;\n")  # the compiler's messages would show it
        (self.scratch / "link.c").symlink_to(self.secret)
        for command in (["hunt", ".", "--evals", "300"], ["list", "."], ["replay", "found.json"]):
            self.expect_no_secret(self.run_faultline(*command))

    def test_device_and_pipe_are_no_sources(self):
        os.mkfifo(self.scratch / "pipe.c")
        (self.scratch / "zero.c").symlink_to("/dev/zero")
        for name in ("pipe.c", "zero.c"):
            self.assertIn("regular file", self.run_faultline("list", name, status=2, timeout=20).err)

    def test_project_under_version_control_is_read_as_a_whole(self):
        (self.scratch / ".git").mkdir()
        self.write("include/own.h", "#define ONE 1\n")
        self.write("src/deep/a.c", '#include "../../include/own.h"\n#include <math.h>\ndouble f(double x) { return x + ONE; }\n')
        self.run_faultline("list", "a.c", cwd=self.scratch / "src/deep", status=0)

    def test_folders_of_the_command_line_are_read(self):
        own = self.folder / "elsewhere"
        own.mkdir()
        (own / "b.h").write_text("#define ONE 1\n")
        (own / "b.c").write_text('#include "b.h"\ndouble g(double x) { return x + ONE; }\n')
        self.write("a.c", '#include "b.h"\ndouble f(double x) { return x + ONE; }\n')
        self.run_faultline("list", "a.c", "--", f"-I{own}", status=0)
        self.run_faultline("list", "a.c", "--", "-I", "../elsewhere", status=0)
        self.run_faultline("list", "a.c", "--", f"-include{own}/b.h", "-I../elsewhere", status=0)
        self.run_faultline("list", own / "b.c", status=0)
        self.write("a.c", '#include "../elsewhere/b.h"\ndouble f(double x) { return x + ONE; }\n')
        self.run_faultline("list", "a.c", own / "b.c", status=0)
        self.run_faultline("list", "a.c", status=3)

    def test_compilation_database_of_the_project_is_read(self):
        self.write("build/made.h", "#define ONE 1\n")
        self.write("src/a.c", '#include "made.h"\n#include "../include/own.h"\ndouble f(double x) { return x + ONE + TWO; }\n')
        self.write("include/own.h", "#define TWO 2\n")
        (self.scratch / "build/compile_commands.json").write_text(json.dumps([{
            "directory": str(self.scratch / "build"), "file": "../src/a.c", "arguments": ["cc", "-I.", "-c", "../src/a.c"]}]))
        self.run_faultline("list", "-p", "build", status=0)
        self.run_faultline("list", "-p", self.scratch / "build", cwd=self.folder, status=0)


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class ExcerptsAsNobody(Excerpts):
    user = NOBODY


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class CompilingAsNobody(Compiling):
    user = NOBODY


class Folders(ReadingCase):
    def test_endless_files_of_git_stop_no_campaign(self):
        self.write("q.c", SOURCE)
        self.run_faultline("campaign", "init", "c", "q.c", status=0)
        git = self.scratch / ".git"
        git.mkdir()
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "packed-refs").symlink_to("/dev/zero")
        run = ["campaign", "run", "c", "--evals", "500", "-q"]
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (512 * MEBIBYTE, 512 * MEBIBYTE))
        self.run_faultline(*run, status=0, limit=limit)
        (git / "HEAD").unlink()
        os.mkfifo(git / "HEAD")
        self.run_faultline(*run, status=0)

    def test_program_of_a_job_that_never_ends_is_refused(self):
        self.write("q.c", SOURCE)
        self.run_faultline("campaign", "init", "c", "q.c", status=0)
        self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", "--launcher",
                           f"cp {{job}} {self.folder}/job-1.json; {FAULTLINE} worker --share {{job}}", status=None)
        share = self.scratch / "c/shares/2"  # that of the run was stopped
        share.mkdir(parents=True)
        job = json.loads((self.folder / "job-1.json").read_text())
        program = self.scratch / "c/programs" / f"{job['program']}.bc"
        program.unlink()
        program.symlink_to("/dev/zero")
        (share / "job-1.json").write_text(json.dumps(job))
        run = self.run_faultline("worker", "--share", share / "job-1.json", timeout=20)
        self.assertNotEqual(run.status, 0)
        self.assertIn("is not a regular file", run.err)

    def test_pipe_that_an_object_names_as_its_source_is_not_read(self):
        os.mkfifo(self.scratch / "pipes.cpp")
        self.write("stats.cpp", "#include <vector>\ndouble f(const std::vector<double>& v) { return v[0] + 1 - v[0]; }\n")
        compiler = Path(FAULTLINE).with_name("faultline-c++")
        subprocess.run([compiler, "-O2", "-c", "stats.cpp", "-o", "stats.o"], cwd=self.scratch, env=self.environment(), check=True)
        built = (self.scratch / "stats.o").read_bytes()
        self.assertIn(b'stats.cpp"', built)
        (self.scratch / "stats.o").write_bytes(built.replace(b'stats.cpp"', b'pipes.cpp"'))
        run = self.run_faultline("list", "--all", "stats.o", timeout=30)
        self.assertIn("pipes.cpp is gone, or is not a regular file", run.out + run.err)

    def test_pipe_in_a_corpus_stops_nothing(self):
        self.write("q.c", SOURCE)
        self.run_faultline("hunt", "q.c", "--evals", "500", "-q", "--corpus", "corpus")
        os.mkfifo(self.scratch / "corpus/a.json")
        run = self.run_faultline("hunt", "q.c", "--evals", "500", "-q", "--corpus", "corpus", timeout=30)
        self.assertEqual(run.status, 1, run.err)


if __name__ == "__main__":
    unittest.main()
