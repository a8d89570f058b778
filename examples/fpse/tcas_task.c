/* After the case study tcas_periodic_task_1Hz() in R. Bagnara, M. Carlier, R. Gori, A. Gotlieb: Symbolic Path-Oriented
 * Test Data Generation for Floating-Point Programs (ICST 2013). The paper's code is not published; this is our own.
 *
 * Once a second: smooth the last eight replies, update the tracks of the intruder's range and of both altitudes, tell
 * when the aircraft are closest and how far apart in altitude they will be, and choose an advisory. Feet and seconds.
 * Three decisions with three outcomes each: 27 paths. */

struct track {
  float value, rate; /* a second */
  float alpha, beta; /* gains */
};

static float mean(const float reply[8]) {
  return 0.02f * reply[0] + 0.04f * reply[1] + 0.08f * reply[2] + 0.11f * reply[3] + 0.15f * reply[4] +
         0.18f * reply[5] + 0.20f * reply[6] + 0.22f * reply[7];
}

static float slope(const float reply[8]) {
  return ((reply[7] - reply[0]) * 7.0f + (reply[6] - reply[1]) * 5.0f + (reply[5] - reply[2]) * 3.0f +
          (reply[4] - reply[3])) /
         84.0f;
}

static void update(struct track* track, float measured, float measured_rate) {
  float predicted = track->value + track->rate;
  float residual = measured - predicted;
  float change = measured_rate - track->rate;
  track->value = predicted + track->alpha * residual;
  track->rate = track->rate + track->beta * change;
}

/* How fast to climb (to descend, if negative); 0 for no advisory. */
float tcas_periodic_task_1Hz(const float range_reply[8], const float intruder_reply[8], const float own_reply[8],
                             struct track range, struct track intruder, struct track own, float pressure_correction,
                             float air_data_rate) {
  update(&range, mean(range_reply), slope(range_reply));
  update(&intruder, mean(intruder_reply) + pressure_correction, slope(intruder_reply));
  update(&own, mean(own_reply) + pressure_correction, slope(own_reply));
  float own_rate = (own.rate + air_data_rate) / 2.0f;

  /* Modified tau: seconds until the range is small, were it not for a slow approach. */
  float closing = 0.0f - range.rate;
  if (!(range.value > 0.0f) || !(closing > 0.0f))
    return 0.0f; /* no range, or it grows */
  float near = 3038.0f * 3038.0f / range.value;
  float tau = (range.value - near) / closing;
  float usable = tau - 5.0f; /* the pilot reacts in five seconds */
  if (!(usable > 0.0f))
    return 0.0f;

  float altitude = intruder.value - own.value;
  float miss = altitude + (intruder.rate - own_rate) * tau;

  /* What climbing and descending at 25 feet a second would do. */
  float start = own.value + own_rate * 5.0f;
  float gain = 25.0f * usable;
  float intruder_then = intruder.value + intruder.rate * tau;
  float above = (start + gain) - intruder_then;
  float below = (start - gain) - intruder_then;
  float advantage = above + below; /* positive: climbing separates more */

  /* The higher, the faster aircraft are, and the earlier they are warned. */
  float resolution_tau, traffic_tau;
  if (own.value < 2350.0f) {
    resolution_tau = 15.0f;
    traffic_tau = 25.0f;
  } else if (own.value < 20000.0f) {
    resolution_tau = 25.0f;
    traffic_tau = 40.0f;
  } else {
    resolution_tau = 35.0f;
    traffic_tau = 48.0f;
  }

  float urgency;
  if (tau <= resolution_tau)
    urgency = 1.0f;
  else if (tau <= traffic_tau)
    urgency = 0.5f;
  else
    urgency = 0.0f;

  float drift; /* feet a second */
  if (miss > 700.0f)
    drift = (700.0f - miss) / usable; /* the intruder passes above */
  else if (miss < -700.0f)
    drift = (-700.0f - miss) / usable; /* below */
  else
    drift = (advantage * 0.5f - 700.0f) / usable;
  return own_rate + urgency * drift;
}
