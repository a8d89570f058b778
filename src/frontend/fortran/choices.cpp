#include "frontend/fortran/choices.h"

#include <fmt/format.h>

namespace faultline::frontend {

std::string FortranChoice::declaration() const { return fmt::format("integer(4), intent(in) :: {}", parameter); }

NamedParameter FortranChoice::named() const {
  return {.name = parameter,
          .before = parameter,
          .between = {},
          .after = {},
          .extents = {},
          .leaves = {""},
          .of = parameter,
          .choices = meanings};
}

std::string FortranChoice::explained() const {
  std::string text = parameter;
  for (size_t i = 0; i < meanings.size(); ++i)
    text += fmt::format("{} {} is {}", i == 0 ? ":" : ",", i, meanings[i]);
  return text;
}

std::string FortranChoice::made(const std::vector<std::string>& statements, const std::string& indent) const {
  std::string text = fmt::format("{}select case ({})\n", indent, parameter);
  for (size_t i = 1; i < statements.size(); ++i)
    text += fmt::format("{0}case ({1})\n{0}  {2}\n", indent, i, statements[i]);
  return text + fmt::format("{0}case default\n{0}  {1}\n{0}end select\n", indent, statements.front());
}

} // namespace faultline::frontend
