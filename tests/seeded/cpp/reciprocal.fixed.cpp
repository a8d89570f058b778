// Divided by the larger part first.
// options: --range re=1e100:1e200 --range im=1e100:1e200
struct Complex {
  double re, im;
};

Complex reciprocal(double re, double im) {
  Complex result;
  if (re >= im) {
    const double ratio = im / re, scale = 1 / (re * (1 + ratio * ratio));
    result.re = scale;
    result.im = -scale * ratio;
  } else {
    const double ratio = re / im, scale = 1 / (im * (1 + ratio * ratio));
    result.re = scale * ratio;
    result.im = -scale;
  }
  return result;
}
