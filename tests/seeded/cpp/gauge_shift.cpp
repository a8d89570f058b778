// A shift that is smaller than an ulp of the level it is added to is gone.
// options: --range level=1:1e6 --range delta=1e-20:1e-14 --range gain=1:10
class Gauge {
public:
  explicit Gauge(long double level) : level_(level) {}

  long double response(long double delta, long double gain) const {
    const long double shift = (level_ + delta) - level_; // FAULT: absorption
    const long double amplified = gain * shift;
    return amplified / 2;
  }

private:
  long double level_;
};

long double gauge_shift(long double level, long double delta, long double gain) {
  return Gauge(level).response(delta, gain);
}
