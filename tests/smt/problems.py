#!/usr/bin/env python3
"""Small problems over floats in all rounding modes, with conversions and commands, and their answers.

    problems.py FOLDER            write the problems there, one file each
    problems.py FOLDER --agree    the same, and ask z3 and cvc5 about those in standard formats: prints what both say

A problem over tiny formats has its answers from trying all values (arithmetic.py): they stand in its `:status`. Where the answer
would depend on what SMT-LIB leaves open, the problem is not written. Those in standard formats have theirs from agreed.txt, which
--agree has written."""
import pathlib
import random
import subprocess
import sys

from arithmetic import MODES, OPEN
from terms import TINY, Maker, Term, conjunction, strict

SEED = 20
STANDARD = [(5, 11), (8, 24), (11, 53)]
MOST_ASSIGNMENTS = 6000


def answer(maker, assertions):
    """sat, unsat, or nothing where it depends on what the standard leaves open."""
    holds = conjunction(assertions)
    is_open = False
    for env in maker.assignments():
        result = holds(env)
        if result is True:
            return "sat"
        is_open |= result is OPEN
    return None if is_open else "unsat"


def tiny_problem(rng):
    """Assertions in levels, with a check after each: push, pop, check-sat-assuming, definitions and let."""
    while True:
        formats = rng.sample(TINY, rng.choice([1, 2]))
        maker = Maker(rng, formats, modes=rng.choice([0, 0, 1, 2]), words=rng.choice([0, 0, 1]), floats=rng.choice([1, 2]))
        if maker.count() > MOST_ASSIGNMENTS:
            continue
        first = [maker.truth(2) for _ in range(rng.choice([1, 2]))]
        answers, text = [answer(maker, first)], maker.declarations()
        style = rng.choice(["one", "one", "levels", "assuming", "definition"])
        if style == "definition":
            text += f"(define-fun claim () Bool {first[0].text})\n(assert (let ((c claim)) (and c c)))\n"
            text += "".join(f"(assert {term.text})\n" for term in first[1:])
        else:
            text += "".join(f"(assert {term.text})\n" for term in first)
        text += f"(set-info :status {answers[0]})\n(check-sat)\n"
        if style == "levels":
            inner, outer = maker.truth(2), maker.truth(1)
            answers += [answer(maker, first + [inner]), answer(maker, first + [outer])]
            text += f"(push 1)\n(declare-fun w () Bool)\n(assert (or w {inner.text}))\n(assert (not w))\n(set-info :status {answers[1]})\n"
            text += f"(check-sat)\n(pop 1)\n(declare-fun w () Float16)\n(assert {outer.text})\n(set-info :status {answers[2]})\n(check-sat)\n"
        if style == "assuming":
            more = maker.truth(1)
            answers += [answer(maker, first + [more]), answers[0]]
            text += f"(set-info :status {answers[1]})\n(check-sat-assuming ({more.text}))\n(set-info :status {answers[2]})\n(check-sat)\n"
        if None not in answers and len(text) < 4000:
            return "(set-logic QF_BVFP)\n" + text, answers


def operation_problem(rng, operation, mode):
    """All about one operation in one mode: can the result be this, with operands of that sort?"""
    while True:
        maker = Maker(rng, [rng.choice([(3, 3), (2, 3)])], floats=2)
        maker.mode = lambda: Term("mode", mode, lambda env: mode)
        f = maker.formats[0]
        make = getattr(maker, "make_" + operation, lambda *_: maker.simple(operation, f, 1))
        term, conditions = make(f, 1), [maker.atom(0)]
        goal = maker.constant(f)
        same = Term("Bool", f"(= {term.text} {goal.text})", strict(lambda x, y: x == y, term, goal))
        result = answer(maker, [same] + conditions)
        if result and (operation == "real" or any(f" {name}" in term.text for name in maker.variables)):
            text = maker.declarations() + f"(assert {same.text})\n" + "".join(f"(assert {c.text})\n" for c in conditions)
            return f"(set-logic QF_FPLRA)\n{text}(set-info :status {result})\n(check-sat)\n", [result]


def standard_problem(rng):
    """In formats that no one can try out: z3 and cvc5 have to agree."""
    maker = Maker(rng, rng.sample(STANDARD, rng.choice([1, 2])), modes=rng.choice([0, 1]), words=rng.choice([0, 0, 1]), floats=2)
    assertions = [maker.truth(rng.choice([1, 2])) for _ in range(rng.choice([1, 2, 3]))]
    text = maker.declarations() + "".join(f"(assert {term.text})\n" for term in assertions)
    logic = "QF_BVFPLRA" if "fp.to_real" in text else "QF_BVFP"
    return f"(set-logic {logic})\n{text}(check-sat)\n"


def problems():
    """Name, text, and the answers, or None where both z3 and cvc5 have to say."""
    rng = random.Random(SEED)
    for i in range(130):
        yield f"tiny{i:03}", *tiny_problem(rng)
    for operation in ["add", "sub", "mul", "div", "fma", "sqrt", "rti", "convert", "real"]:
        for mode in MODES:
            yield f"{operation}_{mode}", *operation_problem(rng, operation, mode)
    for i in range(5):
        yield f"rem{i}", *operation_problem(rng, "rem", "RNE")
    for i in range(90):
        yield f"standard{i:02}", standard_problem(rng), None


def write(folder):
    """Into files; what the standard ones have for an answer is in agreed.txt."""
    agreed = dict(line.split() for line in pathlib.Path(__file__).with_name("agreed.txt").read_text().splitlines() if line)
    expected = {}
    for name, text, answers in problems():
        answers = answers or ([agreed[name]] if name in agreed else None)
        if answers:
            (folder / f"{name}.smt2").write_text(text)
            expected[name] = answers
    return expected


def said(command, file):
    try:
        done = subprocess.run([*command, file], capture_output=True, text=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return "unknown"
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "unknown"


def agree(folder):
    for name, text, answers in problems():
        if answers is None:
            file = folder / f"{name}.smt2"
            file.write_text(text)
            one, other = said(["z3"], file), said(["cvc5", "--fp-exp"], file)
            if one == other and one in ("sat", "unsat"):
                print(name, one, flush=True)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    if "--agree" in sys.argv:
        agree(target)
    else:
        print(f"{len(write(target))} problems in {target}")
