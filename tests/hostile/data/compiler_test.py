"""The compiler has limits, and ends with the process that started it."""
import contextlib
import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase

# Ten billion expansions: minutes of work, whatever the machine.
BOMB = ("#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\ndouble f(double x) { return x\nB(B(+1)); }\n")
FORTRAN = "real(8) function f(x)\nreal(8), intent(in) :: x\nf = x\nend function\n"


def content_of(path):
    """Nothing if the process is gone."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


class Compiler(FaultlineCase):
    def compilers(self):
        """Processes of this test that are not faultline itself."""
        found = []
        for entry in os.listdir("/proc"):
            command = content_of(f"/proc/{entry}/cmdline") if entry.isdigit() else b""
            is_compiler = any(name in command for name in (b"clang", b"flang", b"faultline-harness"))
            if is_compiler and self.is_ours(Path("/proc") / entry):
                found.append(int(entry))
        return found

    def start(self, *words, **more):
        run = subprocess.Popen([FAULTLINE, *words], cwd=self.scratch, env=self.environment(**more), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        for _ in range(200):
            if self.compilers():
                return run
            time.sleep(0.02)
        self.fail("no compiler runs")

    def expect_no_compiler(self):
        for _ in range(20):  # two seconds
            if not self.compilers():
                return
            time.sleep(0.1)
        self.fail(f"compilers left behind: {self.compilers()}")

    def expect_nothing_temporary(self):
        for _ in range(20):  # two seconds
            if not list(self.temporary.iterdir()):
                return
            time.sleep(0.1)
        self.fail(f"left behind: {list(self.temporary.iterdir())}")

    def end_by(self, number, command):
        self.write("bomb.c", BOMB)
        run = self.start(command, "bomb.c")
        run.send_signal(number)
        _, errors = run.communicate(timeout=10)
        self.expect_no_compiler()
        return run.returncode, errors

    def test_kill_of_the_parent_ends_the_compiler(self):
        status, _ = self.end_by(signal.SIGKILL, "hunt")
        self.assertEqual(status, -signal.SIGKILL)
        self.expect_nothing_temporary()

    def test_interrupt_of_the_parent_alone_ends_the_compiler(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, errors = self.end_by(number, "hunt")
            self.assertEqual(status, 4, errors)
            self.assertIn("interrupted while bomb.c was compiled", errors)
            status, errors = self.end_by(number, "list")  # which does nothing special about signals
            self.assertEqual(status, -number, errors)

    def test_driver_that_starts_another_process_leaves_it_not_behind(self):
        """As flang does: what it has started dies with the parent, too."""
        driver = self.scratch / "bin/flang-new-19"
        self.write("bin/flang-new-19", "#!/bin/sh\nsleep 1000 &\nwait\n")
        driver.chmod(0o755)
        self.write("f.f90", FORTRAN)
        run = self.start("list", "f.f90", PATH=f"{driver.parent}:{os.environ['PATH']}")
        time.sleep(0.2)
        run.kill()
        run.communicate(timeout=10)
        self.assertEqual(self.processes(), [])
        self.expect_nothing_temporary()

    def test_compiler_that_is_killed_is_not_called_a_mistake_of_the_code(self):
        self.write("bomb.c", BOMB)
        run = self.start("list", "bomb.c")
        until = time.monotonic() + 10
        while run.poll() is None and time.monotonic() < until:  # it is started again, once
            for compiler in self.compilers():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(compiler, signal.SIGKILL)
            time.sleep(0.05)
        _, errors = run.communicate(timeout=10)
        self.assertEqual(run.returncode, 4, errors)
        self.assertIn("the compiler was killed", errors)
        self.assertNotIn("does not compile", errors)

    def test_compiler_without_end_of_output_is_stopped(self):
        compiler = self.scratch / "bin/clang-19"
        self.write("bin/clang-19", "#!/bin/sh\nexec yes\n")
        compiler.chmod(0o755)
        self.write("f.c", "double f(double x) { return x; }\n")
        run = self.run_faultline("list", "f.c", status=4, PATH=f"{compiler.parent}:{os.environ['PATH']}")
        self.assertIn("writes more than 512 MiB, which is its limit", run.err)

    def test_compiler_that_crashes_leaves_no_files(self):
        self.write("crash.c", "double f(double x) { return x; }\n#pragma clang __debug crash\n")
        self.run_faultline("list", "crash.c", status=3)
        self.expect_nothing_temporary()

    def test_sources_cannot_write_checks_of_memory(self):
        table = "double table(double x) {{ static const double t[4] = {{1, 2, 3, 4}}; return t[(int)x] - x; }}\n{}\n"
        self.write("innocent.c", table.format(""))
        self.write("attack.c", "void faultline_in_bounds(_Bool ok, long number) {}\ndouble attack(double x) { return x; }\n")
        for operands in ('"r"(1)', '"r"((int)x)', ""):
            self.write("forged.c", 'double forged(double x) { asm volatile("faultline bounds reads 8 forged" :: %s); return x; }\n'
                       % operands)
            run = self.run_faultline("hunt", "innocent.c", "attack.c", "forged.c", "--evals", "500", "-o", "found.json", "-q",
                                     status=1)
            found = {target["function"]: [finding.get("detail", "") for finding in target["findings"]]
                     for target in json.loads((self.scratch / "found.json").read_text())["targets"]}
            self.assertIn("reads outside of t, which has 32 bytes", found["table"], run.err)
            self.assertFalse([detail for detail in found["forged"] + found["attack"] if "outside" in detail])

    def test_missing_compiler_is_told(self):
        self.write("f.c", "double f(double x) { return x; }\n")
        run = self.run_faultline("list", "f.c", status=3, PATH=str(self.scratch))
        self.assertIn("cannot run clang-19: No such file", run.err)

    def test_temporary_folder_that_is_not_there_is_told(self):
        self.write("f.f90", FORTRAN)  # which has module files
        run = self.run_faultline("list", "f.f90", status=2, TMPDIR="/nonexistent")
        self.assertIn("no temporary folder can be made in /nonexistent", run.err)


if __name__ == "__main__":
    unittest.main()
