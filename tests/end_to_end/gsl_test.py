"""A real library: GSL's special functions, from scripts/fetch-subjects gsl."""
import unittest

from faultline_case import ROOT, FaultlineCase

LIBRARY = ROOT / "build/subjects/gsl/gsl.bc"


@unittest.skipUnless(LIBRARY.exists(), "scripts/fetch-subjects gsl has not been run")
class Gsl(FaultlineCase):
    def test_atomu_finds_large_errors_in_gsl(self):
        names = ("gsl_sf_bessel_J0", "gsl_sf_lngamma", "gsl_sf_legendre_P2")
        words = [word for name in names for word in ("-f", name)]
        run = self.hunt(LIBRARY, *words, "--strategy", "atomu", "--for", "error")
        for name in names:
            with self.subTest(name):
                self.assertGreater(run.worst(name)["error"]["relative"], 1e-3)
                self.assertIn("specfunc", run.worst(name)["cause"]["file"])


if __name__ == "__main__":
    unittest.main()
