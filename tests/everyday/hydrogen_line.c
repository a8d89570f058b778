// Wave number (1/m) of the light that hydrogen emits when its electron falls from level n + 1 to level n.
#define RYDBERG 10967758.0f

static float term(float level) { return 1.0f / (level * level); }

float hydrogen_line(float n) {
  if (n < 1.0f)
    return 0.0f;
  return RYDBERG * (term(n) - term(n + 1.0f)); // bug: cancellation|absorption
}
