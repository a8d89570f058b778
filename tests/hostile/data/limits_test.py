"""Lines, types and layouts that no compiler writes, and limits of the system: each is told, and nothing crashes."""
import json
import os
import pwd
import resource
import signal
import subprocess
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, FaultlineCase

SOURCE = "#include <math.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\n"
LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
MODULE = """target datalayout = "{layout}"
target triple = "x86_64-pc-linux-gnu"
define double @f({argument}) !dbg !4 {{
  %s = fadd double {value}, 1.0, !dbg !9
  %r = fsub double %s, {value}, !dbg !9
  ret double %r, !dbg !9
}}
define double @other(double %x) !dbg !12 {{
  %s = fadd double %x, 1.0, !dbg !13
  %r = fsub double %s, %x, !dbg !13
  ret double %r, !dbg !13
}}
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "f", file: !1, line: {line}, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{{!7, !8}}
!7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!9 = !DILocation(line: {line}, scope: !4)
!12 = distinct !DISubprogram(name: "other", file: !1, line: 1, type: !14, spFlags: DISPFlagDefinition, unit: !0)
!13 = !DILocation(line: 1, scope: !12)
!14 = !DISubroutineType(types: !15)
!15 = !{{!7, !7}}
{types}
"""


def module(types, argument="ptr %x", value="0.0", layout=LAYOUT, line=1):
    """A module with a function whose parameter has the type !8."""
    return MODULE.format(types=types, argument=argument, value=value, layout=layout, line=line)


def chain(length, tag):
    """!8 is a typedef or pointer of a typedef or pointer of ... double."""
    links = [f"!{100 + i} = !DIDerivedType(tag: {tag}, name: \"t\", baseType: !{101 + i}, size: 64)" for i in range(length)]
    return "\n".join([f"!8 = !DIDerivedType(tag: {tag}, name: \"t\", baseType: !100, size: 64)", *links,
                      f"!{100 + length} = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)"])


def doubled(levels):
    """!8 is a struct of two structs of two structs of ... nothing."""
    lines = ["!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !100, size: 64)"]
    for i in range(levels):
        struct, members, one = 100 + 3 * i, 101 + 3 * i, 102 + 3 * i
        lines.append(f"!{struct} = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"S\", file: !1, size: 64, "
                     f"elements: !{members})")
        lines.append(f"!{members} = !{{!{one}, !{one}}}")
        lines.append(f"!{one} = !DIDerivedType(tag: DW_TAG_member, name: \"m\", baseType: !{struct + 3}, size: 64)")
    return "\n".join([*lines, f"!{100 + 3 * levels} = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"E\", "
                              f"file: !1, size: 64, elements: !{{}})"])


ENDLESS = {
    "an array of itself": "!8 = distinct !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 64, elements: !10)\n"
                          "!10 = !{!11}\n!11 = !DISubrange(count: 4)",
    "a struct in itself": "!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)\n"
                          "!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"S\", file: !1, size: 64, "
                          "elements: !11)\n!11 = !{!16}\n"
                          "!16 = !DIDerivedType(tag: DW_TAG_member, name: \"m\", baseType: !10, size: 64)",
    "a pointer to itself": "!8 = distinct !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)",
    "a typedef of itself": "!8 = distinct !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", baseType: !8)",
    "500 typedefs": chain(500, "DW_TAG_typedef"),
    "500 pointers": chain(500, "DW_TAG_pointer_type"),
    "2^60 structs": doubled(60),
}


