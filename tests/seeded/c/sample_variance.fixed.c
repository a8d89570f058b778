// From the differences of all pairs: no two large numbers are subtracted but the readings themselves.
// options: --size reading=6 --range reading=1000:1001
double sample_variance(const double reading[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < i; k++) {
      double difference = reading[i] - reading[k];
      sum += difference * difference;
    }
  return sum / 30.0;
}
