#include "instrument/emitter.h"

#include "instrument/operations.h"
#include "runtime/entry_points.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

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
    return {index, builder.CreateFPTrunc(carried, program::type_of(format, module_.getContext()))};
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
                              {address, carried(builder, value, format), format_and_line(builder, format)});
  }

  bool follows_bits() const override { return true; }
  void read_bits(Builder& builder, Value* index) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_read_bits"), {index, builder.getInt32(line(builder))});
  }
  Value* bits_at(Builder& builder, Value* address) override {
    return builder.CreateCall(entry_point(module_, "faultline_lift_bits_at"), {address});
  }
  Value* merged_bits(Builder& builder, Value* a, Value* b) override {
    return builder.CreateCall(entry_point(module_, "faultline_lift_merged_bits"), {a, b});
  }
  void store_bits(Builder& builder, Value* address, uint64_t bytes, Value* bits) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_store_bits"), {address, builder.getInt64(bytes), bits});
  }
  Value* from_bits(Builder& builder, Value* value, Format format, Value* bits) override {
    return builder.CreateCall(with_format("faultline_lift_from_bits_", format),
                              {carried(builder, value, format), format_and_line(builder, format), bits});
  }

  Value* load_weak(Builder& builder, Value* address, Value* value) override {
    auto bytes = value->getType()->getIntegerBitWidth() / 8;
    return builder.CreateCall(entry_point(module_, "faultline_lift_load_weak"),
                              {address, builder.CreateZExt(value, builder.getInt64Ty()), builder.getInt32(bytes)});
  }

  void store(Builder& builder, Value* address, Value* index, Format) override {
    builder.CreateCall(entry_point(module_, "faultline_lift_store"), {address, index});
  }

  // A float that was an integer or passed through an unknown call. It needs no check: its value is its rounded shadow.
  Value* verified(Builder& builder, Value* candidate, Value* value, Format format) override {
    Value* known = builder.CreateICmpNE(candidate, builder.getInt32(0));
    return builder.CreateSelect(known, candidate, leaf(builder, value, format));
  }

private:
  // The format and the source line of an instruction, in one word.
  static Value* format_and_line(Builder& builder, Format format) {
    return builder.getInt32(uint32_t(format) | line(builder) << runtime::line_shift);
  }
  static uint32_t line(const Builder& builder) {
    const llvm::DebugLoc place = builder.getCurrentDebugLocation();
    return place ? place.getLine() : 0;
  }

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

namespace abi = runtime;

namespace {

class TapedEmitter final : public Emitter {
public:
  explicit TapedEmitter(llvm::Module& module)
      : i32_(llvm::Type::getInt32Ty(module.getContext())), i64_(llvm::Type::getInt64Ty(module.getContext())),
        i8_(llvm::Type::getInt8Ty(module.getContext())) {
    auto symbol = [&](const char* name) { return module.getOrInsertGlobal(name, i8_); };
    tape_ = symbol(abi::tape_symbol);
    shadow_ = symbol(abi::shadow_symbol);
    state_ = symbol(abi::state_symbol);
  }

  // before:  %cursor = load @state.cursor          (at the first record of the segment)
  // after:   store %cursor + records, @state.cursor
  void end_segment(llvm::Instruction* before) override {
    if (!cursor_)
      return;
    Builder builder(before);
    builder.SetCurrentDebugLocation({});
    builder.CreateStore(builder.CreateAdd(cursor_, builder.getInt64(records_)),
                        state_field(builder, offsetof(abi::State, cursor)));
    cursor_ = base_ = nullptr;
    records_ = 0;
  }

  Emitted operation(Builder& builder, uint32_t site, llvm::ArrayRef<Value*> operands, Value* native, Format) override {
    Value* record = nullptr;
    Value* index = append(builder, site, operands, record);
    store_result(builder, record, native);
    return {index, native};
  }

  Value* compare(Builder& builder, uint32_t site, llvm::ArrayRef<Value*> operands, Value* native) override {
    Value* record = nullptr;
    append(builder, site, operands, record);
    builder.CreateAlignedStore(builder.CreateZExt(native, i64_), field(builder, record, offsetof(abi::Record, result)),
                               llvm::Align(16));
    return native;
  }

  bool records_decisions() const override { return true; }

  void decide(Builder& builder, uint32_t site, llvm::ArrayRef<Value*> operands, Value* outcome) override {
    compare(builder, site, operands, outcome);
  }

  Value* to_int(Builder& builder, uint32_t site, Value* operand, Value* native, bool is_signed) override {
    Value* record = nullptr;
    append(builder, site, operand, record);
    builder.CreateAlignedStore(builder.CreateIntCast(native, i64_, is_signed),
                               field(builder, record, offsetof(abi::Record, result)), llvm::Align(16));
    return native;
  }

