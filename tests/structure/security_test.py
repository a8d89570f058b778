"""Each promise of SECURITY.md names its tests, and each test that it names exists."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests/hostile"
TEXT = (ROOT / "SECURITY.md").read_text()
PROMISES = ("Code under test", "Files", "Data files")  # chapters


def chapter(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## )", TEXT, re.M | re.S)[1]


def promises():
    """What begins with a bold title, and each row of the table of resources."""
    for title in PROMISES:
        for part in re.split(r"^(?=\*\*)", chapter(title), flags=re.M)[1:]:
            yield part.split("**")[1], part
    table = chapter("Code under test").split("\n\n**")[0]
    for row in re.findall(r"^\| .* \|$", table, re.M)[1:]:
        yield row.split("|")[1].strip(), row


def tests_named(text):
    return [name for group in re.findall(r"\(tests?:([^)]*)\)", text) for name in re.findall(r"`([^`]+)`", group)]


def tests_of_ctest():
    lists = "".join(path.read_text() for path in HOSTILE.rglob("CMakeLists.txt"))
    names = {f"hostile.{name}" for name in re.findall(r"^ *hostile_test\((\w+)", lists, re.M)}
    for prefix, folder in (("hostile", HOSTILE / "load"), ("hostile.data", HOSTILE / "data")):
        names |= {f"{prefix}.{path.stem.removesuffix('_test')}" for path in folder.glob("*_test.py")}
    return names


def exists(name, in_ctest):
    if name.startswith("hostile."):
        return name in in_ctest
    if re.fullmatch(r"[A-Z]\w+(\.\w+)?", name):  # of a unit test
        suite, _, case = name.partition(".")
        pattern = rf"TEST\w*\({suite}, {case or ''}"
        return any(re.search(pattern, path.read_text()) for path in (ROOT / "tests/unit").rglob("*_test.cpp"))
    return (HOSTILE / name).is_dir() or any(HOSTILE.glob(f"{name}.*"))


class Security(unittest.TestCase):
    def test_promises_name_their_tests(self):
        found = list(promises())
        self.assertGreater(len(found), 15)
        self.assertEqual([title for title, text in found if not tests_named(text)], [])

    def test_tests_that_are_named_exist(self):
        in_ctest = tests_of_ctest()
        self.assertIn("hostile.load", in_ctest)
        self.assertGreater(len(tests_named(TEXT)), 30)
        self.assertEqual([name for name in tests_named(TEXT) if not exists(name, in_ctest)], [])


if __name__ == "__main__":
    unittest.main()
