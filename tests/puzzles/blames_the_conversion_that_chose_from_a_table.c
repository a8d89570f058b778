// options: --range x=1:7
// expect: naive branch-flip|inaccuracy line 8|9 above 0.1
// silent: stable
static const float table[8] = {1, 2, 4, 8, 16, 32, 64, 128};

float naive(float x) {
  float sum = x + 1e8f; // floats are 8 apart there
  float rest = sum - 1e8f;
  int index = (int)rest & 7;
  float entry = table[index];
  return entry * (1 + x);
}

float stable(float x) {
  float left = table[(int)x & 7], right = table[((int)x + 1) & 7], part = x - (int)x;
  return left + part * (right - left);
}
