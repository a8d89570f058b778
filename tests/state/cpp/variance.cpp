// Private state that public calls make: the variance of the values so far.
class Variance {
public:
  void add(double value);
  double result() const;

private:
  int count = 0;
  double sum = 0, squares = 0;
};

void Variance::add(double value) {
  ++count;
  sum += value;
  squares += value * value;
}

double Variance::result() const {
  if (count < 2)
    return 0;
  return (squares - sum * sum / count) / (count - 1); // FAULT
}
