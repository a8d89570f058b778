"""faultline.toml: the options of the command line, by function."""
import json
import shlex

from faultline_case import FaultlineCase

FUNCTIONS = """#include <math.h>
double first(double x) { return 1 - cos(x); }
double second(double x, double y) { return x - y; }
double total(const double* A, int n) { double s = 0; for (int i = 0; i < n; i++) s += A[i] * SCALE; return s; }
"""


class Configuration(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("lib/include/scale.h", "#define SCALE 2.0\n")
        self.write("lib/src/f.c", '#include "scale.h"\n' + FUNCTIONS)
        self.configure('flags = ["-Iinclude"]\nevals = 2000\n')

    def configure(self, text, name="lib/faultline.toml"):
        self.write(name, text)

    def refused(self, *words, says, status=2):
        run = self.run_faultline(*words, status=status)
        for part in says:
            self.assertIn(part, run.err)

    def ranges(self, run):
        return {name: {i["name"]: (float(i["low"]), float(i["high"])) for i in target["inputs"]}
                for name, target in run.targets.items()}

    def test_nearest_file_upwards_is_read_and_named(self):
        run = self.run_faultline("hunt", "lib/src/f.c", "-f", "first", status=1)
        self.assertIn("settings from lib/faultline.toml\n", run.err)
        self.configure('flags = ["-I../include"]\nevals = 10\n', "lib/src/faultline.toml")
        run = self.run_faultline("list", "lib/src/f.c", status=0)
        self.assertIn("settings from lib/src/faultline.toml\n", run.err)
        self.assertEqual(self.run_faultline("list", "lib/src/f.c", "--no-config").status, 3, "it needs the flags")
        self.configure('flags = ["-Ilib/include"]\nevals = 10\n', "other.toml")
        run = self.run_faultline("list", "lib/src/f.c", "--config", "other.toml", status=0)
        self.assertIn("settings from other.toml\n", run.err)

    def test_it_works_from_every_folder(self):
        for folder, source in (("lib/src", "f.c"), ("lib/include", "../src/f.c"), ("lib", "src"), (".", "lib/src")):
            with self.subTest(folder):
                self.run_faultline("list", source, cwd=self.scratch / folder, status=0)

    def test_sections_are_for_the_functions_they_name(self):
        self.configure("""flags = ["-Iinclude"]
evals = 500
range = { x = "-8:8" }
[function."*"]
size = { A = 3 }
[function.second]
range = { x = "0:1", y = [2, 3] }
[function."to*"]
range = { A = "5:6" }
hold = { n = 2 }
[function."no_such_*"]
range = { zeta = "0:1" }
""")
        run = self.hunt("lib/src/f.c", "--for", "error", status=None)
        self.assertEqual(self.ranges(run), {
            "first": {"x": (-8, 8)}, "second": {"x": (0, 1), "y": (2, 3)},
            "total": {"A[0]": (5, 6), "A[1]": (5, 6), "A[2]": (5, 6), "n": (2, 2)}})
        self.assertEqual(run.json["configuration"]["file"], "lib/faultline.toml")
        self.assertEqual(run.targets["second"]["settings"], ["--range", "x=0:1", "--range", "y=2:3", "--evals", "500",
                                                               "--for", "error"])
        listed = self.run_faultline("list", "lib/src/f.c", status=0).out
        self.assertIn("3 of 3", listed)

    def test_command_line_wins(self):
        self.configure('flags = ["-Iinclude"]\nthreshold = 1e-3\n[function.first]\nrange = { x = "0:1" }\nevals = 300\n')
        run = self.hunt("lib/src/f.c", "-f", "first", "--range", "x=4:5", "--evals", "100", status=None)
        self.assertEqual(self.ranges(run), {"first": {"x": (4, 5)}})
        self.assertLessEqual(run.targets["first"]["evaluations"], 100)
        run = self.hunt("lib/src/f.c", "-f", "first", "--range", "4:5", status=None)
        self.assertEqual(self.ranges(run), {"first": {"x": (4, 5)}})

    def test_thresholds_differ_between_functions(self):
        self.configure('flags = ["-Iinclude"]\nevals = 2000\nfor = "error"\n[function.first]\nthreshold = 1e9\n')
        targets = self.hunt("lib/src/f.c", "-f", "first", "--threshold", "1e-3").targets
        self.assertEqual(targets["first"]["outcome"], "found")
        targets = self.hunt("lib/src/f.c", "-f", "first", status=0).targets
        self.assertEqual(targets["first"]["outcome"], "none")

    def test_skipped_functions_are_hunted_in_only_if_named(self):
        self.configure('flags = ["-Iinclude"]\nevals = 500\n[function."*"]\nskip = true\n[function.first]\nskip = false\n')
        self.assertEqual(list(self.hunt("lib/src/f.c", status=None).targets), ["first"])
        self.assertEqual(list(self.hunt("lib/src/f.c", "-f", "second", status=None).targets), ["second"])
        self.assertIn("skipped by", self.run_faultline("list", "lib/src/f.c", "--all", status=0).out)
        self.configure('flags = ["-Iinclude"]\nskip = true\n')
        self.refused("hunt", "lib/src/f.c", status=3, says=["skip"])

    def test_mistakes_are_refused_with_their_place(self):
        for text, says in (("thresold = 1\n", ["lib/faultline.toml:1:1", "threshold"]),
                           ("[function.first]\nrange = { x = \"1:0\" }\n", ["lib/faultline.toml:2:15", "low end"]),
                           ("seed = [\n", ["lib/faultline.toml:1:"]),
                           ("budget = true\n", ["lib/faultline.toml:1:10", "not a number"]),
                           ("flags = [\"-Iinclude\"]\n[function.first]\nrange = { zeta = \"0:1\" }\n",
                            ["lib/faultline.toml:3:11", "first has no input", "x"]),
                           ("flags = [\"-Iinclude\"]\n[function.total]\nsize = { B = 3 }\n",
                            ["lib/faultline.toml:3:10", "total has no input", "A"])):
            self.configure(text)
            for command in (["hunt"], ["list"], ["cover"], ["explain", "--at", "x=1"]):
                with self.subTest(text=text, command=command):
                    function = "total" if "total" in text else "first"
                    self.refused(*command, "lib/src/f.c", "-f", function, says=says)
        self.refused("hunt", "lib/src/f.c", "--config", "none.toml", says=["none.toml", "no such file"])
        self.refused("hunt", "lib/src/f.c", "--config", "none.toml", "--no-config", says=["--no-config"])

    def test_a_section_for_functions_of_other_files_causes_a_remark(self):
        self.configure("flags = [\"-Iinclude\"]\n[function.\"f*\"]\nsize = { B = 3 }\n")
        run = self.run_faultline("list", "lib/src/f.c", status=0)
        self.assertIn("size B: the functions like f* in these files have no input of that name", run.err)

    def test_sources_with_different_files_are_refused(self):
        self.write("g.c", "double g(double x) { return x + 1; }\n")
        self.refused("hunt", "g.c", "lib/src/f.c", says=["different settings", "--config"])

    def test_findings_are_reproduced_although_the_file_is_gone(self):
        self.configure("""flags = ["-Iinclude"]
evals = 2000
threshold = 1e-9
[function.total]
size = { A = 3 }
hold = { n = 3 }
""")
        self.run_faultline("hunt", "lib/src/f.c", "-f", "total", "-f", "first", "--for", "error", "--quiet", "-o", "f.json",
                           status=1)
        report = json.loads((self.scratch / "f.json").read_text())
        count = sum(len(target["findings"]) for target in report["targets"])
        self.assertGreater(count, 1)
        for text in (None, "threshold = 1e9\n", "[function.total]\nsize = { A = 5 }\n", "not TOML"):
            (self.scratch / "lib/faultline.toml").unlink()
            self.configure(text or "")
            replayed = self.run_faultline("replay", "f.json", status=0).out.splitlines()[-1]
            self.assertEqual(replayed, f"{count} reproduced, 0 not")

    def test_explain_command_of_a_finding_works_as_pasted(self):
        self.configure('flags = ["-Iinclude"]\nevals = 2000\n[function.total]\nsize = { A = 3 }\nhold = { n = 3 }\n')
        for words in ([], ["--config", "lib/faultline.toml"]):
            run = self.hunt("lib/src/f.c", "-f", "total", "--for", "error", *words)
            command = shlex.split(run.findings[0]["replay"])
            self.assertEqual(command[:2], ["faultline", "explain"])
            self.assertIn("fadd", self.run_faultline(*command[1:], status=0).out)

    def test_explain_and_cover_see_the_same_settings(self):
        self.configure('flags = ["-Iinclude"]\n[function.total]\nsize = { A = 2 }\nhold = { n = 2 }\n')
        run = self.run_faultline("explain", "lib/src/f.c", "-f", "total", "--at", "A=1,2", status=0)
        self.assertIn("settings from lib/faultline.toml\n", run.err)
        self.write("lib/src/g.c", "double g(double x) { return x > 4 ? 1 : x; }\n")
        self.configure('[function.g]\nrange = { x = "0:1" }\n')
        run = self.run_faultline("cover", "lib/src/g.c", "-f", "g", "--quiet", "-o", "-", status=0)
        self.assertIn("infeasible", run.out)

    def test_reference_belongs_to_its_function(self):
        self.write("lib/exact.c", "double exact(double x) { return x + 1; }\n")
        self.write("lib/src/h.c", "double h(double x) { return x + 1.5; }\ndouble k(double x) { return x + 1; }\n")
        self.configure('evals = 300\nfor = "error"\nrange = "1:2"\n[function.h]\nreference = "exact.c:exact"\n')
        targets = self.hunt("lib/src/h.c").targets
        self.assertEqual(targets["h"]["findings"][0]["oracle"], "reference")
        self.assertEqual(targets["k"]["findings"], [])
