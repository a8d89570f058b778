// The variance of a scalar Kalman filter.
typedef struct {
  double variance, noise;
} Kalman;

void update(Kalman* filter) {
  double gain = filter->variance / (filter->variance + filter->noise);
  filter->variance = gain * filter->noise;
}
