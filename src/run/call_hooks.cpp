#include "run/call_hooks.h"

#include "program/discover.h"
#include "run/call_record.h"

#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::run {

namespace {

using model::Cell;
using model::Parameter;
using model::Passing;
using model::Target;

std::optional<ValueType> value_type_of(const model::Type& type) {
  if (type.floating)
    switch (type.format) {
    case numeric::Format::binary32:
      return ValueType::binary32;
    case numeric::Format::binary64:
      return ValueType::binary64;
    case numeric::Format::extended80:
      return ValueType::binary80;
    default:
      return {};
    }
  switch (type.bytes()) {
  case 1:
    return type.is_signed && type.bits > 1 ? ValueType::int8 : ValueType::uint8;
  case 2:
    return type.is_signed ? ValueType::int16 : ValueType::uint16;
  case 4:
    return type.is_signed ? ValueType::int32 : ValueType::uint32;
  case 8:
    return type.is_signed ? ValueType::int64 : ValueType::uint64;
  default:
    return {};
  }
}

struct Input {
  std::string name;
  RecordedInput place = {};
};

// What is noted of a function; `reason` says why nothing is.
struct Plan {
  std::vector<Input> inputs;
  std::string reason;
};

// Finds the place of each input of a target at run time.
class Planner {
public:
  explicit Planner(const Target& target) : target_(target) {
    int32_t slot = target.returned_by_pointer ? 1 : 0;
    for (const Parameter& parameter : target.parameters) {
      slots_.push_back(parameter.stored_at ? -1 : slot);
      slot += parameter.stored_at ? 0 : parameter.passing == Passing::slice ? 2 : 1;
    }
  }

  // Whether a function reads what a pointer points to may depend on functions that other files define. So the memory of
  // outputs is noted, too.
  Plan plan() {
    using model::Obstacle;
    if (!target_.huntable() && !target_.can_be_called && target_.obstacle != Obstacle::no_input &&
        target_.obstacle != Obstacle::no_output && target_.obstacle != Obstacle::size)
      return {{}, target_.unsuitable};
    std::set<std::string> names;
    for (const Cell& cell : target_.inputs)
      if (names.insert(cell.name).second && plan_.reason.empty())
        add(cell, false);
    for (const Cell& cell : target_.outputs)
      if (const Parameter* parameter = with(cell.offset);
          parameter && parameter->passing != Passing::value && plan_.reason.empty() && names.insert(cell.name).second)
        add(cell, true);
    for (size_t i = plan_.inputs.size(); i-- > 0;)
      if (plan_.reason.empty() && plan_.inputs[i].place.is_array && plan_.inputs[i].place.dimensions == 0)
        find_length(i);
    if (plan_.reason.empty() && plan_.inputs.empty())
      plan_.reason = "it has no inputs";
    if (plan_.inputs.size() > most_inputs)
      plan_.reason = fmt::format("it has {} inputs, more than {}", plan_.inputs.size(), most_inputs);
    return plan_;
  }

private:
  static uint64_t bytes_of(const Parameter& parameter) {
    return parameter.passing == Passing::value ? parameter.type.bytes() : parameter.bytes;
  }

  const Parameter* with(uint64_t offset) const {
    const auto found = std::ranges::find_if(target_.parameters, [&](const Parameter& parameter) {
      return offset >= parameter.offset && offset < parameter.offset + bytes_of(parameter) &&
             parameter.passing != Passing::absent && parameter.passing != Passing::address;
    });
    return found == target_.parameters.end() ? nullptr : &*found;
  }

  int32_t slot_of(const Parameter& parameter) const { return slots_[size_t(&parameter - target_.parameters.data())]; }

