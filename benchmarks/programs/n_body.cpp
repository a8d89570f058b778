// Bodies under gravity, leapfrog steps; prints the energy and its drift.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vector {
  double x, y, z;
};

struct Body {
  Vector position, velocity;
  double mass;
};

static std::vector<Body> bodies_on_circles(int count) {
  std::vector<Body> bodies = {{{0, 0, 0}, {0, 0, 0}, 1000}};
  for (int i = 1; i < count; i++) {
    const double radius = 1 + 0.5 * i, angle = 0.7 * i, speed = std::sqrt(1000 / radius);
    bodies.push_back({{radius * std::cos(angle), radius * std::sin(angle), 0.01 * i},
                      {-speed * std::sin(angle), speed * std::cos(angle), 0},
                      0.001 * i});
  }
  return bodies;
}

static void advance(std::vector<Body>& bodies, double step) {
  for (size_t i = 0; i < bodies.size(); i++)
    for (size_t j = i + 1; j < bodies.size(); j++) {
      Body &a = bodies[i], &b = bodies[j];
      const double dx = a.position.x - b.position.x, dy = a.position.y - b.position.y, dz = a.position.z - b.position.z;
      const double square = dx * dx + dy * dy + dz * dz;
      const double pull = step / (square * std::sqrt(square));
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

static double energy(const std::vector<Body>& bodies) {
  double sum = 0;
  for (size_t i = 0; i < bodies.size(); i++) {
    const Body& a = bodies[i];
    const Vector& v = a.velocity;
    sum += 0.5 * a.mass * (v.x * v.x + v.y * v.y + v.z * v.z);
    for (size_t j = i + 1; j < bodies.size(); j++) {
      const Body& b = bodies[j];
      const double dx = a.position.x - b.position.x, dy = a.position.y - b.position.y, dz = a.position.z - b.position.z;
      sum -= a.mass * b.mass / std::sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20'000;
  std::vector<Body> bodies = bodies_on_circles(24);
  const double before = energy(bodies);
  for (int i = 0; i < steps; i++)
    advance(bodies, 1e-5);
  const double after = energy(bodies);
  std::printf("energy %.12f\n", after);
  std::printf("drift %.3e\n", (after - before) / before);
  return 0;
}
