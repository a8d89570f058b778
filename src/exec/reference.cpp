#include "exec/reference.h"

#include "base/error.h"
#include "exec/guard.h"
#include "exec/jit.h"
#include "program/unit.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace faultline::exec {

using base::status_usage;
using base::UserError;

namespace {

// Contains a dot, so that no reference has the same name.
constexpr const char* caller_symbol = "faultline.reference_caller";
enum class Style { mpfr, quad, native };

// The data that the caller in the module reads and writes.
struct Exchange {
  const numeric::Value* values = nullptr; // quad, native
  mpfr_ptr* numbers = nullptr;            // mpfr: the result, then the inputs
  __float128 result = 0;
};

std::optional<Style> style_of(const llvm::Function& function, size_t inputs) {
  auto all = [&](size_t count, auto test) {
    if (function.arg_size() != count)
      return false;
    for (const llvm::Argument& argument : function.args())
      if (!test(argument.getType()))
        return false;
    return true;
  };
  llvm::Type* result = function.getReturnType();
  if (all(inputs + 1, [](llvm::Type* type) { return type->isPointerTy(); }) &&
      (result->isVoidTy() || result->isIntegerTy()))
    return Style::mpfr;
  auto number = [](llvm::Type* type) { return type->isFloatingPointTy() || type->isIntegerTy(); };
  if (all(inputs, number) && result->isFP128Ty())
    return Style::quad;
  if (all(inputs, number) && (result->isDoubleTy() || result->isX86_FP80Ty() || result->isFloatTy()))
    return Style::native;
  return std::nullopt;
}

// Adds void caller(Exchange*).
void add_caller(llvm::Function& function, Style style) {
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  auto* caller = llvm::Function::Create(type, llvm::Function::ExternalLinkage, caller_symbol, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", caller));
  auto field = [&](uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), caller->getArg(0), offset);
  };
  auto* extended = llvm::Type::getX86_FP80Ty(context);
  llvm::Value* from = builder.CreateLoad(
      pointer, field(style == Style::mpfr ? offsetof(Exchange, numbers) : offsetof(Exchange, values)));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function.args()) {
    const uint64_t index = argument.getArgNo();
    llvm::Type* wanted = argument.getType();
    if (style == Style::mpfr) {
      arguments.push_back(builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, from, index)));
      continue;
    }
    llvm::Value* value = builder.CreateLoad(
        extended, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, index * sizeof(numeric::Value)));
    arguments.push_back(wanted->isIntegerTy() ? builder.CreateFPToSI(value, wanted)
                                              : builder.CreateFPCast(value, wanted));
  }
  llvm::Value* result = builder.CreateCall(&function, arguments);
  if (style != Style::mpfr)
    builder.CreateAlignedStore(builder.CreateFPCast(result, llvm::Type::getFP128Ty(context)),
                               field(offsetof(Exchange, result)), llvm::Align(16));
  builder.CreateRetVoid();
}

// Exact: the high and the low part of 113 bits.
void set_quad(mpfr_ptr result, __float128 value) {
  const auto high = numeric::Value(value);
  const auto low = numeric::Value(value - high);
  mpfr_set_ld(result, high, MPFR_RNDN);
  if (mpfr_number_p(result)) {
    numeric::BigFloat rest(low, 64);
    mpfr_add(result, result, rest.raw(), MPFR_RNDN);
  }
}

} // namespace

// A function whose own code is the reference.
struct OwnCode {
  model::Target target;
  size_t output = 0; // among the float outputs
  Limits limits;
  std::vector<std::string> rejects;
};

struct Reference::Implementation {
  program::Program program;
  std::string symbol;
  Style style;
  double seconds;
  std::unique_ptr<Jit> jit;
  void (*caller)(void*) = nullptr;
  std::optional<OwnCode> own = {};
  std::unique_ptr<Session> session = {};

