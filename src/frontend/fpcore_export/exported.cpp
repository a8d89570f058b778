#include "frontend/fpcore_export/exported.h"

#include "frontend/error.h"
#include "frontend/float_type.h"
#include "frontend/fpcore/core.h"
#include "frontend/fpcore/operators.h"
#include "frontend/fpcore_export/control.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <memory>
#include <set>

namespace faultline::frontend::fpcore {

using numeric::Format;

namespace {

// A function that is ready to be written as FPCore: inlined, with values instead of memory.
struct PreparedModule {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module; // destroyed before its context
  llvm::Function* function = nullptr;
};

void simplify(PreparedModule& prepared);

// Loops are neither rotated nor unrolled: they stay as in the source. Cheap conditions are joined, so that a && b ends
// a loop in one place.
constexpr const char* passes =
    "always-inline,function(sroa,instcombine<no-verify-fixpoint>,simplifycfg<bonus-inst-threshold=8>,early-cse,"
    "simplifycfg<bonus-inst-threshold=8>,loop-simplify)";

// Removes attributes of unoptimised code that forbid optimisation.
void allow_inlining(llvm::Module& module, const llvm::Function& root) {
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (!function.isDeclaration() && &function != &root)
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

// The bitcode contains all functions that are called, if the program has them. Throws UserError.
PreparedModule read_module(const std::string& bitcode, const std::string& symbol) {
  PreparedModule prepared;
  auto module = llvm::parseBitcodeFile({bitcode, symbol}, *prepared.context);
  if (!module)
    throw UserError(status_unsuitable, llvm::toString(module.takeError()),
                    "the bitcode file is damaged: make it again");
  prepared.module = std::move(*module);
  prepared.function = prepared.module->getFunction(symbol);
  if (!prepared.function || prepared.function->isDeclaration())
    throw UserError(status_unsuitable, fmt::format("{} is not defined", symbol), "faultline list shows the functions");
  return prepared;
}

void simplify(PreparedModule& prepared) {
  allow_inlining(*prepared.module, *prepared.function);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::ModulePassManager manager;
  if (llvm::Error error = builder.parsePassPipeline(manager, passes))
    throw std::logic_error(llvm::toString(std::move(error)));
  manager.run(*prepared.module, modules);
}

// The width of FPCore text in characters, if possible.
constexpr size_t widest = 100;

class Layout {
public:
  void write(const Form& form, size_t indent) {
    const std::string flat = in_one_line(form);
    if (!form.is_list() || indent + flat.size() <= widest) {
      text_ += flat;
      return;
    }
    text_ += form.is_square ? "[" : "(";
    const std::string_view head = form.head();
    const size_t kept = head == "FPCore" ? 3 : head == "!" ? form.items.size() : form.items.front().is_list() ? 1 : 2;
    const bool is_block = head == "FPCore" || head == "let*" || head == "while";
    size_t column = indent + 1;
    const size_t below = is_block ? indent + 2 : form.items.front().is_list() ? indent + 1 : indent + head.size() + 2;
    for (size_t i = 0; i < form.items.size(); ++i) {
      const bool is_value = i > 0 && form.items[i - 1].is_property();
      if (i > 0 && (i < kept || is_value)) {
        text_ += " ";
        ++column;
      } else if (i > 0) {
        text_ += "\n" + std::string(below, ' ');
        column = below;
      }
      const size_t before = text_.size();
      write(form.items[i], column);
      const size_t line = text_.rfind('\n');
      column = line == std::string::npos || line < before ? column + text_.size() - before : text_.size() - line - 1;
    }
    text_ += form.is_square ? "]" : ")";
  }

  std::string take() { return std::move(text_) + "\n"; }

private:
  static std::string in_one_line(const Form& form) {
    if (!form.is_list())
      return form.text;
    std::string text = form.is_square ? "[" : "(";
    for (const Form& item : form.items)
      text += (text.size() > 1 ? " " : "") + in_one_line(item);
    return text + (form.is_square ? "]" : ")");
  }

  std::string text_;
};

// Breaks lists that do not fit in a line, one part per line.
std::string laid_out(const std::string& text) {
  Layout layout;
  for (const Form& form : read_forms(text, "FPCore"))
    layout.write(form, 0);
  return layout.take();
}

llvm::Type* type_of(const Type& type, llvm::LLVMContext& context) {
  return type.floating ? frontend::type_of(type.format, context) : llvm::Type::getIntNTy(context, unsigned(type.bits));
}

// True for a number that is passed by value or by reference and is not read after the call.
bool is_plain_number(const Parameter& parameter, const Target& target) {
  if (parameter.passing == Passing::value)
    return true;
  return parameter.passing == Passing::pointer && !parameter.is_array && parameter.alias_of.empty() &&
         std::ranges::find(target.inputs, parameter.name, &Cell::name) != target.inputs.end() &&
         std::ranges::find(target.outputs, parameter.name, &Cell::name) == target.outputs.end();
}

// If all parameters are plain numbers, adds a function that takes values and calls the original one; simplify() merges
// them. Leaves other functions unchanged.
void take_by_value(PreparedModule& prepared, const Target& target) {
  llvm::Function& function = *prepared.function;
  const auto by_reference = [](const Parameter& parameter) { return parameter.passing == Passing::pointer; };
  const auto is_plain = [&](const Parameter& parameter) { return is_plain_number(parameter, target); };
  if (function.arg_size() != target.parameters.size() || std::ranges::none_of(target.parameters, by_reference) ||
      !std::ranges::all_of(target.parameters, is_plain))
    return;
  std::vector<llvm::Type*> types;
  for (const llvm::Argument& argument : function.args()) {
    const Parameter& parameter = target.parameters[argument.getArgNo()];
    types.push_back(by_reference(parameter) ? type_of(parameter.type, *prepared.context) : argument.getType());
  }
  llvm::Function* caller =
      llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, false),
                             llvm::GlobalValue::ExternalLinkage, function.getName() + ".by_value", *prepared.module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(*prepared.context, "", caller));
  std::vector<llvm::Value*> values;
  for (llvm::Argument& argument : caller->args()) {
    values.push_back(&argument);
    if (by_reference(target.parameters[argument.getArgNo()])) {
      values.back() = builder.CreateAlloca(argument.getType());
      builder.CreateStore(&argument, values.back());
    }
  }
  llvm::CallInst* call = builder.CreateCall(&function, values);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  prepared.function = caller;
}

// Returns a name that neither FPCore nor another value uses: v1.
std::string free_name(const std::string& name, std::set<std::string>& taken) {
  std::string free = c_name(name);
  const bool like_ours = free.size() > 1 && free[0] == 'v' && free.find_first_not_of("0123456789", 1) == free.npos;
  if (find_constant(free) || like_ours || free == "TRUE" || free == "FALSE")
    free += "_";
  while (!taken.insert(free).second)
    free += "_";
  return free;
}

// Replaces integers by constants: FPCore has none.
void hold(PreparedModule& prepared, const Target& target, const ExportedWith& with) {
  if (prepared.function->arg_size() != target.parameters.size())
    return; // rejected below
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
  Exporter(PreparedModule& prepared, const Target& target, const ExportedWith& with)
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
        throw NotExportable{fmt::format("its parameter '{}' is not a plain number", parameter.name)};
    std::set<std::string> taken;
    for (llvm::Argument& argument : function_.args()) {
      const Parameter& parameter = target_.parameters[argument.getArgNo()];
      if (argument.getType()->isPointerTy())
        throw NotExportable{fmt::format("its parameter '{}' is not a plain number", parameter.name)};
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
    PreparedModule prepared = read_module(bitcode, target.symbol);
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