  void add(const Cell& cell, bool may_be_output) {
    const Parameter* parameter = with(cell.offset);
    const std::optional<ValueType> type = value_type_of(cell.type);
    if ((!parameter || !type) && may_be_output)
      return;
    if (!parameter || !type) {
      plan_.reason = fmt::format("{} is of a type that is not recorded", cell.name);
      return;
    }
    const bool text = !cell.type.floating && cell.type.bits == 8; // its first character counts
    const bool unknown = (parameter->sized_by == model::SizedBy::unknown && !text) ||
                         parameter->passing == Passing::descriptor || parameter->passing == Passing::slice;
    const std::string array = model::array_of(cell.name);
    if (unknown && !plan_.inputs.empty() && plan_.inputs.back().place.is_array && plan_.inputs.back().name == array)
      return; // another element
    if (text && parameter->sized_by == model::SizedBy::unknown && model::array_cell(cell.name) &&
        model::array_cell(cell.name)->index > 0)
      return;
    if (unknown && !model::array_cell(cell.name)) {
      if (may_be_output)
        return;
      plan_.reason = fmt::format("{} is an array of structs of unknown length", parameter->name);
      return;
    }
    Input input{unknown || (text && parameter->sized_by == model::SizedBy::unknown) ? array : cell.name};
    input.place = {.name = nullptr,
                   .type = *type,
                   .is_array = unknown,
                   .is_behind = parameter->passing != Passing::value,
                   .may_be_output = may_be_output,
                   .dimensions = uint8_t(parameter->passing == Passing::descriptor ? parameter->extents.size() : 0),
                   .argument = 0,
                   .place = cell.offset - parameter->offset,
                   .field = -1,
                   .lengths = {-1, -1},
                   .stride = -1,
                   .times = 1};
    const Parameter* argument = parameter;
    if (parameter->stored_at) {
      argument = with(*parameter->stored_at);
      if (!argument || argument->stored_at) {
        plan_.reason = fmt::format("{} is behind several pointers", cell.name);
        return;
      }
      input.place.field = int64_t(*parameter->stored_at - argument->offset);
    }
    input.place.argument = uint32_t(slot_of(*argument));
    plan_.inputs.push_back(input);
    arrays_.resize(plan_.inputs.size(), nullptr);
    arrays_.back() = parameter;
    if (parameter->passing == Passing::slice)
      add_length_of_slice(*parameter);
  }

  // Rust passes the length as the next argument.
  void add_length_of_slice(const Parameter& parameter) { plan_.reason = fmt::format("{} is a slice", parameter.name); }

  std::optional<int32_t> integer(const std::string& name) const {
    for (size_t i = 0; i < plan_.inputs.size(); ++i)
      if (const Input& input = plan_.inputs[i]; !input.place.is_array && !input.place.may_be_output &&
                                                input.place.type >= ValueType::int8 &&
                                                llvm::StringRef(input.name).equals_insensitive(name))
        return int32_t(i);
    return {};
  }

  // The length is the product of these integers and a number. False if they are not such inputs.
  bool has_declared_length(RecordedInput& place, const Parameter& array) const {
    size_t found = 0;
    for (const std::string& extent : array.declared_extents) {
      const std::optional<int32_t> length = integer(extent);
      if (!extent.empty() && extent.size() < 9 && std::ranges::all_of(extent, ::isdigit))
        place.times *= std::stoul(extent);
      else if (length && found < std::size(place.lengths))
        place.lengths[found++] = *length;
      else
        return false;
    }
    return !array.declared_extents.empty();
  }

  std::optional<int32_t> first_of(const std::string& base, const std::vector<std::string>& names) const {
    for (const std::string& name : names)
      if (const std::optional<int32_t> found = integer(base + name))
        return found;
    return {};
  }

