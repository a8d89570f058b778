"""faultline bound -o FILE.proof.json and faultline check: what is proved can be verified, and nothing else is."""
import json
import re

from faultline_case import ROOT, FaultlineCase

CODE = """#include <math.h>
double steps(double x) { if (x < 0.5) return x * 0.1; if (x > 0.75) return sin(x); return exp(x) - 1; }
double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
double bits(double x) { union { double d; unsigned long u; } v = { x }; double t[2] = { x + 1, x * 3 }; return t[v.u & 1]; }
double turned(double x) { double y = x * 0.1; return y < 0.05 ? y : y + 1; }
"""


class Certificates(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("code.c", CODE)

    def prove(self, function, *words, status=0):
        self.run_faultline("bound", "code.c", "-f", function, *words, "--time", "2s", "-o", "f.proof.json", status=status)
        return json.loads((self.scratch / "f.proof.json").read_text())

    def rewrite(self, certificate):
        self.write("f.proof.json", json.dumps(certificate))

    def check(self, *words, status):
        return self.run_faultline("check", "f.proof.json", *words, status=status)

    def test_a_proof_is_verified_with_and_without_its_source(self):
        self.prove("steps", "--range", "x=0.1:2")
        run = self.check(status=0)
        self.assertRegex(run.out, r"(?s)^verified: steps, x in \[0.1, 2\].*return: error at most absolute .* ulps, relative ")
        self.assertIn("of the code in the certificate, which names code.c:2 as its source", run.out)
        self.assertRegex(run.out, r"\d+ boxes on 3 paths")
        self.assertIn("of code.c, as it is compiled here", self.check("code.c", status=0).out)

    def test_arrays_and_held_integers_are_found_again_in_the_source(self):
        words = [word for name in "ab" for word in ("--size", f"{name}=3", "--range", f"{name}=-1:1")]
        self.prove("dot", *words, "--rounded-inputs")
        run = self.check("code.c", status=0)
        self.assertIn("reals that were rounded", run.out)

    def test_other_code_is_refused(self):
        self.prove("steps", "--range", "x=0.1:2")
        self.write("code.c", CODE.replace("x * 0.1; if", "x * 0.2; if"))
        self.assertIn("steps computes something else on path", self.check("code.c", status=1).out)
        self.check(status=0)

    def test_claims_that_do_not_follow_are_refused_with_the_box(self):
        certificate = self.prove("steps", "--range", "x=0.1:2")
        lower = dict(certificate, tree=re.sub(r"=2,[^,]*", "=2,1p-60", certificate["tree"]))
        self.rewrite(lower)
        run = self.check("-o", "-", status=1)
        self.assertFalse(run.json["verified"])
        self.assertIn("absolute error of return", run.json["refusal"]["reason"])
        low, high = run.json["refusal"]["box"]["x"]
        self.assertLess(low, high)
        certificate["outputs"][0]["absolute"] = "0x1p-60"
        self.rewrite(certificate)
        self.assertIn("above the claim", self.check(status=1).out)

    def test_damaged_files_are_no_certificates(self):
        certificate = self.prove("steps", "--range", "x=0.1:2")
        self.rewrite(dict(certificate, tree=certificate["tree"].rsplit(" ", 1)[0]))
        self.assertIn("lacks nodes", self.check(status=2).err)
        self.rewrite(dict(certificate, certificate=2))
        self.check(status=2)
        text = json.dumps(certificate)
        self.write("f.proof.json", text[: len(text) // 2])
        self.check(status=2)
        self.run_faultline("check", status=2)
        self.run_faultline("check", "nowhere.proof.json", status=2)

    def test_what_is_open_is_not_verified(self):
        certificate = self.prove("turned", "--range", "x=0:1")
        self.assertFalse(certificate["complete"], "the border between its branches is bounded, and not certified")
        self.assertIn("nothing is proved", self.check(status=4).out)
        self.prove("bits", "--range", "x=0:1", status=4)
        self.assertIn("no bound is claimed", self.check(status=4).out)

    def test_certificates_are_what_the_schema_says(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed: scripts/install-deps test")
        schema = json.loads((ROOT / "schemas/certificate.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for words, status in ((("steps", "--range", "x=0.1:2", "--input-error", "x=1e-9"), None), (("turned", "--range", "x=0:1"), 0)):
            certificate = self.prove(*words, status=status)
            self.assertEqual([error.message[:200] for error in validator.iter_errors(certificate)], [])
