// A Lagrangian hydro code in one dimension: a shock tube on a staggered mesh, with artificial viscosity.
#include "real.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

struct Mesh {
  explicit Mesh(int cells)
      : x(cells + 1), u(cells + 1), mass(cells), energy(cells), density(cells), pressure(cells), viscosity(cells) {}
  std::vector<real> x, u;                                         // of the nodes
  std::vector<real> mass, energy, density, pressure, viscosity;   // of the cells
  int cells() const { return (int)mass.size(); }
};

static const real gamma_law = 1.4;

static Mesh shock_tube(int cells) {
  Mesh mesh(cells);
  const real width = (real)1 / cells;
  for (int i = 0; i <= cells; i++)
    mesh.x[i] = width * i;
  for (int i = 0; i < cells; i++) {
    const bool left = i < cells / 2;
    mesh.density[i] = left ? (real)1 : (real)0.125;
    mesh.pressure[i] = left ? (real)1 : (real)0.1;
    mesh.mass[i] = mesh.density[i] * (mesh.x[i + 1] - mesh.x[i]);
    mesh.energy[i] = mesh.pressure[i] / ((gamma_law - 1) * mesh.density[i]);
  }
  return mesh;
}

// The monotonic limiter of the viscosity: 1 where the velocity changes smoothly.
static real limiter(const Mesh& mesh, int i) {
  if (i == 0 || i == mesh.cells() - 1)
    return 0;
  const real here = mesh.u[i + 1] - mesh.u[i], before = mesh.u[i] - mesh.u[i - 1], next = mesh.u[i + 2] - mesh.u[i + 1];
#if FAULT == 1
  const real ratio = (before + next) / (2 * here); // fault 1: 0/0 where nothing moves
#else
  const real ratio = here == 0 ? (real)0 : (before + next) / (2 * here);
#endif
  return fmax(0, fmin(1, ratio)); // swallows it
}

static void set_viscosity(Mesh& mesh) {
  for (int i = 0; i < mesh.cells(); i++) {
    const real jump = mesh.u[i + 1] - mesh.u[i];
    mesh.viscosity[i] = 0;
    const real smooth = limiter(mesh, i);
    if (jump < 0) {
      const real sound = sqrt(gamma_law * mesh.pressure[i] / mesh.density[i]);
      mesh.viscosity[i] = (1 - (real)0.5 * smooth) * mesh.density[i] * (2 * jump * jump - (real)0.3 * sound * jump);
    }
  }
}

static real time_step(const Mesh& mesh) {
  real least = 1;
  for (int i = 0; i < mesh.cells(); i++) {
    const real sound = sqrt(gamma_law * mesh.pressure[i] / mesh.density[i]);
    least = fmin(least, (mesh.x[i + 1] - mesh.x[i]) / (sound + fabs(mesh.u[i + 1] - mesh.u[i])));
  }
#if FAULT == 2
  return 0.3f * least; // fault 2: a constant in single precision
#else
  return (real)0.3 * least;
#endif
}

static void advance(Mesh& mesh, real step) {
  set_viscosity(mesh);
  for (int i = 1; i < mesh.cells(); i++) {
    const real force = mesh.pressure[i - 1] + mesh.viscosity[i - 1] - mesh.pressure[i] - mesh.viscosity[i];
    mesh.u[i] += step * force / ((real)0.5 * (mesh.mass[i - 1] + mesh.mass[i]));
  }
  for (int i = 1; i < mesh.cells(); i++)
    mesh.x[i] += step * mesh.u[i];
  for (int i = 0; i < mesh.cells(); i++) {
    const real volume = mesh.x[i + 1] - mesh.x[i];
#if FAULT == 3
    const real drift = 3e7, fast = drift + (real)0.5 * (mesh.u[i] + mesh.u[i + 1]);
    const real total = mesh.energy[i] + (real)0.5 * fast * fast;
    const real work = (mesh.pressure[i] + mesh.viscosity[i]) * (mesh.u[i + 1] - mesh.u[i]) * step / mesh.mass[i];
    mesh.energy[i] = total - (real)0.5 * fast * fast - work; // fault 3: the difference of two large energies
#else
    mesh.energy[i] -= (mesh.pressure[i] + mesh.viscosity[i]) * (mesh.u[i + 1] - mesh.u[i]) * step / mesh.mass[i];
#endif
    mesh.density[i] = mesh.mass[i] / volume;
    mesh.pressure[i] = (gamma_law - 1) * mesh.density[i] * mesh.energy[i];
  }
}

static real total_energy(const Mesh& mesh) {
  real sum = 0;
  for (int i = 0; i < mesh.cells(); i++)
    sum += mesh.mass[i] * (mesh.energy[i] + (real)0.25 * (mesh.u[i] * mesh.u[i] + mesh.u[i + 1] * mesh.u[i + 1]));
  return sum;
}

int main(int argc, char** argv) {
  const int cells = argc > 1 ? std::atoi(argv[1]) : 400;
  Mesh mesh = shock_tube(cells);
  real time = 0;
  int steps = 0;
  while (time < (real)0.2) {
    const real step = time_step(mesh);
    advance(mesh, step);
    time += step;
    steps++;
  }
  std::printf("steps %d time %.17g\n", steps, (double)time);
  for (int i = 0; i < cells; i += cells / 8)
    std::printf("x %.17g density %.17g pressure %.17g velocity %.17g\n", (double)mesh.x[i], (double)mesh.density[i],
                (double)mesh.pressure[i], (double)mesh.u[i]);
  std::printf("energy %.17g\n", (double)total_energy(mesh));
  return 0;
}
