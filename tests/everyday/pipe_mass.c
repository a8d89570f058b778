// Mass of a steel pipe from its inner radius, its wall and its length, in metres.
static const double pi = 3.14159265358979323846;
static const double steel = 7850.0; // kg / m^3

static int is_pipe(double radius, double wall, double length) { return radius >= 0.0 && wall >= 0.0 && length >= 0.0; }

double pipe_mass(double radius, double wall, double length) {
  double section, volume;

  if (!is_pipe(radius, wall, length))
    return 0.0;
  section = pi * ((radius + wall) * (radius + wall) - radius * radius); // bug: cancellation|absorption
  volume = section * length;
  return steel * volume;
}
