"""Bitcode of rustc: slices, references, names without hashes, and the message for bitcode that is too new."""
import shutil
import struct
import unittest
from pathlib import Path

from faultline_case import FaultlineCase

CRATE = Path(__file__).with_name("rust_crate.ll")


class Bits:
    """LLVM's bitstream, as far as a file needs it that says who wrote it."""

    def __init__(self):
        self.bits = []

    def fixed(self, value, width):
        self.bits += [(value >> i) & 1 for i in range(width)]

    def vbr(self, value, width):
        while value >= 1 << (width - 1):
            self.fixed(value & ((1 << (width - 1)) - 1) | 1 << (width - 1), width)
            value >>= width - 1
        self.fixed(value, width)

    def align(self):
        self.bits += [0] * (-len(self.bits) % 32)

    def block(self, number, records):
        inside = Bits()
        for code, operands in records:
            inside.fixed(3, 3)  # a record without abbreviation
            for value in (code, len(operands), *operands):
                inside.vbr(value, 6)
        inside.fixed(0, 3)  # its end
        inside.align()
        self.fixed(1, 2)  # a block begins
        self.vbr(number, 8)
        self.vbr(3, 4)
        self.align()
        self.fixed(len(inside.bits) // 32, 32)
        self.bits += inside.bits

    def bytes(self):
        words = [sum(bit << i for i, bit in enumerate(self.bits[at:at + 32])) for at in range(0, len(self.bits), 32)]
        return struct.pack(f"<4s{len(words)}I", b"BC\xc0\xde", *words)


def bitcode_by(producer):
    """Without a readable module: its version is from the future."""
    bits = Bits()
    bits.block(13, [(1, list(producer.encode())), (2, [0])])
    bits.block(8, [(1, [99])])
    return bits.bytes()


class Rust(FaultlineCase):
    def setUp(self):
        super().setUp()
        shutil.copy(CRATE, self.scratch / "crate.ll")

    def test_slices_and_references_are_inputs(self):
        run = self.hunt("crate.ll", "--size", "v=4", status=1)
        inputs = {name: [one["name"] for one in target["inputs"]] for name, target in run.targets.items()}
        self.assertEqual(inputs, {
            "demo::Point::versine": ["self.x", "self.y"],
            "<demo::Point>::shift": ["self.x", "self.y", "by"],
            "demo::stats::spread": ["v[0]", "v[1]", "v[2]", "v[3]"],
            "demo::stats::shift": ["v[0]", "v[1]", "v[2]", "v[3]", "by"]})
        self.assertEqual(run.worst("demo::Point::versine")["cause"]["operation"], "fsub")

    def test_a_slice_asks_for_its_size(self):
        told = self.run_faultline("hunt", "crate.ll", "-f", "spread", status=3)
        self.assertIn("'v' is a slice (&[f64]) and needs a size: --size v=N", told.err)

    def test_the_length_of_a_slice_is_its_size(self):
        told = self.run_faultline("explain", "crate.ll", "-f", "stats::spread", "--size", "v=3", "--at", "v=1,5,3", status=0)
        self.assertIn("-2", told.out)

    def test_regression_tests_pass_a_slice(self):
        self.run_faultline("hunt", "crate.ll", "-f", "demo::stats::shift", "--size", "v=2", "-o", "shift_test.c", status=None)
        self.assertIn(", 2, ", (self.scratch / "shift_test.c").read_text())

    def test_bitcode_that_is_too_new_says_which_rustc_to_take(self):
        (self.scratch / "new.bc").write_bytes(bitcode_by("LLVM22.1.2-rust-1.95.0-stable"))
        told = self.run_faultline("list", "new.bc", status=3).err
        self.assertRegex(told, "written by rustc 1.95.0 with LLVM 22.*whose LLVM is 19 or older; 1.86 is the last")
        self.assertNotIn("clang", told)
        (self.scratch / "new.bc").write_bytes(bitcode_by("LLVM21.1.0"))
        self.assertIn("it was written by LLVM 21: make it with clang-19", self.run_faultline("list", "new.bc", status=3).err)

    def test_text_that_is_too_new_says_so_too(self):
        text = CRATE.read_text().replace("1.84.0", "1.95.0").replace("noalias noundef nonnull", "noalias noundef captures(none) nonnull")
        self.write("new.ll", text)
        self.assertIn("it was written by rustc 1.95.0", self.run_faultline("list", "new.ll", status=3).err)


if __name__ == "__main__":
    unittest.main()
