// A meter that adds up 40000 samples in single precision.
// options: --range power=0.1:10 --threshold 1e-5 --evals 60
namespace {

template <typename T>
class Meter {
public:
  void add(T sample) {
    total_ += sample; // FAULT: accumulated-rounding
  }
  T total() const { return total_; }

private:
  T total_ = 0;
};

float sample(float power, int second) { return second % 2 == 0 ? power : power / 2; }

} // namespace

float energy_meter(float power) {
  Meter<float> meter;
  for (int second = 0; second < 40000; ++second)
    meter.add(sample(power, second));
  return meter.total();
}