  using Emitter::leaf;
  Value* leaf(Builder& builder, Value* value, Format, uint32_t site) override {
    Value* record = nullptr;
    Value* index = append(builder, site, {}, record);
    store_result(builder, record, value);
    return index;
  }

  Value* foreign_leaf(Builder& builder, Value* value, Format, uint32_t site,
                      llvm::ArrayRef<Value*> arguments) override {
    Value* record = nullptr;
    Value* index = append(builder, site, arguments, record);
    store_result(builder, record, value);
    return index;
  }

  // A hit in the shadow costs no record, a miss appends a leaf:
  //
  //         %missed = or (another address or run), (other bits)
  //         br %missed, %miss, %next
  //   miss: append a leaf
  //   next: %cursor, %records, %index = phi ...
  //
  // A branch, because each load usually always hits or always misses. Rejected: a leaf for every load with a select
  // (twice the records in code that computes in memory); a cursor advanced by the outcome (all later stores wait for
  // it).
  Value* load(Builder& builder, Value* address, Value* value, Format format) override {
    auto [same_address, index] = look_up(builder, address, format);
    Value* same_value = same_bits(builder, index, value, format);
    // Two tests joined by `or` become two branches: most misses do not touch the tape.
    Value* missed = builder.CreateOr(builder.CreateNot(same_address), builder.CreateNot(same_value));
    open_segment(builder);
    Value* cursor = cursor_;
    Value* base = base_;
    llvm::Instruction* next = &*builder.GetInsertPoint();
    llvm::BasicBlock* head = next->getParent();
    llvm::Instruction* end_of_miss = llvm::SplitBlockAndInsertIfThen(missed, next, false);
    Builder miss(end_of_miss);
    Value* fresh = leaf(miss, value, format);
    --records_; // the cursor itself moves
    Value* next_cursor = miss.CreateAdd(cursor, miss.getInt64(1));
    Value* next_base = field(miss, base, sizeof(abi::Record));
    builder.SetInsertPoint(next);
    auto join = [&](Value* if_hit, Value* if_missed) {
      llvm::PHINode* phi = builder.CreatePHI(if_hit->getType(), 2);
      phi->addIncoming(if_hit, head);
      phi->addIncoming(if_missed, end_of_miss->getParent());
      return phi;
    };
    cursor_ = join(cursor, next_cursor);
    base_ = join(base, next_base);
    return join(index, fresh);
  }

  Value* load_weak(Builder& builder, Value* address, Value* value) override {
    auto [same_address, index] = look_up(builder, address, Format::binary32);
    Value* recorded = builder.CreateLoad(i64_, result_of(builder, index));
    Value* single =
        builder.CreateOr(builder.CreateZExt(builder.CreateTrunc(value, i32_), i64_), builder.getInt64(abi::single_tag));
    Value* same = builder.CreateICmpEQ(recorded, single);
    if (value->getType() == i64_)
      same = builder.CreateOr(same, builder.CreateICmpEQ(recorded, value));
    Value* trusted = builder.CreateAnd(same_address, same);
    return builder.CreateSelect(trusted, index, builder.getInt32(0));
  }

  void store(Builder& builder, Value* address, Value* index, Format format) override {
    // A constant has no record: record 0 makes the next load append a leaf of the same value.
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
      index = abi::is_constant(uint32_t(constant->getZExtValue())) ? builder.getInt32(0) : index;
    else if (llvm::isa<llvm::PHINode>(index) || llvm::isa<llvm::SelectInst>(index) || llvm::isa<llvm::LoadInst>(index))
      index = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, index, builder.getInt32(0));
    auto [entry, key] = shadow_entry(builder, address, format);
    builder.CreateStore(key, entry);
    builder.CreateStore(builder.CreateZExt(index, i64_), field(builder, entry, offsetof(abi::ShadowEntry, index)));
  }

  Value* verified(Builder& builder, Value* candidate, Value* value, Format format) override {
    Value* fresh = leaf(builder, value, format);
    Value* record = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, candidate, builder.getInt32(0));
    return builder.CreateSelect(same_bits(builder, record, value, format), record, fresh);
  }

