// Functions of one number of type T, each operation rounded to T. Included once for each format, and with long double as
// what they would be without rounding.
T NAME(cubic)(T x) {
  T a = x - (T)3;
  T b = a * x;
  T c = b + (T)3;
  T d = c * x;
  return d - (T)1;
}

T NAME(exponential_series)(T x) {
  T sum = (T)0x1.58p-5;
  for (int i = 0; i < 4; ++i) {
    T scaled = sum * x;
    sum = scaled + (i == 0 ? (T)0x1.54p-3 : i == 1 ? (T)0.5L : (T)1);
  }
  return sum;
}

T NAME(one_minus_cosine)(T x) {
  T cosine = COSINE(x);
  T difference = (T)1 - cosine;
  T square = x * x;
  return difference / square;
}

T NAME(difference_of_roots)(T x) {
  T next = x + (T)1;
  T upper = ROOT(next), lower = ROOT(x);
  return upper - lower;
}

T NAME(rational)(T x) {
  T above = x - (T)1;
  T square = x * x;
  T below = square + (T)1;
  return above / below;
}

T NAME(sigmoid)(T x) {
  T negated = -x;
  T power = EXPONENTIAL(negated);
  T below = (T)1 + power;
  return (T)1 / below;
}

T NAME(log_of_sum)(T x) {
  T sum = (T)1 + x;
  return LOGARITHM(sum);
}

T NAME(cosine_of_slope)(T x) {
  T square = x * x;
  T sum = square + (T)1;
  T hypotenuse = ROOT(sum);
  return x / hypotenuse;
}

T NAME(harmonic_sum)(T x) {
  T sum = (T)0;
  for (int i = 1; i <= 10; ++i) {
    T term = x / (T)i;
    sum = sum + term;
  }
  return sum;
}

T NAME(tangent_by_exp)(T x) {
  T twice = x + x;
  T power = EXPONENTIAL(twice);
  T above = power - (T)1, below = power + (T)1;
  return above / below;
}