  // By the declaration, x(n) or a[n][m], and else by the name of an integer. A wrong guess reads what is behind the
  // array.
  void find_length(size_t index) {
    RecordedInput& place = plan_.inputs[index].place;
    const std::string name = plan_.inputs[index].name;
    const size_t dot = name.rfind('.');
    const std::string base = name.substr(0, dot == std::string::npos ? 0 : dot + 1), own = name.substr(base.size());
    if (!has_declared_length(place, *arrays_[index])) {
      place.times = 1;
      const std::optional<int32_t> length =
          first_of(base, {"n" + own, own + "_len", own + "_length", own + "_size", own + "_n", "len_" + own, "n", "len",
                          "length", "size", "count", "num", "npts"});
      place.lengths[0] = length.value_or(-1);
      place.lengths[1] = -1;
      if (!length && !place.may_be_output)
        plan_.reason = fmt::format("the length of {} is not known", name);
      if (!length)
        leave_out(index);
      if (!length)
        return;
    }
    place.stride = first_of(base, {own + "_stride", "stride" + own, "inc" + own, "stride", "inc"}).value_or(-1);
  }

  // Only what is behind all lengths: find_length() goes from the end.
  void leave_out(size_t index) {
    for (Input& input : plan_.inputs)
      for (int32_t* length : {&input.place.lengths[0], &input.place.lengths[1], &input.place.stride})
        *length -= *length > int32_t(index);
    plan_.inputs.erase(plan_.inputs.begin() + long(index));
    arrays_.erase(arrays_.begin() + long(index));
  }

  const Target& target_;
  Plan plan_;
  std::vector<int32_t> slots_;           // of parameters
  std::vector<const Parameter*> arrays_; // of inputs
};

// Writes the hook of one function.
class Hook {
public:
  Hook(llvm::Function& function, const Target& target, const Plan& plan)
      : function_(function), target_(target), plan_(plan), module_(*function.getParent()),
        context_(function.getContext()) {}

  void add() {
    llvm::GlobalVariable* described = describe();
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::Instruction* first = &*entry.getFirstNonPHIOrDbgOrAlloca();
    llvm::IRBuilder<> builder(first);
    builder.SetCurrentDebugLocation({});
    llvm::Value* calls =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), described, offsetof(RecordedFunction, calls));
    llvm::Value* next =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), described, offsetof(RecordedFunction, next));
    llvm::Value* number = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), calls), builder.getInt64(1));
    builder.CreateStore(number, calls);
    llvm::Value* is_noted = builder.CreateICmpUGT(number, builder.CreateLoad(builder.getInt64Ty(), next));
    llvm::IRBuilder<> top(&entry, entry.begin());
    top.SetCurrentDebugLocation({});
    const auto slots = unsigned(plan_.reason.empty() ? function_.arg_size() : 0);
    llvm::AllocaInst* block = top.CreateAlloca(llvm::ArrayType::get(top.getInt8Ty(), slots * slot_bytes));
    block->setAlignment(llvm::Align(16));
    llvm::MDNode* rarely = llvm::MDBuilder(context_).createBranchWeights(1, 1000);
    llvm::IRBuilder<> noted(llvm::SplitBlockAndInsertIfThen(is_noted, first->getIterator(), false, rarely));
    noted.SetCurrentDebugLocation({});
    for (unsigned i = 0; i < slots; ++i)
      store(noted, *function_.getArg(i), noted.CreateConstInBoundsGEP1_64(noted.getInt8Ty(), block, i * slot_bytes));
    const llvm::FunctionCallee runtime = module_.getOrInsertFunction(
        hook_symbol, llvm::FunctionType::get(noted.getVoidTy(), {noted.getPtrTy(), noted.getPtrTy()}, false));
    noted.CreateCall(runtime, {described, block});
    // It may write memory, and is no longer pure.
    function_.setMemoryEffects(llvm::MemoryEffects::unknown());
    for (const llvm::Attribute::AttrKind kind :
         {llvm::Attribute::NoSync, llvm::Attribute::NoFree, llvm::Attribute::NoRecurse, llvm::Attribute::WillReturn,
          llvm::Attribute::Speculatable})
      function_.removeFnAttr(kind);
  }