private:
  Value* field(Builder& builder, Value* base, uint64_t offset) {
    return offset == 0 ? base : builder.CreateConstInBoundsGEP1_64(i8_, base, offset);
  }
  Value* state_field(Builder& builder, uint64_t offset) { return field(builder, state_, offset); }

  void open_segment(Builder& builder) {
    if (cursor_)
      return;
    cursor_ = builder.CreateLoad(i64_, state_field(builder, offsetof(abi::State, cursor)), "cursor");
    base_ = builder.CreateInBoundsGEP(i8_, tape_, builder.CreateShl(cursor_, 5), "records");
  }

  Value* append(Builder& builder, uint32_t site, llvm::ArrayRef<Value*> operands, Value*& record) {
    open_segment(builder);
    record = field(builder, base_, records_ * sizeof(abi::Record));
    // The site and the first operand use one store: stores are the cost of a record.
    static_assert(offsetof(abi::Record, site) == 0 && offsetof(abi::Record, a) == sizeof(abi::Record::site));
    Value* start = builder.getInt32(site);
    if (!operands.empty())
      start = builder.CreateOr(builder.CreateShl(builder.CreateZExt(operands[0], i64_), 32), builder.getInt64(site));
    builder.CreateAlignedStore(start, record, llvm::Align(16));
    const uint64_t offsets[] = {offsetof(abi::Record, a), offsetof(abi::Record, b), offsetof(abi::Record, c)};
    for (size_t i = 1; i < operands.size(); ++i)
      builder.CreateAlignedStore(operands[i], field(builder, record, offsets[i]), llvm::Align(4));
    Value* index = builder.CreateTrunc(builder.CreateAdd(cursor_, builder.getInt64(records_)), i32_);
    ++records_;
    return index;
  }

  // Encodes a float as 64 bits that no double has.
  Value* tagged(Builder& builder, Value* single) {
    Value* bits = builder.CreateZExt(builder.CreateBitCast(single, i32_), i64_);
    return builder.CreateOr(bits, builder.getInt64(abi::single_tag));
  }

  void store_result(Builder& builder, Value* record, Value* value) {
    Value* where = field(builder, record, offsetof(abi::Record, result));
    builder.CreateAlignedStore(stored(builder, value), where, llvm::Align(16));
  }

  // Returns the value in its format's carrier: a tagged single as an integer, or a wider float.
  Value* stored(Builder& builder, Value* value) {
    value = carried(builder, value, *format_of(value->getType()));
    return value->getType()->isFloatTy() ? tagged(builder, value) : value;
  }

  // Same computation as shadow_offset and shadow_offset_of_half.
  std::pair<Value*, Value*> shadow_entry(Builder& builder, Value* address, Format format) {
    Value* where = builder.CreatePtrToInt(address, i64_);
    constexpr uint64_t scale = sizeof(abi::ShadowEntry) / abi::shadow_granule;
    Value* offset = builder.CreateAnd(builder.CreateMul(where, builder.getInt64(scale)),
                                      builder.getInt64(abi::shadow_bytes - sizeof(abi::ShadowEntry)));
    if (numeric::info(format).bytes == 2)
      offset = builder.CreateXor(
          offset, builder.CreateShl(builder.CreateAnd(where, builder.getInt64(2)), abi::second_half_shift));
    Value* entry = builder.CreateInBoundsGEP(i8_, shadow_, offset);
    Value* generation = builder.CreateLoad(i64_, state_field(builder, offsetof(abi::State, generation)));
    return {entry, builder.CreateAdd(where, generation)};
  }

  std::pair<Value*, Value*> look_up(Builder& builder, Value* address, Format format) {
    auto [entry, key] = shadow_entry(builder, address, format);
    Value* same = builder.CreateICmpEQ(builder.CreateLoad(i64_, entry), key);
    Value* index = builder.CreateLoad(i32_, field(builder, entry, offsetof(abi::ShadowEntry, index)));
    return {same, index};
  }

  Value* result_of(Builder& builder, Value* index) {
    Value* offset = builder.CreateShl(builder.CreateZExt(index, i64_), 5);
    return field(builder, builder.CreateInBoundsGEP(i8_, tape_, offset), offsetof(abi::Record, result));
  }

  Value* same_bits(Builder& builder, Value* index, Value* value, Format format) {
    llvm::Type* bits = builder.getIntNTy(format == Format::extended80 ? 80 : 64);
    Value* recorded = builder.CreateLoad(bits, result_of(builder, index));
    return builder.CreateICmpEQ(recorded, builder.CreateBitCast(stored(builder, value), bits));
  }

  llvm::Type *i32_, *i64_, *i8_;
  llvm::Constant *tape_, *shadow_, *state_;
  Value* cursor_ = nullptr; // in the open segment
  Value* base_ = nullptr;
  uint64_t records_ = 0;
};

} // namespace

std::unique_ptr<Emitter> make_taped_emitter(llvm::Module& module) { return std::make_unique<TapedEmitter>(module); }

} // namespace faultline::instrument
