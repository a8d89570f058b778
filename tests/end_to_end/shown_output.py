"""What the pages show of the program's output. A comment before an indented block says what becomes of the block:

    <!-- output | head -12 -->         it begins with a command, `$ faultline ...`, and goes on with what that prints on
                                       standard output; what stands after `output` is appended to the command
    <!-- run -->                       commands of which nothing is shown
    <!-- file NAME -->                 the text of a file
    <!-- line N of NAME -->            what takes the place of this line of the file, indented as it is

The blocks of a page are carried out in order, in a folder that looks like the repository after `make build`, with the
program on the PATH."""
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

MARK = re.compile(r"<!-- (?:(output)(?: (\|.*))?|(run)|file (\S+)|line (\d+) of (\S+)) -->")
INDENT = "    "


@dataclass
class Block:
    first: int  # its lines in the page are [first, last)
    last: int
    lines: list = field(default_factory=list)  # without the indent
    mark: re.Match = None

    @property
    def head(self):
        """How many lines the command takes that an output block begins with."""
        count = 1
        while count < len(self.lines) and self.lines[count - 1].endswith("\\"):
            count += 1
        return count

    @property
    def command(self):
        text = "\n".join(self.lines[: self.head])
        return text[2:] if text.startswith("$ ") else None

    @property
    def shown(self):
        return self.lines[self.head :]


def blocks_of(text):
    """The indented blocks of a page, each with the comment before it, if there is one."""
    lines, blocks, mark, i = text.splitlines(), [], None, 0
    while i < len(lines):
        if not lines[i].startswith(INDENT) or (i > 0 and lines[i - 1].strip()):
            if lines[i].strip():
                mark = MARK.fullmatch(lines[i])
            i += 1
            continue
        first = last = i
        while i < len(lines) and (lines[i].startswith(INDENT) or not lines[i].strip()):
            i += 1
            last = i if lines[i - 1].strip() else last
        blocks.append(Block(first, last, [line[len(INDENT) :] for line in lines[first:last]], mark))
        mark = None
    return blocks


class Stage:
    """The folder in which a page's blocks are carried out."""

    def __init__(self, folder, root, program, environment):
        path = f"{folder / 'build/bin'}:{environment.get('PATH', os.defpath)}"
        self.folder, self.environment = folder, {**environment, "NO_COLOR": "1", "PATH": path}
        (folder / "build/bin").mkdir(parents=True)
        (folder / "build/bin/faultline").symlink_to(program)
        for name in ("examples", "build/subjects"):
            if (root / name).exists():
                (folder / name).symlink_to(root / name)

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=100, check=False)
        # Debug information has the folder where a library was compiled; a user compiles it where the pages say.
        return re.sub(r"\S*/(?=build/subjects/)", "", done.stdout)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def carry_out(self, block):
        """What the block should show; nothing if it shows no output."""
        output, filters, run, file, number, edited = block.mark.groups()
        if output:
            shown = self.run(f"{block.command} {filters or ''}")
            return [line.rstrip() for line in shown.rstrip().splitlines()]
        if run:
            self.run("\n".join(block.lines))
        elif file:
            self.write(file, "\n".join(block.lines) + "\n")
        else:
            lines = Path(self.folder / edited).read_text().splitlines()
            old = lines[int(number) - 1]
            indent = old[: len(old) - len(old.lstrip())]
            lines[int(number) - 1 : int(number)] = [indent + line for line in block.lines]
            self.write(edited, "\n".join(lines) + "\n")
        return None


def with_output(text, shown):
    """The page with other output in its blocks: pairs of a block and its lines."""
    lines = text.splitlines()
    for block, output in reversed(shown):
        new = block.lines[: block.head] + output
        lines[block.first : block.last] = [(INDENT + line).rstrip() for line in new]
    return "\n".join(lines) + "\n"
