// Private state that public calls make: the variance of the values so far.
class Variance {
public:
  void add(double value);
  double result() const;

private:
  int count = 0;
  double mean = 0, squares = 0;
};

void Variance::add(double value) {
  ++count;
  double difference = value - mean;
  mean += difference / count;
  squares += difference * (value - mean);
}

double Variance::result() const {
  if (count < 2)
    return 0;
  return squares / (count - 1);
}
