"""Getting your code in: docs/getting-your-code-in.md, build system by build system, with projects of a few files."""
import os
import shutil
import unittest

from capture_test import CC, HALF, MAIN, VERSINE, CaptureCase

PROGRAMS = os.path.dirname(CC)


def needs(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class BuildSystems(CaptureCase):
    """The commands are those of the page; faultline-cc is on PATH."""

    def setUp(self):
        super().setUp()
        self.write("src/versine.c", VERSINE)
        self.write("src/half.c", HALF)
        self.write("src/main.c", MAIN)

    def build(self, command):
        path = f"{PROGRAMS}:{os.environ['PATH']}"
        return self.sh(f"unset CC CXX FC; {command}", PATH=path)

    def test_one_command(self):
        self.build("faultline-cc -O2 src/main.c src/versine.c -o app -lm")
        self.assertEqual(self.names("app"), {"versine"})

    def test_make(self):
        self.write("Makefile", "app: src/main.o libv.a\n\t$(CC) $^ -lm -o $@\nlibv.a: src/versine.o src/half.o\n\t$(AR) rc $@ $^\n")
        self.build("make CC=faultline-cc")
        self.assertEqual(self.names("libv.a"), {"versine", "half"})
        self.assertEqual(self.names("app"), {"versine"})

    @needs("autoreconf", "libtoolize")
    def test_autotools_with_libtool(self):
        self.write("configure.ac", "AC_INIT([v], [1])\nAC_CONFIG_AUX_DIR([aux])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CC\nAM_PROG_AR\n"
                                   "LT_INIT\nAC_CHECK_LIB([m], [cos])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n")
        self.write("Makefile.am", "lib_LTLIBRARIES = libv.la\nlibv_la_SOURCES = src/versine.c src/half.c\nbin_PROGRAMS = app\n"
                                  "app_SOURCES = src/main.c\napp_LDADD = libv.la\n")
        self.sh("mkdir aux; autoreconf -i 2>&1")
        self.build("./configure CC=faultline-cc && make && make install DESTDIR=$PWD/root")
        for file in (".libs/libv.a", ".libs/libv.so", "root/usr/local/lib/libv.so"):
            self.assertEqual(self.names(file), {"versine", "half"}, file)
        for file, built in (("app", ".libs/app"), ("libv.la", ".libs/libv.a")):
            self.assertIn(f"try: {built}", self.run_faultline("list", file, status=2).err)

    @needs("cmake")
    def test_cmake(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(v C)\nadd_library(v SHARED src/versine.c src/half.c)\n"
                                     "target_link_libraries(v m)\n")
        self.build("cmake -B build -DCMAKE_C_COMPILER=faultline-cc && cmake --build build")
        self.assertEqual(self.names("build/libv.so"), {"versine", "half"})

    @needs("cmake")
    def test_cmake_with_fortran_and_link_time_optimisation(self):
        self.write("kinds.f90", "module kinds\n  integer, parameter :: dp = kind(1d0)\nend module\n")
        self.write("f.f90", "real(dp) function chord(x)\n  use kinds\n  real(dp), intent(in) :: x\n  chord = 1 - cos(x)\nend function\n")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(v Fortran)\nset(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)\n"
                                     "cmake_policy(SET CMP0069 NEW)\nadd_library(v STATIC f.f90 kinds.f90)\n")
        self.build("FC=faultline-fc cmake -B build && cmake --build build")
        self.assertEqual(self.names("build/libv.a"), {"chord"})

    @needs("meson", "ninja")
    def test_meson(self):
        self.write("meson.build", "project('v', 'c')\nm = meson.get_compiler('c').find_library('m')\n"
                                  "library('v', 'src/versine.c', 'src/half.c', dependencies: m)\n")
        self.build("CC=faultline-cc meson setup build && ninja -C build")
        self.assertEqual(self.names("build/libv.so"), {"versine", "half"})

    def test_setup_py(self):
        try:
            import setuptools  # noqa: F401, pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            self.skipTest("no setuptools")
        self.write("ext.c", '#include <Python.h>\n#include <math.h>\ndouble versine(double x) { return 1 - cos(x); }\n'
                            'static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "ext", 0, -1, 0};\n'
                            "PyMODINIT_FUNC PyInit_ext(void) { return PyModule_Create(&def); }\n")
        self.write("setup.py", "from setuptools import Extension, setup\nsetup(name='v', ext_modules=[Extension('ext', ['ext.c'])])\n")
        self.build("CC=faultline-cc python3 setup.py -q build_ext --inplace")
        self.assertIn("versine", self.names(next(self.scratch.glob("ext*.so")).name))

    @needs("cmake")
    def test_compilation_database_instead_of_a_build(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(v C)\nadd_library(v src/versine.c)\n")
        self.sh("unset CC CXX FC; cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertIn("versine", self.run_faultline("list", "src/versine.c", "-p", "build", status=0).out)


if __name__ == "__main__":
    unittest.main()
