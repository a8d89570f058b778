"""faultline bench: selects the suite. Errors become messages and exit statuses as those of faultline."""
import importlib
import sys

from .common import INTERNAL, USAGE, Context, Failure, Form, Help, UserError, parse, printable

SUITES = {
    "gsl": "special functions of the GNU Scientific Library, searched for rounding errors",
    "gsl-exceptions": "the same library, searched for overflows, underflows, divisions by zero and invalid operations",
    "fpgen": "summations, linear algebra and statistics on arrays, searched for rounding errors",
    "fpse": "path conditions over floats, solved; with filtering by ULP-max and without",
    "bounds": "bounds of the largest errors of functions of FPBench",
    "smt": "the solvers on a folder of SMT-LIB files",
}
NAMES = ", ".join(list(SUITES)[:-1]) + " or " + list(SUITES)[-1]
FORM = Form("faultline bench", "Runs an evaluation suite.", "Suites:\n"
            + "".join(f"  {name:15} {summary}\n" for name, summary in SUITES.items()) + """
Examples:
  faultline bench gsl                 all of it
  faultline bench fpse -o fpse.csv    a line per program and path
  faultline bench smt problems/       each solver, 10 s per file
  faultline bench gsl --help          what a suite does, and its options""", operand="SUITE", operand_help=NAMES)


def bench(words, context):
    # Usually the suite is the first word. Options may precede it.
    named = next((i for i, word in enumerate(words) if word in SUITES), None)
    if named is None or (words[0] not in SUITES and not words[0].startswith("-")):
        name = parse(FORM, words).operand
        raise UserError(f"there is no suite '{name}'" if name else "no suite given", "faultline bench gsl")
    context.command = ["bench", *words]
    module = importlib.import_module("." + words[named].replace("-", "_"), __package__)
    return module.main(words[:named] + words[named + 1:], context)


def run(faultline, share, words):
    """Returns the exit status."""
    try:
        return bench(words, Context(faultline, share))
    except Help as text:
        sys.stdout.write(str(text))
        return 0
    except UserError as error:
        print(f"faultline: error: {printable(error.message)}", file=sys.stderr)
        for hint in error.hint.splitlines():
            print(f"  try: {printable(hint)}", file=sys.stderr)
        return error.status
    except Failure as failure:
        sys.stderr.write(failure.text)
        return failure.status
    except BrokenPipeError:  # the reader of standard output has gone
        sys.stderr.close()
        return USAGE
    except Exception as error:  # pylint: disable=broad-except
        print(f"faultline: internal error: {type(error).__name__}: {printable(str(error))}, please report", file=sys.stderr)
        return INTERNAL
