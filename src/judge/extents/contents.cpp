#include "judge/extents/contents.h"

#include "numeric/random.h"

namespace faultline::judge {

long double Contents::of(const frontend::Type& type, size_t array, uint64_t element) const {
  const int sort = number_ % 4;
  if (!type.floating)
    return sort == 0 ? 1 : sort == 1 ? 0 : (long double)(element + (sort == 3));
  if (sort == 1)
    return 0;
  if (sort == 2)
    return (long double)element + 1;
  numeric::Rng rng(seed_ ^ uint64_t(number_) << 56 ^ uint64_t(array) << 32 ^ element);
  const long double random = (long double)rng.next() * 0x1p-64L; // no two are equal
  return sort == 0 ? 0.5L + random : 4 * random - 2;
}

} // namespace faultline::judge
