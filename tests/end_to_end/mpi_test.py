"""faultline run under mpirun: a report of each rank, and one of all."""
import json
import shutil
import unittest

from capture_test import CaptureCase

PROGRAM = r"""
#include <math.h>
#include <mpi.h>
#include <stdio.h>
double versine(double x) { return 1.0 - cos(x); }
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double own = rank == 2 ? versine(1e-8 * (rank + 1)) * 1e16 : rank + 1.0, sum = 0;
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 2)
    printf("own %g\n", own);
  if (rank == 0)
    printf("ranks %d\n", size);
  MPI_Finalize();
  return 0;
}
"""
FORTRAN = """program ranks
  implicit none
  include 'mpif.h'
  integer :: rank, error
  real(8) :: own, total, root
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  own = 1d-9 * (rank + 1)
  root = sqrt(1d0 + own) - 1d0
  call mpi_reduce(root, total, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, error)
  if (rank == 1) print *, root
  call mpi_finalize(error)
end program
"""
START = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
         "OMPI_MCA_btl_base_warn_component_unused": "0", "OMPI_MCA_btl": "self,vader"}


@unittest.skipUnless(shutil.which("mpirun") and shutil.which("mpicc"), "Open MPI is not installed (scripts/install-deps test)")
class Ranks(CaptureCase):
    def run_ranks(self, count):
        from faultline_case import FAULTLINE
        cache = self.folder / "cache"
        return self.sh(f"mpirun -np {count} {FAULTLINE} run -o run.json -- ./app", XDG_CACHE_HOME=str(cache), **START)

    def merged(self, count):
        self.run_faultline("report", *[f"run.{rank}.json" for rank in range(count)], "-o", "all.json", status=0)
        return json.loads((self.scratch / "all.json").read_text())

    def test_each_rank_reports_and_problems_are_united(self):
        self.write("app.c", PROGRAM)
        self.sh("OMPI_CC=$CC mpicc -O2 app.c -o app -lm")
        done = self.run_ranks(4)
        self.assertIn("ranks 4", done.stdout)
        self.assertEqual(done.stderr.count("rank 0:"), 1)
        self.assertNotIn("rank 1:", done.stderr)
        each = [json.loads((self.scratch / f"run.{rank}.json").read_text()) for rank in range(4)]
        self.assertEqual([one["run"]["rank"] for one in each], [0, 1, 2, 3])
        told = self.merged(4)
        self.assertEqual([rank["rank"] for rank in told["run"]["ranks"]], [0, 1, 2, 3])
        versine = [problem for problem in told["problems"] if problem["line"] == 5]
        self.assertEqual([problem["ranks"] for problem in versine], [[2]])
        self.assertEqual(told["run"]["printed"], sum(one["run"]["printed"] for one in each))
        text = self.run_faultline("report", *[f"run.{rank}.json" for rank in range(4)], status=0).out
        self.assertIn("app.c:5:", text)
        self.assertIn("by   rank 2\n", text)
        self.assertIn("4 ranks", text)

    def test_fortran_ranks_report_too(self):
        self.write("app.f90", FORTRAN)
        self.sh("OMPI_FC=$FC mpif90 -O2 app.f90 -o app")
        self.run_ranks(2)
        told = self.merged(2)
        self.assertEqual(len(told["run"]["ranks"]), 2)
        self.assertIn([1], [problem["ranks"] for problem in told["problems"] if problem["line"] == 9])

    def test_files_that_are_none_are_refused(self):
        self.write("one.json", '{"run": {}, "problems": 3}')
        self.write("two.json", "{}")
        self.assertIn("one.json: is not the report of a run", self.run_faultline("report", "one.json", "two.json", status=2).err)
