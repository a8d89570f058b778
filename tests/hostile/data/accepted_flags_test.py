"""What compilers read, write and start with each flag that a file may set: all options of clang and flang, out of their table."""
import os
import re
import subprocess
import unittest
from collections import defaultdict

from faultline_case import FaultlineCase, long

CLANG = os.environ.get("CLANG", "clang-19")
FLANG = os.environ.get("FLANG", "flang-new-19")
ACCEPTED_FLAGS = os.environ["ACCEPTED_FLAGS"]  # prints what is accepted (accepted_flags.cpp)

# Folders of the system, and files in /etc by which the loader and clang's driver know the system.
READABLE = re.compile(r"/(usr|opt|lib|lib64|bin|proc|sys|dev)/|/etc/(ld\.so|localtime$|[a-z]+[-_](release|version)$)")
PROGRAMS = re.compile(r"((clang|flang)[-+\w.]*|llvm-symbolizer(-19)?)$")  # flang crashes on some values of -march=, and shows where
CALL = re.compile(r'^\d+ +(\w+)\((?:AT_FDCWD, )?"([^"]*)"(.*)')
WRITES = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)")
CHANGES = ("rename", "unlink", "mkdir", "rmdir", "link", "symlink", "truncate", "chmod", "chown", "mknod", "creat", "utime")


class AcceptedFlags(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("include/all.h", "#define ALL 1\n")
        self.write("q.c", "#include <math.h>\n#include <stddef.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\n")
        self.write("q.f90", "real(8) function q(x)\nreal(8), intent(in) :: x\nq = (1 - cos(x)) / (x * x)\nend function\n")
        self.write("modules/keep", "")

    def breaches(self, compiler, source, flags):
        """What the compiler does beyond its task."""
        log = self.folder / "trace"
        subprocess.run(["strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", log, compiler, "--no-default-config", "-O1", "-g",
                        *flags, "-c", "-emit-llvm", "-o", "-", source], cwd=self.scratch, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False,
                       env={"PATH": os.environ["PATH"], "TMPDIR": str(self.temporary)})
        calls = [match.groups() for match in map(CALL.match, log.read_text(errors="replace").splitlines()) if match]
        self.assertGreater(len(calls), 10, "strace cannot trace here")
        return [f"{name} {path}" for name, path, rest in calls if not self.is_fine(name, self.absolute(path), rest)]

    def absolute(self, path):
        return os.path.normpath(self.scratch / path)

    def is_fine(self, name, path, rest):
        is_temporary = path.startswith(f"{self.temporary}/")
        if name.startswith("exec"):
            return "ENOENT" in rest or (READABLE.match(path) and PROGRAMS.search(path)) is not None
        if name.startswith(CHANGES) or (name.startswith("open") and WRITES.search(rest)):
            return is_temporary or path in ("/dev/null", "/dev/tty")
        if name.startswith("open"):
            return is_temporary or path == str(self.scratch) or path.startswith(f"{self.scratch}/") or READABLE.match(path) is not None
        return True

    def test_the_check_sees_what_it_should(self):
        outside = self.folder / "outside.h"
        outside.write_text("#define X\n")
        for flags in (["-include", outside], [f"-fplugin={outside}"], [f"-ftime-trace={self.folder}/time"], ["-save-temps=cwd"],
                      ["-fno-integrated-as", "-S", "-no-integrated-cpp", f"-fsanitize-ignorelist={outside}", "-fsanitize=undefined"]):
            self.assertNotEqual(self.breaches(CLANG, "q.c", flags), [], flags)
        self.assertNotEqual(self.breaches(FLANG, "q.f90", ["-I", self.folder, f"-fpass-plugin={outside}"]), [])
        (self.scratch / "time").unlink(missing_ok=True)

    def accepted(self):
        """For each option its values."""
        of_option = defaultdict(list)
        done = subprocess.run([ACCEPTED_FLAGS], cwd=self.scratch, capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            name, *flags = line.split("\t")
            of_option[name].append(flags)
        self.assertGreater(len(of_option), 400)
        return list(of_option.values())

    def check(self, all_flags):
        found = {}
        for flags in all_flags:
            for compiler, source in (CLANG, "q.c"), (FLANG, "q.f90"):
                if breaches := self.breaches(compiler, source, flags):
                    found[f"{compiler} {' '.join(flags)}"] = breaches
        for path in self.temporary.glob("q-*"): # of flang, which crashes on some values and has no -fno-crash-diagnostics
            path.unlink()
        self.assertEqual(found, {})

    def test_flags_with_values_do_nothing_else(self):
        self.check([values[0] for values in self.accepted() if len(values) > 1])

    @long
    def test_accepted_flags_do_nothing_else(self):
        self.check([flags for values in self.accepted() for flags in values[:5]])


if __name__ == "__main__":
    unittest.main()
