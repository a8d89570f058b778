// Kahan's sum.
// options: --range power=0.1:10 --threshold 1e-5 --evals 60
namespace {

template <typename T>
class Meter {
public:
  void add(T sample) {
    const T term = sample - lost_;
    const T next = total_ + term;
    lost_ = (next - total_) - term;
    total_ = next;
  }
  T total() const { return total_; }

private:
  T total_ = 0;
  T lost_ = 0;
};

float sample(float power, int second) { return second % 2 == 0 ? power : power / 2; }

} // namespace

float energy_meter(float power) {
  Meter<float> meter;
  for (int second = 0; second < 40000; ++second)
    meter.add(sample(power, second));
  return meter.total();
}
