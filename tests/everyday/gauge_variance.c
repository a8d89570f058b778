// Variance of five readings of one gauge, in a single pass over them.
enum { READINGS = 5 };

struct sums {
  double values, squares;
};

static void add(struct sums* sums, double reading) {
  sums->values += reading;
  sums->squares += reading * reading;
}

double gauge_variance(double first, double second, double third, double fourth, double fifth) {
  struct sums sums = {0.0, 0.0};
  double mean;

  add(&sums, first);
  add(&sums, second);
  add(&sums, third);
  add(&sums, fourth);
  add(&sums, fifth);
  mean = sums.values / READINGS;
  return sums.squares / READINGS - mean * mean; // bug: cancellation
}
