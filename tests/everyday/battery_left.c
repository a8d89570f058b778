// Charge that is left after half a day: a fuel gauge that takes off a little every second, as its firmware does.
#define HALF_A_DAY 43200

struct battery {
  float charge;
};

static void tick(struct battery* battery, float drain) {
  battery->charge -= drain; // bug: absorption|accumulated-rounding
}

// A drain of more than a third of the battery in that time is a fault of the sensor.
static int plausible(float capacity, float drain) { return drain >= 0.0f && drain < capacity / 131072.0f; }

float battery_left(float capacity, float drain) {
  struct battery battery = {capacity};
  if (!plausible(capacity, drain))
    return capacity;
  for (int second = 0; second < HALF_A_DAY; second++)
    tick(&battery, drain);
  return battery.charge;
}
