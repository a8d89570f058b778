// The level cancels on paper, so it is left out.
// options: --range level=1:1e6 --range delta=1e-20:1e-14 --range gain=1:10
class Gauge {
public:
  long double response(long double delta, long double gain) const {
    const long double amplified = gain * delta;
    return amplified / 2;
  }
};

long double gauge_shift(long double level, long double delta, long double gain) {
  return level > 0 ? Gauge().response(delta, gain) : 0;
}
