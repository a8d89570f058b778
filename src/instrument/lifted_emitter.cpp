#include "instrument/emitter.h"
#include "runtime/entry_points.h"

#include <map>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;

namespace {

const char* suffix(Format format) {
  return format == Format::binary32 ? "f32" : format == Format::binary64 ? "f64" : "f80";
}

class LiftedEmitter final : public Emitter {
public:
  explicit LiftedEmitter(llvm::Module& module) : module_(module) {}

  Emitted operation(Builder& builder, uint32_t site, llvm::ArrayRef<Value*> operands, Value*, Format format) override {
    Value* arguments[] = {builder.getInt32(site), builder.getInt32(0), builder.getInt32(0), builder.getInt32(0)};
    for (size_t i = 0; i < operands.size(); ++i)
      arguments[i + 1] = operands[i];
    Value* index = builder.CreateCall(entry_point(module_, "faultline_lift"), arguments);
    Value* carried = builder.CreateCall(with_format("faultline_lift_value_", format), {index});
    return {index, builder.CreateFPTrunc(carried, frontend::type_of(format, module_.getContext()))};
  }

  Value* compare(Builder& builder, uint32_t site, llvm::ArrayRef<Value*> operands, Value* native) override {
    Value* outcome = builder.CreateCall(entry_point(module_, "faultline_lift_compare"),
                                        {builder.getInt32(site), operands[0], operands[1]});
    return builder.CreateZExtOrTrunc(outcome, native->getType());
  }

  Value* to_int(Builder& builder, uint32_t site, Value* operand, Value* native, bool is_signed) override {
    Value* wide = builder.CreateIntCast(native, builder.getInt64Ty(), is_signed);
    Value* lifted =
        builder.CreateCall(entry_point(module_, "faultline_lift_to_int"), {builder.getInt32(site), operand, wide});
    return builder.CreateIntCast(lifted, native->getType(), is_signed);
  }

  using Emitter::leaf;
  Value* leaf(Builder& builder, Value* value, Format format, uint32_t) override {
    return builder.CreateCall(with_format("faultline_lift_leaf_", format),
                              {carried(builder, value, format), builder.getInt32(uint32_t(format))});
  }

  bool follows_foreign() const override { return true; }
  void foreign_call(Builder& builder, Value* function, bool rounds) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_call"), {function, builder.getInt32(rounds)});
  }
  void foreign_argument(Builder& builder, Value* index) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_argument"), {index});
  }
  void foreign_pointer(Builder& builder, Value* pointer, uint64_t bytes, runtime::PointerKind kind) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_pointer"),
                       {pointer, builder.getInt64(bytes), builder.getInt32(uint32_t(kind))});
  }
  void mark_foreign(Builder& builder, Value* index) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_foreign"), {index});
  }

  Value* load(Builder& builder, Value* address, Value* value, Format format) override {
    return builder.CreateCall(with_format("faultline_lift_load_", format),
                              {address, carried(builder, value, format), builder.getInt32(uint32_t(format))});
  }

  Value* load_weak(Builder& builder, Value* address, Value* value) override {
    auto bytes = value->getType()->getIntegerBitWidth() / 8;
    return builder.CreateCall(entry_point(module_, "faultline_lift_load_weak"),
                              {address, builder.CreateZExt(value, builder.getInt64Ty()), builder.getInt32(bytes)});
  }

  void store(Builder& builder, Value* address, Value* index, Format) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_store"), {address, index});
  }

  // A float that was an integer or came through an unknown call: believed, since its value is its shadow rounded.
  Value* verified(Builder& builder, Value* candidate, Value* value, Format format) override {
    Value* known = builder.CreateICmpNE(candidate, builder.getInt32(0));
    return builder.CreateSelect(known, candidate, leaf(builder, value, format));
  }

private:
  llvm::FunctionCallee with_format(const char* prefix, Format format) {
    return entry_point(module_, (llvm::Twine(prefix) + suffix(numeric::carrier(format))).str());
  }

  llvm::Module& module_;
};

} // namespace

std::unique_ptr<Emitter> make_lifted_emitter(llvm::Module& module) { return std::make_unique<LiftedEmitter>(module); }

llvm::FunctionCallee entry_point(llvm::Module& module, llvm::StringRef name) {
  llvm::LLVMContext& context = module.getContext();
  [[maybe_unused]] llvm::Type* V = llvm::Type::getVoidTy(context);
  [[maybe_unused]] llvm::Type* I = llvm::Type::getInt32Ty(context);
  [[maybe_unused]] llvm::Type* L = llvm::Type::getInt64Ty(context);
  [[maybe_unused]] llvm::Type* P = llvm::PointerType::getUnqual(context);
  [[maybe_unused]] llvm::Type* F = llvm::Type::getFloatTy(context);
  [[maybe_unused]] llvm::Type* D = llvm::Type::getDoubleTy(context);
  [[maybe_unused]] llvm::Type* X = llvm::Type::getX86_FP80Ty(context);
#define FAULTLINE_LIST(...) {__VA_ARGS__}
#define FAULTLINE_DECLARE(symbol, result, parameters)                                                                  \
  if (name == #symbol)                                                                                                 \
    return module.getOrInsertFunction(name, llvm::FunctionType::get(result, FAULTLINE_LIST parameters, false));
  FAULTLINE_ENTRY_POINTS(FAULTLINE_DECLARE)
#undef FAULTLINE_DECLARE
#undef FAULTLINE_LIST
  llvm_unreachable("no such entry point");
}

} // namespace faultline::instrument
