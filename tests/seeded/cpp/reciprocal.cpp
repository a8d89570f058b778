// The reciprocal of a large complex number is small; the square of its modulus is beyond the range.
// options: --range re=1e100:1e200 --range im=1e100:1e200
struct Complex {
  double re, im;
};

Complex reciprocal(double re, double im) {
  const double modulus = re * re + im * im; // FAULT: intermediate-overflow
  Complex result;
  result.re = re / modulus;
  result.im = -im / modulus;
  return result;
}
