#include "model/fix_report.h"

#include <algorithm>

namespace faultline::model {

std::string_view text(FixGrade grade) {
  switch (grade) {
  case FixGrade::tried:
    return "tried";
  case FixGrade::exhaustive:
    return "exhaustive";
  case FixGrade::proved:
    return "proved";
  }
  return "";
}

bool FixReport::is_any_repaired() const { return std::ranges::any_of(fixes, &Fix::is_repaired); }

std::string FixReport::diff() const {
  std::string all;
  for (const FixedFile& file : files)
    all += unified_diff(file.file, file.before, file.after);
  return all;
}

} // namespace faultline::model