private:
  static void store(llvm::IRBuilder<>& builder, llvm::Argument& argument, llvm::Value* slot) {
    llvm::Type* type = argument.getType();
    llvm::Value* value = &argument;
    if (auto* integer = llvm::dyn_cast<llvm::IntegerType>(type); integer && integer->getBitWidth() < 64)
      value = builder.CreateZExt(value, builder.getInt64Ty());
    else if (type->isVectorTy() || type->isAggregateType() || (integer && integer->getBitWidth() > 64))
      return; // no input is in it
    builder.CreateStore(value, slot);
  }

  llvm::Constant* text(const std::string& content) {
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(context_, content);
    auto* variable =
        new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes);
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return variable;
  }

  // A constant of a struct of the header, member by member.
  struct Members {
    llvm::LLVMContext& context;
    std::vector<llvm::Constant*> values = {};
    void integer(unsigned bits, uint64_t value) {
      values.push_back(llvm::ConstantInt::get(llvm::IntegerType::get(context, bits), value));
    }
    llvm::Constant* all() const { return llvm::ConstantStruct::getAnon(context, values); }
  };

  llvm::Constant* described(const Input& input) {
    const RecordedInput& place = input.place;
    Members members{context_, {text(input.name)}};
    for (const uint8_t byte : {uint8_t(place.type), uint8_t(place.is_array), uint8_t(place.is_behind),
                               uint8_t(place.may_be_output), place.dimensions})
      members.integer(8, byte);
    members.integer(32, place.argument);
    members.integer(64, place.place);
    members.integer(64, uint64_t(place.field));
    for (const int32_t index : {place.lengths[0], place.lengths[1], place.stride})
      members.integer(32, uint32_t(index));
    members.integer(64, place.times);
    return members.all();
  }

  llvm::GlobalVariable* describe() {
    std::vector<llvm::Constant*> inputs;
    if (plan_.reason.empty())
      for (const Input& input : plan_.inputs)
        inputs.push_back(described(input));
    llvm::Constant* null = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context_));
    llvm::Constant* list = null;
    if (!inputs.empty()) {
      llvm::Constant* array =
          llvm::ConstantArray::get(llvm::ArrayType::get(inputs.front()->getType(), inputs.size()), inputs);
      list = new llvm::GlobalVariable(module_, array->getType(), true, llvm::GlobalValue::PrivateLinkage, array);
    }
    Members members{context_,
                    {text(target_.symbol), text(model::before_parameters(target_.function)), text(target_.file),
                     plan_.reason.empty() ? null : text(plan_.reason), list}};
    members.integer(32, uint32_t(target_.line));
    members.integer(32, inputs.size());
    for (int i = 0; i < 3; ++i)
      members.integer(64, 0);
    members.integer(32, 0);
    members.integer(32, 0);
    llvm::Constant* content = members.all();
    return new llvm::GlobalVariable(module_, content->getType(), false, llvm::GlobalValue::PrivateLinkage, content);
  }

  llvm::Function& function_;
  const Target& target_;
  const Plan& plan_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
};

static_assert(sizeof(RecordedInput) == 64 && sizeof(RecordedFunction) == 80, "as the constants are laid out");

// As in program/program.cpp: what another file could call.
bool is_recorded(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasLocalLinkage() && !function.hasAvailableExternallyLinkage() &&
         !function.hasLinkOnceODRLinkage() && function.getName() != "main" && function.getName() != "_QQmain" &&
         function.getSubprogram() && !function.hasFnAttribute(llvm::Attribute::Naked);
}

} // namespace

void add_call_hooks(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (is_recorded(function))
      functions.push_back(&function);
  std::vector<Target> targets; // all, before the code changes
  for (const llvm::Function* function : functions)
    targets.push_back(program::discover(*function, [](const Target&) { return model::Shapes(); }));
  for (size_t i = 0; i < functions.size(); ++i) {
    Plan plan = Planner(targets[i]).plan();
    if (plan.reason.find('\n') != std::string::npos)
      plan.reason.resize(plan.reason.find('\n'));
    Hook(*functions[i], targets[i], plan).add();
  }
}

} // namespace faultline::run
