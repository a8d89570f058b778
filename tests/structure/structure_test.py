"""The shape of the source: what may include what, and how long functions may become."""
import re
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"

LONGEST_FUNCTION = 80  # lines

# Findings and reports are plain data and text: they must not pull in what runs or analyses code.
PURE = ("model", "report")
FOREIGN_LAYERS = {"exec", "tape", "runtime", "explain", "oracle", "instrument", "goal", "constraint", "solve", "search",
                  "judge", "hunt", "campaign", "cli"}
# What finds a proof, or knows how it was found.
PROVER = {"prove", "search", "judge", "solve", "constraint", "hunt", "campaign", "cli"}
FOREIGN_VENDORS = re.compile(r"mpfr\.h|gmp\.h|llvm/|CLI/|toml\+\+|z3|cvc5|cadical|flint|arb\.h")


def sources(folder=SRC):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cpp"))


def includes(path):
    for line in path.read_text().splitlines():
        found = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', line)
        if found:
            yield found.group(1), found.group(2)


def layers():
    """Each layer with all that it may see, from the module table."""
    seen = {}
    for name, uses in re.findall(r"^faultline_layer\((\w+)(?: COLD)?(?: USES ([\w ]+?))?(?: VENDORS [^)]*)?\)", (SRC / "CMakeLists.txt").read_text(), re.M):
        seen[name] = {name}.union(*(seen[used] for used in uses.split()))
    return seen


def functions(text):
    """(what it begins with, lines) of each function, by its braces: a block outside of all others that has parentheses
    before it. Lambdas and blocks within a function are its own lines."""
    text = re.sub(r'//[^\n]*|R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^ *#(?:[^\n]*\\\n)*[^\n]*',
                  lambda found: "\n" * found.group(0).count("\n"), text, flags=re.M)
    stack, begin = [], 0
    for place, character in enumerate(text):
        if character == "{":
            head = text[begin:place].strip()
            is_function = "(" in head and not any(inside for inside, _, _ in stack) and \
                not re.match(r"(inline |static )?(constexpr|const|using)\b[^(]*=", head)
            first = begin + len(text[begin:place]) - len(text[begin:place].lstrip())
            stack.append((is_function, head, text.count("\n", 0, first)))
        elif character == "}" and stack:
            is_function, head, line = stack.pop()
            if is_function:
                yield head.split("\n")[0], text.count("\n", 0, place) - line + 1
        if character in "{};":
            begin = place + 1


class Structure(unittest.TestCase):
    def test_the_layers_are_found(self):
        self.assertGreater(len(layers()), 15)
        self.assertIn("numeric", layers()["cli"])
        self.assertNotIn("cli", layers()["campaign"])

    def test_no_include_points_up(self):
        visible = layers()
        for path in sources():
            own = path.relative_to(SRC).parts[0]
            for name, _ in includes(path):
                layer = (name or "").split("/")[0]
                if own in visible and layer in visible:
                    self.assertIn(layer, visible[own], f"{path.relative_to(ROOT)} includes {name}")

    def test_the_checker_of_proofs_sees_nothing_of_what_makes_them(self):
        self.assertEqual(layers()["certificate"] & FOREIGN_LAYERS.union({"prove", "program"}), set())

    def test_findings_and_reports_pull_in_nothing_that_runs_code(self):
        for layer in PURE:
            for path in sources(SRC / layer):
                trail, todo, done = {}, [path], set()
                while todo:
                    current = todo.pop()
                    done.add(current)
                    for own, vendor in includes(current):
                        where = f"{path.relative_to(ROOT)}, by way of {current.relative_to(ROOT)}"
                        self.assertFalse(vendor and FOREIGN_VENDORS.match(vendor), f"{where}: <{vendor}>")
                        if own is None:
                            continue
                        self.assertNotIn(own.split("/")[0], FOREIGN_LAYERS, f"{where}: {own}")
                        if (SRC / own).exists() and SRC / own not in done:
                            trail[SRC / own] = current
                            todo.append(SRC / own)

    def test_the_command_line_library_is_known_to_one_file(self):
        users = [path.name for path in sources() if any((vendor or "").startswith("CLI/") for _, vendor in includes(path))]
        self.assertEqual(users, ["parser.cpp"])

    def test_the_checker_links_nothing_of_the_prover(self):
        """What a certificate says is verified by other code than that which found it."""
        visible = layers()["certificate"]
        self.assertEqual(visible & PROVER, set())
        seen, todo = set(), sources(SRC / "certificate")
        while todo:
            path = todo.pop()
            seen.add(path)
            for name, _ in includes(path):
                self.assertNotIn((name or "").split("/")[0], PROVER, f"{path.relative_to(ROOT)} includes {name}")
                if name and (SRC / name).exists() and SRC / name not in seen:
                    todo.append(SRC / name)
        self.assertGreater(len(seen), 5)

    def test_headers_with_a_single_user_are_counted(self):
        """Reported and not refused: a header that one source includes, and no test, could be part of that source."""
        users, tested = Counter(), set()
        for path in sources():
            for name in {name for name, _ in includes(path) if name}:
                if Path(name).with_suffix("") != path.relative_to(SRC).with_suffix(""):
                    users[name] += 1
        for path in sources(ROOT / "tests"):
            tested |= {name for name, _ in includes(path) if name}
        headers = [str(path.relative_to(SRC)) for path in sources() if path.suffix == ".h"]
        single = [name for name in headers if users[name] == 1 and name not in tested]
        print(f"{len(single)} of {len(headers)} headers have a single user and no test")
        self.assertTrue(any(users[name] > 1 for name in headers), "includes are counted")

    def test_no_function_is_long(self):
        counted = 0
        for path in sources():
            for name, length in functions(path.read_text()):
                counted += 1
                self.assertLessEqual(length, LONGEST_FUNCTION, f"{path.relative_to(ROOT)}: {name}")
        self.assertGreater(counted, 2000)


if __name__ == "__main__":
    unittest.main()