class Reading(FaultlineCase):
    def limited(self, *words, limit, most, user=None):
        account = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
        return subprocess.run([FAULTLINE, *words], cwd=self.scratch, env=self.environment(), capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(limit, (most, most)), timeout=60, check=False, **account)

    def test_function_in_line_0_has_its_finding(self):
        self.write("zero.c", "#include <math.h>\n#line 0\n" + SOURCE.splitlines()[1] + "\n")
        run = self.run_faultline("hunt", "zero.c", "--evals", "500", "-q", "-o", "zero.json", status=1)
        self.assertIn("cancellation", run.out)
        found = json.loads((self.scratch / "zero.json").read_text())
        self.assertEqual(found["targets"][0]["line"], 0)
        self.run_faultline("report", "zero.json", status=0)
        self.assertIn("reproduced", self.run_faultline("replay", "zero.json").out)

    def test_lines_beyond_the_last_do_no_harm(self):
        for line in (2**31 - 1, 2**31, 2**32 - 1):
            self.write("far.ll", module("!8 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)",
                                        argument="double %x", value="%x", line=line))
            self.run_faultline("list", "far.ll", status=0)
            self.run_faultline("hunt", "far.ll", "--evals", "500", "-q", "--fail-on", "note", "-o", "far.json", status=1)
            self.run_faultline("report", "far.json", status=0)

    def test_endless_types_are_refused(self):
        for name, types in ENDLESS.items():
            with self.subTest(name):
                self.write("f.ll", module(types))
                run = self.run_faultline("list", "--all", "f.ll", status=0)
                self.assertIn("a type that contains itself or is nested too deep", run.out)
                self.assertIn("other", run.out)
                self.run_faultline("hunt", "f.ll", "--evals", "300", "-q", "--fail-on", "note", status=1)  # in the other function

    def test_full_stack_of_a_reader_is_told(self):
        for tag in ("DW_TAG_typedef", "DW_TAG_pointer_type"):
            self.write("f.ll", module(chain(200_000, tag)))
            for command in ("list", "hunt"):
                run = self.run_faultline(command, "f.ll", status=3)
                self.assertIn("f.ll: is damaged", run.err)

    def test_cells_outside_of_their_struct_are_refused(self):
        self.write("f.ll", module(
            "!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)\n"
            "!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"S\", file: !1, size: 64, elements: !11)\n"
            "!11 = !{!16}\n"
            "!16 = !DIDerivedType(tag: DW_TAG_member, name: \"m\", baseType: !7, size: 64, offset: 1000000000000)"))
        run = self.run_faultline("list", "--all", "f.ll", status=0)
        self.assertIn("1 of 2 functions can be tested", run.out)

    def test_checks_of_memory_in_bitcode_may_have_any_form(self):
        whole = module("!8 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)", "double %x", "%x")
        for declared, called in (("void @faultline_in_bounds()", "void @faultline_in_bounds()"),
                                 ("void @faultline_in_bounds(double)", "void @faultline_in_bounds(double %x)"),
                                 ("void @faultline_in_bounds(i1, i64)",
                                  "void @faultline_in_bounds(i1 true, i64 -1), !faultline.access !{}"),
                                 ("void @faultline_in_bounds(i1, i64)",
                                  "void @faultline_in_bounds(i1 true, i64 7), !faultline.access !{i32 3}")):
            self.write("f.ll", whole.replace("  %s =", f"  call {called}\n  %s =", 1) + f"declare {declared}\n")
            self.run_faultline("list", "f.ll", status=0)
            self.run_faultline("hunt", "f.ll", "--evals", "500", "-q", "-o", "found.json")
            found = json.loads((self.scratch / "found.json").read_text())["targets"]
            self.assertNotEqual({target["function"]: target["outcome"] for target in found}["f"], "interrupted", called)

    def test_readers_print_no_memory(self):
        text = module("!8 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)", "double %x", "%x")
        self.write("f.ll", text.replace("type: !5,", "type: !7,"))
        subprocess.run(["llvm-as-19", "-disable-verify", "f.ll", "-o", "f.bc"], cwd=self.scratch, check=True)
        run = self.run_faultline("list", "f.bc")
        self.assertNotIn("invalid", run.out + run.err)
        self.assertNotIn("DISubprogram", run.out + run.err)

    def test_files_that_fuzzing_has_found_are_refused(self):
        found = list((Path(__file__).resolve().parents[2] / "fuzz/reproducers").glob("*.bc"))
        self.assertTrue(found)
        for file in found:
            for command in ("list", "hunt"):
                self.assertIn("is damaged: LLVM's reader crashes on it", self.run_faultline(command, file, status=3).err)

    def test_extents_that_overflow_are_refused(self):
        self.write("f.ll", module(
            "!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)\n"
            "!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 64, elements: !11)\n"
            "!11 = !{!16, !16}\n!16 = !DISubrange(count: 4294967296)"))
        for words in ([], ["--size", "arg1=4"], ["--size", "4"]):
            run = self.run_faultline("list", "--all", "f.ll", *words, status=0)
            self.assertIn("1 of 2 functions can be tested", run.out)

    def test_another_layout_of_data_is_refused_by_name(self):
        other = LAYOUT.replace("n8", "n3")
        types = "!8 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)"
        self.write("f.ll", module(types, "double %x", "%x", other))
        for command in ("list", "hunt"):
            run = self.run_faultline(command, "f.ll", status=3)
            self.assertIn(f"another layout of data than x86-64 has on Linux: {other}", run.err)
        self.write("f.ll", module(types, "double %x", "%x").replace(f'target datalayout = "{LAYOUT}"\n', ""))
        self.run_faultline("list", "f.ll", status=0)

    def test_limits_are_told_by_name(self):
        self.write("q.c", SOURCE)
        for command in (["list"], ["hunt", "--evals", "300"]):
            for files in range(4, 8):
                run = self.limited(*command, "q.c", limit=resource.RLIMIT_NOFILE, most=files)
                self.assertEqual(run.returncode, 4, f"{files} files: {run.stderr}")
                self.assertIn("ulimit -n", run.stderr)
        run = self.limited("hunt", "q.c", "--evals", "300", limit=resource.RLIMIT_AS, most=500_000 << 10)
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("out of memory", run.stderr)
        run = self.limited("hunt", "q.c", "--evals", "300", limit=resource.RLIMIT_FSIZE, most=0)
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("ulimit -f", run.stderr)

    def test_current_folder_that_is_gone_is_told(self):
        self.write("q.c", SOURCE)
        run = subprocess.run(["sh", "-c", f"mkdir gone; cd gone; rmdir ../gone; '{FAULTLINE}' hunt ../q.c"], cwd=self.scratch,
                             env=self.environment(), capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("the current folder cannot be found", run.stderr)

    def test_small_stack_is_told_by_name(self):
        self.write("q.c", SOURCE)
        for command in (["list"], ["hunt", "--evals", "300"]):
            run = self.limited(*command, "q.c", limit=resource.RLIMIT_STACK, most=64 << 10)
            self.assertEqual(run.returncode, 4, run.stderr)
            self.assertIn("ulimit -s", run.stderr)
        run = self.limited("hunt", "q.c", "--evals", "300", limit=resource.RLIMIT_STACK, most=1 << 20)
        self.assertEqual(run.returncode, 1, run.stderr)

    def test_ends_of_children_that_the_parent_ignores_are_awaited(self):
        self.write("q.c", SOURCE)
        run = subprocess.run([FAULTLINE, "hunt", "q.c", "--evals", "300"], cwd=self.scratch, env=self.environment(), text=True,
                             preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), timeout=60, capture_output=True,
                             check=False)
        self.assertEqual(run.returncode, 1, run.stderr)

    def test_closed_streams_do_no_harm(self):
        self.write("q.c", SOURCE)
        for streams in ("<&- >&- 2>&-", ">&- 2>&-"):
            for file in ("q.json", "q.html"):
                subprocess.run(["sh", "-c", f"'{FAULTLINE}' hunt q.c --evals 300 --no-plots -o {file} {streams}"], cwd=self.scratch,
                               env=self.environment(), timeout=60, check=False)
                self.assertIn("cancellation", (self.scratch / file).read_text())
                (self.scratch / file).unlink()

    def test_limit_on_processes_is_told_by_name(self):
        user = "nobody" if os.geteuid() == 0 else None  # root has no such limit
        self.write("q.c", SOURCE)
        for folder in (self.folder, self.scratch, self.temporary):
            folder.chmod(0o777)
        run = self.limited("hunt", "q.c", "--evals", "300", limit=resource.RLIMIT_NPROC, most=1, user=user)
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("ulimit -u", run.stderr)


if __name__ == "__main__":
    unittest.main()
