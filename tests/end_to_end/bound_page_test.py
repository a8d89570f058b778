"""The page of faultline bound, and the map under the plots of a hunt (browser_case.py)."""
from browser_case import BrowserCase

CODE = """#include <math.h>
double versine(double x) { return (1 - cos(x)) / (x * x); }
double three(double x, double y, double z) { return (x + y) * z - x; }
"""


class BoundPage(BrowserCase):
    def page(self, command, *words, status):
        self.write("code.c", CODE)
        file = self.scratch / "page.html"
        self.run_faultline(command, "code.c", *words, "--quiet", "-o", file, status=status)
        return file

    def test_map_of_one_input_lies_under_its_error(self):
        page = self.page("bound", "-f", "versine", "--range", "x=-1:1", "--threshold", "1e-6", "--time", "6s", status=1)
        self.browse("readsAMapOfOneInput", page)

    def test_maps_of_more_inputs_are_shown_by_pairs(self):
        words = ("--range", "x=1:2", "--range", "y=0.001:1", "--range", "z=0.1:10", "--threshold", "1e-14", "--around", "x=1.5,y=0.5")
        self.browse("readsAMapOfThreeInputs", self.page("bound", "-f", "three", *words, "--time", "6s", status=None))

    def test_plots_of_a_hunt_have_the_map_under_them(self):
        self.browse("showsTheMapUnderPlots", self.page("hunt", "-f", "versine", "--range", "x=-1:1", "--for", "error", status=1))
