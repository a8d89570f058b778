#include "frontend/fpcore_export/exported.h"

#include "frontend/error.h"
#include "frontend/fpcore/number.h"
#include "frontend/fpcore/operators.h"
#include "frontend/fpcore_export/by_value.h"
#include "frontend/fpcore_export/control.h"
#include "frontend/fpcore_export/layout.h"
#include "frontend/fpcore_export/prepare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::frontend::fpcore {

using numeric::Format;

namespace {

// A name that FPCore gives no meaning to, and no value of ours has: v1.
std::string free_name(const std::string& name, std::set<std::string>& taken) {
  std::string free = c_name(name);
  const bool like_ours = free.size() > 1 && free[0] == 'v' && free.find_first_not_of("0123456789", 1) == free.npos;
  if (find_constant(free) || like_ours || free == "TRUE" || free == "FALSE")
    free += "_";
  while (!taken.insert(free).second)
    free += "_";
  return free;
}

// Integers are constants: FPCore has none.
void hold(Prepared& prepared, const Target& target, const ExportedWith& with) {
  if (prepared.function->arg_size() != target.parameters.size())
    return; // which is refused below
  for (llvm::Argument& argument : prepared.function->args()) {
    const Parameter& parameter = target.parameters[argument.getArgNo()];
    if (!argument.getType()->isIntegerTy() || !is_plain_number(parameter, target))
      continue;
    const auto held = with.held.find(parameter.name);
    if (held == with.held.end())
      throw UserError(status_usage,
                      fmt::format("{}: '{}' is an integer, and FPCore has none", target.function, parameter.name),
                      fmt::format("--hold {}=4 makes it a constant", parameter.name));
    argument.replaceAllUsesWith(llvm::ConstantInt::get(argument.getType(), uint64_t(int64_t(held->second))));
  }
}

class Exporter {
public:
  Exporter(Prepared& prepared, const Target& target, const ExportedWith& with)
      : function_(*prepared.function), target_(target), with_(with), core_(result_format()), instructions_(core_) {}

  std::string run() {
    take_parameters();
    const Text body = ControlWriter(function_, instructions_).write();
    std::string text =
        fmt::format("(FPCore {} ({})\n", c_name(before_parameters(target_.function)), fmt::join(arguments_, " "));
    if (core_ != Format::binary64)
      text += fmt::format(":precision {}\n", precision_name(core_));
    if (!bounds_.empty())
      text += bounds_.size() == 1 ? fmt::format(":pre {}\n", bounds_.front())
                                  : fmt::format(":pre (and {})\n", fmt::join(bounds_, "\n"));
    return laid_out(text + body.text + ")");
  }

private:
  Format result_format() const {
    if (!function_.getReturnType()->isFloatingPointTy())
      throw NotExportable{"it returns no floating-point number"};
    return format_of(*function_.getReturnType());
  }

  void take_parameters() {
    if (function_.arg_size() != target_.parameters.size())
      throw NotExportable{"its parameters are not plain numbers"};
    for (const Parameter& parameter : target_.parameters)
      if (!is_plain_number(parameter, target_))
        throw NotExportable{fmt::format("its parameter '{}' is no plain number", parameter.name)};
    std::set<std::string> taken;
    for (llvm::Argument& argument : function_.args()) {
      const Parameter& parameter = target_.parameters[argument.getArgNo()];
      if (argument.getType()->isPointerTy())
        throw NotExportable{fmt::format("its parameter '{}' is no plain number", parameter.name)};
      if (parameter.type.floating)
        take_float(argument, parameter, taken);
    }
  }

  void take_float(const llvm::Argument& argument, const Parameter& parameter, std::set<std::string>& taken) {
    const Format format = format_of(*argument.getType());
    const std::string name = free_name(parameter.name, taken);
    instructions_.name(argument, name);
    arguments_.push_back(format == core_ ? name : fmt::format("(! :precision {} {})", precision_name(format), name));
    auto range = with_.ranges.find(parameter.name);
    if (range == with_.ranges.end())
      range = with_.ranges.find("*");
    if (range != with_.ranges.end())
      bounds_.push_back(fmt::format("(<= {} {} {})", decimal_text(range->second.first, format), name,
                                    decimal_text(range->second.second, format)));
  }

  llvm::Function& function_;
  const Target& target_;
  const ExportedWith& with_;
  Format core_;
  InstructionWriter instructions_;
  std::vector<std::string> arguments_, bounds_;
};

} // namespace

std::string exported(const std::string& bitcode, const Target& target, const ExportedWith& with) {
  try {
    Prepared prepared = read_module(bitcode, target.symbol);
    take_by_value(prepared, target);
    hold(prepared, target, with);
    simplify(prepared);
    return Exporter(prepared, target, with).run();
  } catch (const NotExportable& obstacle) {
    throw UserError(status_unsuitable,
                    fmt::format("{} cannot be written as FPCore: {}", target.function, obstacle.reason),
                    "straight-line and branching code of plain numbers can be");
  }
}

} // namespace faultline::frontend::fpcore
