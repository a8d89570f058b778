// The product of two floats is exact in double precision, so the comparison is, too.
// options: --range price=1:10 --range quantity=1:50
static float discounted(float total, int percent) { return total * (float)(100 - percent) / 100.0f; }

float bulk_price(float price, float quantity) {
  double exact = (double)price * quantity;
  float total = (float)exact;
  if (exact >= 100.0)
    return discounted(total, 10);
  return total;
}
