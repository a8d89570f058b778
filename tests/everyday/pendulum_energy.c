// Potential energy of a pendulum that is held at an angle, in joules; a stop keeps it below the level of its axis.
#include <math.h>

#define GRAVITY 9.80665
#define QUARTER_TURN 1.5707963267948966

typedef struct {
  double mass, length;
} Pendulum;

static const Pendulum clock_pendulum = {1.2, 0.994};

double pendulum_energy(double angle) {
  const Pendulum* p = &clock_pendulum;
  double lift;

  angle = fabs(angle);
  if (angle > QUARTER_TURN)
    angle = QUARTER_TURN;
  lift = p->length * (1.0 - cos(angle)); // bug: cancellation
  return p->mass * GRAVITY * lift;
}
