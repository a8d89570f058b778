// The discount begins at 100, and rounding decides whether the total has got there.
// options: --range price=1:10 --range quantity=1:50
static float discounted(float total, int percent) { return total * (float)(100 - percent) / 100.0f; }

float bulk_price(float price, float quantity) {
  float total = price * quantity;
  if (total >= 100.0f) // FAULT: branch-flip
    return discounted(total, 10);
  return total;
}
