// A clock that adds its step in single precision: every step rounds, mostly to the same side.
// options: --range step=0.01:1 --threshold 1e-4 --evals 60
struct clock {
  float now;
  int ticks;
};

static void tick(struct clock* clock, float step) {
  clock->now += step; // FAULT: accumulated-rounding
  clock->ticks++;
}

float simulated_clock(float step) {
  struct clock clock = {0, 0};
  while (clock.ticks < 30000)
    tick(&clock, step);
  return clock.now;
}
