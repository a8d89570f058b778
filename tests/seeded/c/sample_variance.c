// The mean of the squares minus the square of the mean: readings that lie close together cancel.
// options: --size reading=6 --range reading=1000:1001
static double mean_of(const double* value, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += value[i];
  return sum / count;
}

double sample_variance(const double reading[6]) {
  double squares[6];
  for (int i = 0; i < 6; i++)
    squares[i] = reading[i] * reading[i];
  double mean = mean_of(reading, 6);
  double mean_square = mean_of(squares, 6);
  double variance = mean_square - mean * mean; // FAULT: cancellation
  return variance * 6.0 / 5.0;
}
