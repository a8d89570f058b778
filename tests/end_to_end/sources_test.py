"""Where the code comes from: several files, folders, flags, a compilation database, LLVM IR."""
import json
import subprocess
import unittest

from faultline_case import FaultlineCase

VERSINE = "#include <math.h>\ndouble versine(double x) {\n  return 1 - cos(x);\n}\n"


class Sources(FaultlineCase):
    def compiled(self, ending, *flags):
        self.write("versine.c", VERSINE)
        subprocess.run(["clang-19", "-O2", "-g", *flags, "-emit-llvm", "versine.c", "-o", f"versine{ending}"], cwd=self.scratch, check=True)
        return f"versine{ending}"

    def blamed(self, run, function="versine"):
        cause = run.worst(function)["cause"]
        return cause["file"], cause["line"], cause["operation"]

    def test_cause_is_named_in_the_file_of_the_callee(self):
        self.write("caller.c", "double versine(double);\ndouble quarter(double x) { return versine(x) / 4; }\n")
        self.write("versine.c", VERSINE)
        run = self.hunt("caller.c", "versine.c", "-f", "quarter")
        self.assertEqual(self.blamed(run, "quarter"), ("versine.c", 3, "fsub"))

    def test_languages_mix_in_one_hunt(self):
        self.write("a.cpp", '#include <cmath>\nextern "C" double versine(double);\nextern "C" void halve_(double*, double*);\n'
                            "double mixed(double x) { double h; double v = versine(x); halve_(&v, &h); return std::sqrt(h); }\n")
        self.write("versine.c", VERSINE)
        self.write("halve.f90", "subroutine halve(x, h)\n  real(8), intent(in) :: x\n  real(8), intent(out) :: h\n  h = x / 2\nend subroutine\n")
        run = self.hunt("a.cpp", "versine.c", "halve.f90", "-f", "mixed")
        self.assertEqual(self.blamed(run, "mixed"), ("versine.c", 3, "fsub"))

    def test_folder_is_all_its_sources(self):
        self.write("code/versine.c", VERSINE)
        self.write("code/half.f90", "real(8) function half(x)\n  real(8), intent(in) :: x\n  half = x / 2\nend function\n")
        self.write("code/notes.txt", "not code\n")
        self.assertEqual(self.hunt("code").targets.keys(), {"versine", "half"})

    def test_flags_after_the_dashes_reach_the_compiler(self):
        self.write("include/scale.h", "#define SCALE 2\n")
        self.write("f.c", '#include "scale.h"\n#include <math.h>\ndouble f(double x) { return SCALE * (ONE - cos(x)); }\n')
        self.run_faultline("hunt", "f.c", status=3)
        run = self.hunt("f.c", "--", "-Iinclude", "-DONE=1")
        self.assertEqual(self.blamed(run, "f"), ("f.c", 3, "fsub"))
        self.assertEqual(run.json["command"][-3:], ["--", "-Iinclude", "-DONE=1"])

    def test_compilation_database_gives_the_flags(self):
        self.write("build/include/one.h", "#define ONE 1\n")
        self.write("f.c", '#include "one.h"\n#include <math.h>\ndouble f(double x) { return ONE - cos(x); }\n')
        entry = {"directory": str(self.scratch / "build"), "file": "../f.c", "command": "cc -Iinclude -O3 -c ../f.c -o f.o"}
        self.write("build/compile_commands.json", json.dumps([entry]))
        for place in ("build", "build/compile_commands.json"):
            with self.subTest(place):
                self.assertEqual(self.blamed(self.hunt("f.c", "-p", place), "f")[1:], (3, "fsub"))

    def test_llvm_ir_as_text_is_a_source(self):
        self.assertEqual(self.blamed(self.hunt(self.compiled(".ll", "-S")))[1:], (3, "fsub"))

    def test_bitcode_is_a_source(self):
        file = self.compiled(".bc", "-c")
        run = self.hunt(file)
        self.assertEqual(self.blamed(run)[1:], (3, "fsub"))
        self.assertTrue(self.blamed(run)[0].endswith("versine.c"), "the line is of the source, not of the bitcode")

    def test_bitcode_without_optimisation_is_hunted_in(self):
        self.assertEqual(self.blamed(self.hunt(self.compiled(".bc", "-c", "-O0")))[1:], (3, "fsub"))

    def test_bitcode_without_debug_information_is_refused_or_hunted_in(self):
        file = self.compiled(".bc", "-c", "-g0")
        for words in ([], ["-f", "versine"]):
            with self.subTest(words):
                run = self.run_faultline("hunt", file, *words)
                self.assertIn(run.status, (1, 3))
                self.assertRegex(run.out if run.status == 1 else run.err, "versine" if run.status == 1 else r"-g\b|debug information")

    def test_file_of_another_folder_is_shown_as_it_was_typed(self):
        self.write("deep/er/versine.c", VERSINE)
        self.assertEqual(self.blamed(self.hunt("deep/er/versine.c"))[0], "deep/er/versine.c")

    def test_name_with_a_space_works(self):
        self.write("my code.c", VERSINE)
        self.assertEqual(self.blamed(self.hunt("my code.c")), ("my code.c", 3, "fsub"))

    def test_a_template_is_named_without_its_arguments_or_its_result(self):
        self.write("t.cpp", "#include <cmath>\nnamespace stats {\ntemplate <class T> T expm1_over(T x) { return x > 0 ? (std::exp(x) - 1) / x : x; }\n"
                            "template double expm1_over<double>(double);\n}\n")
        for name in ("stats::expm1_over", "expm1_over", "stats::expm1_over<double>"):
            with self.subTest(name):
                (target,) = self.hunt("t.cpp", "-f", name, "--evals", "2000").json["targets"]
                self.assertEqual(target["outcome"], "found")
                self.assertIn("subtracting", self.run_faultline("explain", "t.cpp", "-f", name, "--at", "x=1e-9", status=None).out)
                self.assertIn("covered", self.run_faultline("cover", "t.cpp", "-f", name, status=None).out)
        self.write("faultline.toml", '[function."stats::expm1_over"]\nrange = { x = "1:2" }\n')
        (target,) = self.hunt("t.cpp", "--evals", "2000", status=None).json["targets"]
        self.assertEqual([one["low"] for one in target["inputs"]], ["1"])


if __name__ == "__main__":
    unittest.main()
