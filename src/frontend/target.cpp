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

std::string before_parameters(const std::string& name) { return name.substr(0, name.find('(')); }

std::vector<std::string> names_of(const Target& target) {
  std::vector<std::string> names{target.symbol, target.function, before_parameters(target.function)};
  if (target.symbol.ends_with("_"))
    names.push_back(target.symbol.substr(0, target.symbol.size() - 1));
  return names;
}

} // namespace faultline::frontend
