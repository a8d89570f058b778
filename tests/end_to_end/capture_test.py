"""faultline cc, c++ and fc: what a build made can be hunted in, and the build does not notice."""
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase

VERSINE = "#include <math.h>\ndouble versine(double x) {\n  return 1 - cos(x);\n}\n"
HALF = "double half(double x) { return x / 2; }\n"
MAIN = "double versine(double);\nint main(int n, char** v) { return versine(n) > 3; }\n"
CC, CXX, FC = (FAULTLINE + ending for ending in ("-cc", "-c++", "-fc"))


class CaptureCase(FaultlineCase):
    def sh(self, command, status=0, **environment):
        done = subprocess.run(["bash", "-ec", command], cwd=self.scratch, capture_output=True, text=True, timeout=100, check=False,
                              env=self.environment(CC=CC, CXX=CXX, FC=FC, **environment))
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}{done.stderr}")
        return done

    def names(self, file):
        return set(re.findall(r"^\S.*:\d+: (\w+)$", self.run_faultline("list", file).out, re.M))

    def first_line(self, *words):
        return self.run_faultline("list", *words).out.splitlines()[0]


class Capture(CaptureCase):
    def setUp(self):
        super().setUp()
        self.write("versine.c", VERSINE)
        self.write("half.c", HALF)
        self.write("main.c", MAIN)

    def test_findings_are_those_of_the_source(self):
        self.sh("$CC -O2 -c versine.c")
        from_source = self.hunt("versine.c").worst("versine")
        from_object = self.hunt("versine.o").worst("versine")
        self.assertEqual(from_object["input"], from_source["input"])
        self.assertEqual(from_object["cause"], from_source["cause"])

    def test_whatever_the_linker_makes_can_be_hunted_in(self):
        self.sh("""$CC -c versine.c; $CC -c half.c; $CC -c main.c
                   ar rc libboth.a versine.o half.o; ar rcT libthin.a versine.o half.o
                   ld -r versine.o half.o -o whole.o
                   $CC -shared -fPIC versine.c half.c -o libboth.so -lm
                   $CC main.o libboth.a -o app -lm
                   $CC main.c versine.c -O2 -Wl,--gc-sections -o direct -lm
                   cp libboth.so stripped.so; strip stripped.so; cp app app2; strip --strip-debug app2; install -s app app3""")
        for file, names in (("libboth.a", {"versine", "half"}), ("libthin.a", {"versine", "half"}), ("whole.o", {"versine", "half"}),
                            ("libboth.so", {"versine", "half"}), ("stripped.so", {"versine", "half"}), ("app", {"versine"}),
                            ("app2", {"versine"}), ("app3", {"versine"}), ("direct", {"versine"})):
            with self.subTest(file):
                self.assertEqual(self.names(file), names)
        self.assertEqual(self.first_line("app"), "captured 2 of 2 objects")
        self.assertEqual(self.sh("./app; ./direct; echo fine").stdout, "fine\n")

    def test_other_linkers_keep_the_code_too(self):
        self.sh("$CC -ffunction-sections -c versine.c; $CC -c main.c")
        for linker in ("gold", "lld", "bfd"):
            with self.subTest(linker):
                if self.sh(f"command -v ld.{linker} || true").stdout:
                    self.sh(f"$CC main.o versine.o -fuse-ld={linker} -Wl,--gc-sections -o app -lm; strip app")
                    self.assertEqual(self.names("app"), {"versine"})

    def test_what_is_missing_is_told_with_its_reason(self):
        self.write("add.s", ".globl add\nadd: ret\n.section .note.GNU-stack\n")
        self.write("nested.c", "double twice(double x) { double inner(void) { return x; } return x + inner(); }\n")
        self.sh("$CC -c add.s; $CC -c nested.c; $CC -c versine.c; cc -c half.c; ar rc lib.a versine.o add.o nested.o half.o")
        line = self.first_line("lib.a")
        self.assertTrue(line.startswith("captured 1 of 4 objects; missing: "), line)
        self.assertIn("add.s (assembly)", line)
        self.assertIn("nested.c (does not compile with LLVM 19: ", line)
        self.assertIn("lib.a(half.o) (not compiled by faultline cc)", line)
        hunted = self.run_faultline("hunt", "lib.a", "--fail-on", "error", status=1)
        self.assertIn("captured 1 of 4 objects", hunted.err)

    def test_file_of_another_build_is_refused_with_the_way_to_build_it(self):
        self.sh("cc -c versine.c")
        run = self.run_faultline("hunt", "versine.o", status=3)
        self.assertIn("has no bitcode", run.err)
        self.assertIn("CC=faultline-cc", run.err)

    def test_code_for_another_machine_does_not_break_the_build(self):
        self.sh("$CC -m32 -c half.c; $CC -c versine.c; ar rc lib.a versine.o half.o")
        self.assertRegex(self.first_line("lib.a"), r"captured 1 of 2 objects; missing: .*half.c \(for another machine: -m32\)")

    def test_damaged_files_are_refused(self):
        self.sh("$CC -c versine.c half.c; ar rc lib.a versine.o half.o; $CC -shared -fPIC versine.c -o lib.so -lm")
        for name in ("lib.a", "lib.so", "versine.o"):
            whole = (self.scratch / name).read_bytes()
            magic = whole.index(b"FLTLNBC1")
            for damaged in (whole[:len(whole) // 2], whole[:100], whole[:magic + 8] + b"\xff" * 8 + whole[magic + 16:],
                            whole[:magic] + b"X" + whole[magic + 1:], whole[:magic + 600] + b"?" * 40 + whole[magic + 640:]):
                (self.scratch / "damaged").write_bytes(damaged)
                run = self.run_faultline("list", "damaged")
                self.assertIn(run.status, (0, 3), f"{name}: {run.err}")
                if run.status:
                    self.assertIn("damaged", run.err)

    def test_flags_for_the_compiler_come_too_late(self):
        self.sh("$CC -c versine.c")
        self.assertIn("is compiled already", self.run_faultline("hunt", "versine.o", "--", "-DX", status=2).err)
        self.assertIn("is compiled already", self.run_faultline("hunt", "versine.o", "-p", ".", status=2).err)

    def test_flags_that_clang_lacks_are_counted_and_lose_nothing(self):
        self.sh("$CC -O2 -fno-tree-vectorize -fira-hoist-pressure -flive-patching=inline-clone -mno-fancy-math-387 -c versine.c")
        lines = self.run_faultline("list", "versine.o").out.splitlines()
        self.assertEqual(lines[0], "captured 1 of 1 object")
        self.assertIn("-flive-patching=inline-clone (1)", lines[1])  # that our table does not know
        self.assertIn("-mno-fancy-math-387 (1)", lines[1])  # that clang refused

    def test_link_time_optimisation_loses_nothing(self):
        self.sh("$CC -O2 -flto -c versine.c; $CC -O2 -flto=auto -c main.c; $CC -O2 -flto main.o versine.o -o app -lm")
        self.assertEqual(self.names("app"), {"versine"})
        self.sh("$CC -O2 -flto=thin -fwhole-program-vtables -c versine.c; $CC -flto=thin main.o versine.o -o app -lm", FAULTLINE_CC="clang-19")
        self.assertEqual(self.names("app"), {"versine"})

    def test_object_of_clang_with_link_time_optimisation_is_bitcode(self):
        self.sh("clang-19 -O2 -g -flto -c versine.c; clang-19 -g -flto -c half.c; ar rc lib.a versine.o half.o")
        self.assertEqual(self.names("versine.o"), {"versine"})
        self.assertEqual(self.names("lib.a"), {"versine", "half"})

    def test_each_unit_keeps_its_own_of_what_two_define(self):
        self.write("one.c", "double scale(double x) { return 2 * x; }\ndouble one(double x) { return scale(x) + 1; }\n")
        self.write("two.c", "double scale(double x) { return 5 * x; }\ndouble two(double x) { return scale(x) + 1; }\n")
        self.sh("$CC -O0 -c one.c; $CC -O0 -c two.c; ar rc lib.a one.o two.o")
        for function, value in (("one", "7"), ("two", "16")):
            told = self.run_faultline("explain", "lib.a", "-f", function, "--at", "x=3")
            self.assertRegex(told.out, rf"\b{value}\b", function)

    def test_constructors_of_a_librarys_other_parts_are_left_out(self):
        self.write("other.cpp", '#include <string>\nextern "C" int of_another_library(const char*);\n'
                                'static std::string name = "x";\nint opened = of_another_library(name.c_str());\n')
        self.write("table.cpp", "extern double factor;\nstruct Table { Table() { factor = 3; } };\ndouble factor = 1;\nstatic Table table;\n"
                                'extern "C" double scaled(double x) { return factor * x + 1; }\n'
                                'extern "C" double plain(double x) { return 1 - __builtin_cos(x); }\n')
        self.sh("$CXX -O2 -c other.cpp table.cpp; ar rc lib.a other.o table.o")
        self.assertRegex(self.run_faultline("explain", "lib.a", "-f", "scaled", "--at", "x=5").out, r"\b16\b")
        self.assertIn("plain", self.hunt("lib.a", "-f", "plain").targets)

    def test_saved_findings_replay_from_the_library(self):
        self.sh("$CC -O2 -c versine.c half.c; ar rc lib.a versine.o half.o")
        self.run_faultline("hunt", "lib.a", "-f", "versine", "-o", "found.json", "-o", "versine_test.cpp", status=1)
        self.assertIn(" 0 not", self.run_faultline("replay", "found.json", status=0).out)
        self.run_faultline("hunt", "lib.a", "--corpus", "corpus", status=1)
        self.assertIn(" 0 not", self.run_faultline("replay", "corpus", status=0).out)


class Wrapper(CaptureCase):
    def setUp(self):
        super().setUp()
        self.write("versine.c", VERSINE)

    def test_build_sees_the_real_compiler_and_nothing_else(self):
        self.write("wrong.c", "int f( { return 1; }\n")
        for words in ("-c wrong.c", "--version", "-c missing.c", "-E versine.c", "-print-search-dirs", "-c -Wall -Wextra wrong.c -o x.o", ""):
            with self.subTest(words):
                real = subprocess.run(f"cc {words}", shell=True, cwd=self.scratch, capture_output=True, text=True, check=False)
                ours = self.sh(f"{CC} {words}", status=real.returncode)
                self.assertEqual((ours.stdout, ours.stderr), (real.stdout, real.stderr))

    def test_faultline_cc_is_the_same_as_faultline_dash_cc(self):
        self.sh(f"{FAULTLINE} cc -c versine.c")
        self.assertEqual(self.names("versine.o"), {"versine"})

    def test_probes_of_configure_are_not_compiled_twice(self):
        self.sh("cp versine.c conftest.c; $CC -c conftest.c; $CC -c versine.c; readelf -SW versine.o | grep -q faultline")
        self.sh("readelf -SW conftest.o | grep faultline", status=1)

    def test_link_to_us_on_the_path_is_passed_over(self):
        (self.scratch / "bin").mkdir()
        (self.scratch / "bin/cc").symlink_to(CC)
        self.sh("cc -c versine.c", PATH=f"{self.scratch}/bin:{os.environ['PATH']}")
        self.assertEqual(self.names("versine.o"), {"versine"})

    def test_compiler_that_starts_us_again_is_an_error_and_no_loop(self):
        self.write("again", f'#!/bin/sh\nexec {CC} "$@"\n')
        self.assertIn("starts faultline's compiler again", self.sh("chmod +x again; $CC -c versine.c", status=2, FAULTLINE_CC="./again").stderr)

    def test_ccache_in_front_and_behind(self):
        if not self.sh("command -v ccache || true").stdout:
            self.skipTest("no ccache")
        cache = {"CCACHE_DIR": str(self.scratch / "cache"), "CCACHE_TEMPDIR": str(self.scratch / "cache/tmp")}
        for more in ({}, {"CCACHE_NOCPP2": "1"}):
            for again in range(2):  # the second time from the cache
                self.sh("rm -f versine.o; ccache $CC -O2 -c versine.c", **cache, **more)
                self.assertEqual(self.names("versine.o"), {"versine"})
        self.sh("rm -f versine.o; $CC -O2 -c versine.c", FAULTLINE_CC="ccache gcc", **cache)
        self.assertEqual(self.names("versine.o"), {"versine"})

    def test_preprocessed_source_is_told_by_its_line_markers(self):
        self.sh("$CC -E versine.c -o v.i; $CC -O2 -c v.i")
        self.assertIn("versine.c:2", self.run_faultline("list", "v.o").out)

    def test_termination_ends_both_compilers_and_leaves_nothing(self):
        self.write("slow", "#!/bin/sh\ntouch started\nexec sleep 60\n")
        self.write("long.c", "#define A x*x+\n#define B A A A A A A A A\n#define C B B B B B B B B\n#define D C C C C C C C C\n"
                             "#define E D D D D D D D D\ndouble f(double x) { return E E E E x; }\n")
        os.chmod(self.scratch / "slow", 0o755)
        process = subprocess.Popen([CC, "-c", "long.c"], cwd=self.scratch, env=self.environment(FAULTLINE_CC="./slow"))
        for _ in range(100):
            if (self.scratch / "started").exists():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), -signal.SIGTERM)

    def test_fortran_modules_do_not_disturb_those_of_the_real_compiler(self):
        self.write("kinds.f90", "module kinds\n  integer, parameter :: dp = kind(1d0)\nend module\n")
        self.write("f.f90", "real(dp) function versine(x)\n  use kinds\n  real(dp), intent(in) :: x\n  versine = 1 - cos(x)\nend function\n")
        for where in ("", "-Jmods"):
            with self.subTest(where):
                self.sh(f"mkdir -p mods; $FC -O2 {where} -c kinds.f90 -o kinds.o; $FC -O2 {where} -std=legacy -c f.f90 -o f.o")
                self.assertEqual(self.names("f.o"), {"versine"})
        self.assertEqual([path.name for path in Path(self.scratch / "mods").iterdir() if path.is_file()], ["kinds.mod"])