  Session& lifted() {
    if (!session)
      session = std::make_unique<Session>(std::move(program), own->target, own->limits, nullptr, Recording{},
                                          program::handlers_of(own->rejects));
    return *session;
  }

  void compile() {
    if (jit)
      return;
    llvm::orc::ThreadSafeContext context(program.take_context());
    std::unique_ptr<llvm::Module> module = program.take_module();
    program::materialize_all(*module);
    add_caller(*module->getFunction(symbol), style);
    jit = std::make_unique<Jit>(std::move(module), context, ending_replacements());
    caller = reinterpret_cast<void (*)(void*)>(jit->function(caller_symbol));
  }
};

Reference::Reference(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Reference::Reference(Reference&&) noexcept = default;
Reference::~Reference() = default;

Reference Reference::load(const program::Sources& sources, const std::string& name, size_t inputs, double seconds) {
  try {
    program::Program program = program::Program::load(sources);
    const llvm::Function* function = program.function(name);
    auto style = style_of(*function, inputs);
    if (!style)
      throw UserError(status_usage,
                      fmt::format("'{}' does not look like a reference for a function of {} input{}", name, inputs,
                                  inputs == 1 ? "" : "s"),
                      "write it as void f(mpfr_t result, const mpfr_t x, ...), as __float128 f(__float128 x, ...), or "
                      "as double f(double x, ...)");
    return Reference(std::make_unique<Implementation>(
        Implementation{std::move(program), function->getName().str(), *style, seconds, nullptr, nullptr}));
  } catch (const UserError& error) {
    if (error.status == base::status_inconclusive)
      throw; // the compiler was stopped early
    throw UserError(status_usage,
                    fmt::format("the reference {}:{} does not load: {}", sources.files.front(), name, error.what()),
                    error.hint);
  }
}

Reference Reference::of_code(program::Program program, const model::Target& target, size_t output, const Limits& limits,
                             const std::vector<std::string>& rejects) {
  OwnCode own{target, 0, limits, rejects};
  for (size_t i = 0; i < output; ++i)
    own.output += target.outputs[i].type.floating;
  return Reference(std::make_unique<Implementation>(Implementation{
      std::move(program), target.symbol, Style::mpfr, limits.lifted_seconds, nullptr, nullptr, std::move(own)}));
}

Session* Reference::session() { return implementation_->own ? &implementation_->lifted() : nullptr; }

bool Reference::any_precision() const { return implementation_->style == Style::mpfr; }

Outcome Reference::evaluate(const Input& input, long precision, numeric::BigFloat& result, CallInProgress* progress,
                            ops::ErrorExponent* error) {
  if (implementation_->own) {
    LiftedRun run = implementation_->lifted().lift(input, precision);
    const size_t at = implementation_->own->output;
    if (run.outcome == Outcome::returned) {
      if (!run.made_with[at].empty())
        return Outcome::missing; // it has no exact value
      result = std::move(run.outputs[at]);
      if (error)
        *error = run.errors[at];
    }
    return run.outcome;
  }
  implementation_->compile();
  Exchange exchange;
  std::vector<numeric::BigFloat> numbers;
  std::vector<mpfr_ptr> pointers;
  result = numeric::BigFloat(any_precision() ? precision : 113);
  if (any_precision()) {
    for (numeric::Value value : input)
      numbers.emplace_back(value, precision);
    pointers.push_back(result.raw());
    for (numeric::BigFloat& number : numbers)
      pointers.push_back(number.raw());
    exchange.numbers = pointers.data();
  } else {
    exchange.values = input.data();
  }
  set_call_limit(implementation_->seconds);
  if (progress)
    progress->running = CallInProgress::reference;
  GuardedResult guarded = guarded_call(implementation_->caller, &exchange);
  if (progress)
    progress->running = CallInProgress::nothing;
  if (guarded.outcome == Outcome::returned && !any_precision())
    set_quad(result.raw(), exchange.result);
  return guarded.outcome;
}

} // namespace faultline::exec
