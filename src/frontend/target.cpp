#include "frontend/target.h"

#include <fmt/format.h>

namespace faultline::frontend {

uint64_t Type::bytes() const {
  if (!floating)
    return uint64_t(bits + 7) / 8;
  return format == numeric::Format::extended80 ? 16 : uint64_t(numeric::info(format).bytes);
}

std::string Type::name() const {
  if (floating)
    return std::string(numeric::info(format).name);
  return fmt::format("{}int{}", is_signed ? "" : "u", bits);
}

} // namespace faultline::frontend
