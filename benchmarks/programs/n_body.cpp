// Bodies under gravity, leapfrog steps; prints the energy and its drift, positions and the total momentum.
#include "real.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vector {
  real x, y, z;
};

struct Body {
  Vector position, velocity;
  real mass;
};

static std::vector<Body> bodies_on_circles(int count) {
  std::vector<Body> bodies = {{{0, 0, 0}, {0, 0, 0}, 1000}};
  for (int i = 1; i < count; i++) {
    const real radius = 1 + (real)0.5 * i, angle = (real)0.7 * i, speed = sqrt(1000 / radius);
    bodies.push_back({{radius * cos(angle), radius * sin(angle), (real)0.01 * i},
                      {-speed * sin(angle), speed * cos(angle), 0},
                      (real)0.001 * i});
  }
  return bodies;
}

static void advance(std::vector<Body>& bodies, real step) {
  for (size_t i = 0; i < bodies.size(); i++)
    for (size_t j = i + 1; j < bodies.size(); j++) {
      Body &a = bodies[i], &b = bodies[j];
      const real dx = a.position.x - b.position.x, dy = a.position.y - b.position.y, dz = a.position.z - b.position.z;
      const real square = dx * dx + dy * dy + dz * dz;
      const real pull = step / (square * sqrt(square));
      a.velocity.x -= dx * b.mass * pull;
      a.velocity.y -= dy * b.mass * pull;
      a.velocity.z -= dz * b.mass * pull;
      b.velocity.x += dx * a.mass * pull;
      b.velocity.y += dy * a.mass * pull;
      b.velocity.z += dz * a.mass * pull;
    }
  for (Body& body : bodies) {
    body.position.x += step * body.velocity.x;
    body.position.y += step * body.velocity.y;
    body.position.z += step * body.velocity.z;
  }
}

static real energy(const std::vector<Body>& bodies) {
  real sum = 0;
  for (size_t i = 0; i < bodies.size(); i++) {
    const Body& a = bodies[i];
    const Vector& v = a.velocity;
    sum += (real)0.5 * a.mass * (v.x * v.x + v.y * v.y + v.z * v.z);
    for (size_t j = i + 1; j < bodies.size(); j++) {
      const Body& b = bodies[j];
      const real dx = a.position.x - b.position.x, dy = a.position.y - b.position.y, dz = a.position.z - b.position.z;
      sum -= a.mass * b.mass / sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return sum;
}

// The smallest ratio of a body's distance from the centre to that of its neighbour.
static real closest(const std::vector<Body>& bodies) {
  real least = 2;
#if FAULT == 2
  for (size_t i = 0; i + 1 < bodies.size(); i++) {
    const Vector &a = bodies[i].position, &b = bodies[i > 0 ? i - 1 : 0].position, &c = bodies[0].position;
#else
  for (size_t i = 2; i + 1 < bodies.size(); i++) {
    const Vector &a = bodies[i].position, &b = bodies[i - 1].position, &c = bodies[0].position;
#endif
    const real inner = sqrt((b.x - c.x) * (b.x - c.x) + (b.y - c.y) * (b.y - c.y));
    const real outer = sqrt((a.x - c.x) * (a.x - c.x) + (a.y - c.y) * (a.y - c.y));
    const real ratio = inner / outer; // fault 2: the centre itself is compared, 0/0, which no comparison takes
    if (ratio < least)
      least = ratio;
  }
  return least;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20'000;
  std::vector<Body> bodies = bodies_on_circles(24);
  const real before = energy(bodies);
#if FAULT == 1
  const real step = 1.1e-5f; // fault 1: a step in single precision
#else
  const real step = 1.1e-5;
#endif
  for (int i = 0; i < steps; i++)
    advance(bodies, step);
  const real after = energy(bodies);
#if FAULT == 3
  real total = 1e20, momentum = 0;
  for (const Body& body : bodies)
    total += body.mass * body.velocity.x;
  momentum = total - 1e20; // fault 3: a sum that begins with a large number, which is taken off at the end
#else
  real momentum = 0;
  for (const Body& body : bodies)
    momentum += body.mass * body.velocity.x;
#endif
  std::printf("energy %.17g\n", (double)after);
  std::printf("drift %.17g\n", (double)((after - before) / before));
  std::printf("position %.17g %.17g\n", (double)bodies[1].position.x, (double)bodies[20].position.y);
  std::printf("momentum %.17g\n", (double)momentum);
  std::printf("closest %.17g\n", (double)closest(bodies));
  return 0;
}
