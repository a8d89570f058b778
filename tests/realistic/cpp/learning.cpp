// Activation and loss functions.
#include <algorithm>
#include <cmath>
#include <vector>

namespace learning {

double sigmoid(double x) {
  double e = std::exp(x); // BUG
  return e / (1.0 + e);   // BUG
}

double stable_sigmoid(double x) {
  if (x >= 0)
    return 1.0 / (1.0 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1.0 + e);
}

double softplus(double x) {
  return std::log(1.0 + std::exp(x)); // BUG
}

double logsumexp(const std::vector<double> &x) {
  if (x.empty())
    return -INFINITY;
  const double top = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (double v : x)
    sum += std::exp(v - top);
  return top + std::log(sum);
}

std::vector<double> softmax(const std::vector<double> &x) {
  std::vector<double> out(x.size());
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    out[i] = std::exp(x[i]); // BUG
    sum += out[i];
  }
  for (double &v : out)
    v /= sum; // BUG
  return out;
}

// Cross entropy of a label in {0, 1} and a predicted probability.
double log_loss(double label, double p) {
  if (label < 0 || label > 1 || p < 0 || p > 1)
    return 0;
  return -(label * std::log(p) + (1 - label) * std::log(1 - p)); // BUG
}

// One step of stochastic gradient descent with momentum.
struct Optimizer {
  double rate, momentum;
  double velocity, weight;
};

void descend(Optimizer &o, double gradient) {
  o.velocity = o.momentum * o.velocity - o.rate * gradient;
  o.weight += o.velocity;
}

} // namespace learning
