#include "program/program.h"

#include "base/error.h"
#include "program/bounds_check.h"
#include "program/debug_type.h"
#include "program/descriptor.h"
#include "program/discover.h"
#include "program/first_use.h"
#include "program/harness_note.h"
#include "program/linking.h"
#include "program/load_files.h"
#include "program/reduce.h"
#include "program/shown_symbol.h"
#include "program/unit.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/SHA256.h>
#include <map>
#include <set>

namespace faultline::program {

using llvm::Value;

namespace {

// Assignments of whole arrays in Fortran, y = x * x - 1: flang computes the right side into a temporary array, which
// its runtime library copies. The library is not instrumented, so the data flow would end there.
//
// After each such call, an instrumented instruction copies the elements once more, which does not change memory. Its
// length is 0 if the elements are not floats, the two arrays have different types or shapes, are not contiguous or
// overlap, or an allocatable array was reallocated: the right side may have been a part of the old array, which is
// gone.
using Builder = llvm::IRBuilder<>;

constexpr uint64_t most_dimensions = 4;

// Computes the number of bytes to copy, without branches and selects: they would be decisions of the program under
// test.
Value* length_of_copy(Builder& builder, DescribedArray& to, DescribedArray& from, Value* target, Value* source) {
  Value* fits = builder.CreateAnd(builder.CreateICmpEQ(to.kind(), from.kind()),
                                  builder.CreateICmpEQ(to.element_bytes(), from.element_bytes()));
  fits = builder.CreateAnd(fits, builder.CreateICmpULE(to.rank(), builder.getInt64(most_dimensions)));
  fits = builder.CreateAnd(fits, to.is_float());
  Value* bytes = to.element_bytes();
  for (uint64_t dimension = 0; dimension < most_dimensions; ++dimension) {
    Value* there = to.has(dimension);
    Value* extent = to.extent(dimension);
    Value* contiguous = builder.CreateAnd(builder.CreateICmpEQ(to.stride(dimension), bytes),
                                          builder.CreateICmpEQ(from.stride(dimension), bytes));
    Value* alike = builder.CreateAnd(contiguous, builder.CreateICmpEQ(extent, from.extent(dimension)));
    fits = builder.CreateAnd(fits, builder.CreateOr(alike, builder.CreateIsNull(there)));
    bytes = builder.CreateMul(
        bytes, builder.CreateOr(builder.CreateAnd(extent, there), builder.CreateAnd(builder.CreateNot(there), 1)));
  }
  Value* first = builder.CreatePtrToInt(target, builder.getInt64Ty());
  Value* other = builder.CreatePtrToInt(source, builder.getInt64Ty());
  Value* apart = builder.CreateOr(builder.CreateICmpULE(builder.CreateAdd(first, bytes), other),
                                  builder.CreateICmpULE(builder.CreateAdd(other, bytes), first));
  return builder.CreateAnd(bytes, builder.CreateSExt(builder.CreateAnd(fits, apart), builder.getInt64Ty()));
}

void copy_again(llvm::CallInst& assignment) {
  Builder builder(&assignment);
  Value* before = builder.CreateLoad(builder.getPtrTy(), assignment.getArgOperand(0));
  builder.SetInsertPoint(assignment.getNextNode());
  DescribedArray to(builder, assignment.getArgOperand(0)), from(builder, assignment.getArgOperand(1));
  Value *target = to.address(), *source = from.address();
  Value* kept = builder.CreateOr(builder.CreateICmpEQ(before, target), builder.CreateIsNull(before));
  Value* length = builder.CreateAnd(length_of_copy(builder, to, from, target, source),
                                    builder.CreateSExt(kept, builder.getInt64Ty()));
  builder.CreateMemMove(target, llvm::MaybeAlign(1), source, llvm::MaybeAlign(1), length);
}

void follow_array_assignments(llvm::Module& module) {
  llvm::Function* assign = module.getFunction("_FortranAAssign");
  if (!assign || !assign->isDeclaration())
    return;
  std::vector<llvm::CallInst*> assignments;
  for (llvm::User* user : assign->users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == assign)
      assignments.push_back(call);
  for (llvm::CallInst* call : assignments)
    if (call->arg_size() >= 2 && call->getArgOperand(1)->getType()->isPointerTy())
      copy_again(*call);
}

// Loads a number from the block.
llvm::Value* loaded(llvm::IRBuilder<>& builder, const model::Type& type, llvm::Type* wanted, llvm::Value* cell) {
  if (type.floating)
    return builder.CreateLoad(wanted, cell);
  llvm::Value* number = builder.CreateLoad(builder.getIntNTy(unsigned(type.bits)), cell);
  return type.is_signed ? builder.CreateSExtOrTrunc(number, wanted) : builder.CreateZExtOrTrunc(number, wanted);
}

// Builds the descriptor in a local variable: extents remain constants for instrument/provenance.h, so that loops over
// them are not decisions.
llvm::Value* described(llvm::IRBuilder<>& builder, llvm::Value* elements, const model::Parameter& parameter) {
  const std::vector<uint64_t> words = descriptor_words(parameter);
  llvm::Value* descriptor = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt64Ty(), words.size()));
  builder.CreateStore(elements, descriptor);
  for (size_t i = 1; i < words.size(); ++i)
    builder.CreateStore(builder.getInt64(words[i]),
                        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), descriptor, i));
  return descriptor;
}

// Calls the function that makes an object. Returns from the driver if it fails.
void call_setup(llvm::IRBuilder<>& builder, const model::Setup& setup, const model::Parameter& object,
                llvm::Function& function, const std::function<llvm::Value*(uint64_t)>& cell) {
  std::vector<llvm::Value*> arguments;
  for (const model::Parameter& argument : setup.parameters) {
    llvm::Type* wanted = function.getArg(unsigned(arguments.size()))->getType();
    arguments.push_back(argument.passing == model::Passing::pointer ? cell(object.offset)
                        : argument.passing == model::Passing::address
                            ? builder.CreateLoad(wanted, cell(argument.offset))
                            : loaded(builder, argument.type, wanted, cell(argument.offset)));
  }
  llvm::CallInst* call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes());
  if (setup.returns_object)
    builder.CreateStore(call, cell(object.offset));
  if (!setup.returns_object && (setup.succeeds == model::Success::unknown || call->getType()->isVoidTy()))
    return;
  llvm::Value* zero = llvm::Constant::getNullValue(call->getType());
  const bool zero_fails = setup.returns_object || setup.succeeds == model::Success::not_zero;
  llvm::Function* driver = builder.GetInsertBlock()->getParent();
  auto* failed = llvm::BasicBlock::Create(builder.getContext(), "", driver);
  auto* made = llvm::BasicBlock::Create(builder.getContext(), "", driver);
  builder.CreateCondBr(zero_fails ? builder.CreateICmpEQ(call, zero) : builder.CreateICmpNE(call, zero), failed, made);
  builder.SetInsertPoint(failed);
  builder.CreateRetVoid();
  builder.SetInsertPoint(made);
}

// Adds `void faultline_driver(ptr block)`, which calls the target with arguments from the argument block and stores
// its results there. It is instrumented like all other code, so inputs enter the tape and outputs leave it as ordinary
// loads and stores of the block.
llvm::Function* add_driver(llvm::Function& function, const model::Target& target, llvm::StringRef name) {
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
  auto* driver = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  driver->addFnAttr(llvm::Attribute::NoInline);
  driver->setUWTableKind(llvm::UWTableKind::Async); // exceptions of the target pass through it
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", driver));
  llvm::Value* block = driver->getArg(0);
  auto cell = [&](uint64_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset); };

  for (const model::Parameter& parameter : target.parameters)
    if (parameter.stored_at)
      builder.CreateStore(parameter.passing == model::Passing::address
                              ? builder.CreateLoad(builder.getPtrTy(), cell(parameter.offset))
                              : cell(parameter.offset),
                          cell(*parameter.stored_at));
  for (const model::Setup& setup : target.setups)
    call_setup(builder, setup, *std::ranges::find(target.parameters, setup.makes, &model::Parameter::name),
               *module.getFunction(setup.symbol), cell);
  std::vector<llvm::Value*> arguments;
  if (target.returned_by_pointer)
    arguments.push_back(cell(target.return_offset));
  for (const model::Parameter& parameter : target.parameters) {
    if (parameter.stored_at)
      continue;
    llvm::Type* wanted = function.getArg(unsigned(arguments.size()))->getType();
    if (parameter.passing == model::Passing::pointer || parameter.passing == model::Passing::slice)
      arguments.push_back(cell(parameter.offset));
    else if (parameter.passing == model::Passing::address)
      arguments.push_back(builder.CreateLoad(wanted, cell(parameter.offset)));
    else if (parameter.passing == model::Passing::descriptor)
      arguments.push_back(described(builder, cell(parameter.offset), parameter));
    else if (parameter.passing == model::Passing::absent)
      arguments.push_back(llvm::Constant::getNullValue(wanted));
    else
      arguments.push_back(loaded(builder, parameter.type, wanted, cell(parameter.offset)));
    if (parameter.passing == model::Passing::slice)
      arguments.push_back(builder.getInt64(parameter.count));
  }
  llvm::CallInst* call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes());
  if (!function.getReturnType()->isVoidTy())
    builder.CreateStore(call, cell(target.return_offset));
  builder.CreateRetVoid();
  return driver;
}

// Returns a hint with the nearest names.
std::string nearest_names(const llvm::Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() && !function.isMaterializable())
      continue;
    names.push_back(shown_symbol(function.getName().str()));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string> close = base::nearest(name, names);
  if (close.empty())
    return "faultline list shows the names there are";
  return fmt::format("the nearest names: {}; faultline list shows all", fmt::join(close, ", "));
}

base::UserError no_such_function(const llvm::Module& module, const std::string& name) {
  return base::UserError(base::status_unsuitable, fmt::format("there is no function '{}'", name),
                         nearest_names(module, name));
}

// Shortens C++ names that stay unique: ns::f(double) becomes ns::f unless it is overloaded.
void shorten(std::vector<model::Target>& targets) {
  std::map<std::string, int> uses;
  for (const model::Target& target : targets)
    ++uses[model::before_parameters(target.function)];
  for (model::Target& target : targets)
    if (uses[model::before_parameters(target.function)] == 1)
      target.function = model::before_parameters(target.function);
}

std::string module_bitcode(llvm::Module& module) {
  materialize_all(module);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return bitcode;
}

// Links the units of a build once, since linking reads them whole. A target then reads only what it needs.
Unit linked_unit(const std::vector<Unit>& units, const std::string& file) {
  ReaderGuard guard(file);
  const Linked linked = link(units);
  return Unit::of_build(file, module_bitcode(*linked.module));
}

bool is_own(const llvm::Function& function) {
  if (function.isDeclaration() && !function.isMaterializable())
    return false;
  return !function.hasLocalLinkage() && !function.hasAvailableExternallyLinkage() &&
         !function.hasLinkOnceODRLinkage() && function.getName() != "main" && function.getName() != "_QQmain";
}

// Renames the program's own symbols that begin with faultline_, since the driver, the tape and the functions that
// instrumented code calls are found by name.
void make_way(llvm::Module& module) {
  for (llvm::GlobalValue& value : module.global_values())
    if (value.getName().starts_with("faultline_") && (!value.isDeclaration() || value.isMaterializable()))
      value.setName("own." + value.getName());
}

} // namespace

Program::Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Program Program::load(const Sources& sources) {
  if (sources.files.empty())
    throw base::UserError(base::status_usage, "no source file given",
                          "name a .c, .cpp, .f90, .ll or .bc file, or a file that a build with faultline cc made");
  Program program;
  program.files_ = sources.files;
  program.as_written_ = sources.as_written;
  Sources others = sources; // all files that are not machine code
  std::erase_if(others.files, is_machine_code);
  if (!others.files.empty()) {
    LoadedFiles loaded = load_files(others);
    program.units_ = std::move(loaded.units);
    program.left_out_ = std::move(loaded.left_out);
    program.remarks_ = std::move(loaded.remarks);
  }
  for (const std::string& file : sources.files)
    if (is_machine_code(file))
      program.add_built(file, sources);
  if (program.captured_.any() && program.units_.size() > 1)
    program.units_ = {linked_unit(program.units_, sources.files.front())};
  program.execution_ = std::make_unique<Linked>(link(program.units_, &program.remarks_));
  return program;
}

std::string Program::left_out_remark() const {
  if (left_out_.empty())
    return {};
  constexpr size_t most = 8; // names
  const std::vector<std::string> named(left_out_.begin(), left_out_.begin() + long(std::min(left_out_.size(), most)));
  return fmt::format("{} of {} files {} left out, as {} not compile: {}{}", left_out_.size(), files_.size(),
                     left_out_.size() == 1 ? "is" : "are", left_out_.size() == 1 ? "it does" : "they do",
                     fmt::join(named, ", "), left_out_.size() > most ? ", ..." : "");
}

llvm::Module& Program::analysis_module() {
  if (!analysis_)
    analysis_ = std::make_unique<Linked>(link(units_));
  return *analysis_->module;
}

const HarnessNotes& Program::notes() {
  if (!notes_)
    notes_ = std::make_unique<const HarnessNotes>(notes_in(analysis_module()));
  return *notes_;
}

// The user's sizes take precedence over those of the declaration.
ShapesOf Program::shapes_for(const model::Sizes& sizes, const model::Aliases& aliases) {
  ShapesOf given =
      shapes_of_ ? shapes_of_ : [shapes = model::Shapes{sizes, aliases}](const model::Target&) { return shapes; };
  return [given, &notes = notes()](const model::Target& target) {
    model::Shapes shapes = given(target);
    for (const ConstantExtents& one : notes.extents)
      if (one.symbol == target.symbol)
        shapes.declared.emplace(one.parameter, one.extents);
    return shapes;
  };
}

// Describes the target of a function: called directly if possible, otherwise through its harness if there is one.
model::Target Program::target_of(const llvm::Function& function, const ShapesOf& shapes_of) {
  model::Target target = discover(function, shapes_of);
  const HarnessNote* note = notes().of_function(target.symbol);
  const bool directly = !note || target.huntable() || (as_written_ && target.can_be_called) ||
                        (target.obstacle != model::Obstacle::harness && !note->exists());
  if (directly && !(note && note->misread))
    return target;
  llvm::Function* harness = analysis_module().getFunction(note->name);
  if (harness)
    materialize(*harness);
  model::Target by_harness = harnessed(harness, *note, shapes_of);
  by_harness.function = target.function; // with the parameters, which overloads need
  if (by_harness.parameters.empty())
    by_harness.parameters = target.parameters; // their names, which --size may refer to
  return by_harness;
}

std::vector<model::Target> Program::targets(const model::Sizes& sizes, const model::Aliases& aliases) {
  ReaderGuard guard(files_.front());
  llvm::Module& module = analysis_module();
  materialize_all(module);
  std::vector<model::Target> targets;
  const ShapesOf shapes_of = shapes_for(sizes, aliases);
  const bool any_debug = std::any_of(
      module.begin(), module.end(), [](const llvm::Function& function) { return function.getSubprogram() != nullptr; });
  std::set<std::string> called;
  for (const llvm::Function& function : module)
    if (is_own(function) && (function.getSubprogram() || !any_debug) && !notes().named(function.getName().str())) {
      targets.push_back(target_of(function, shapes_of));
      targets.back().hidden = function.hasHiddenVisibility();
      called.insert(function.getName().str());
    }
  std::set<std::string> instantiated; // by the source itself
  for (const model::Target& target : targets)
    instantiated.insert(cxx_name(target.symbol).plain);
  for (const HarnessNote& note : notes().harnesses)
    if (note.symbol.empty() ? !instantiated.contains(without_template_arguments(note.function))
                            : !called.contains(note.symbol))
      targets.push_back(harnessed(module.getFunction(note.name), note, shapes_of));
  auto place = [this](const model::Target& target) {
    auto file = std::find(files_.begin(), files_.end(), target.file);
    return std::tuple(file - files_.begin(), target.file, target.line, target.symbol);
  };
  std::sort(targets.begin(), targets.end(),
            [&](const model::Target& a, const model::Target& b) { return place(a) < place(b); });
  shorten(targets);
  return targets;
}

std::vector<model::Target> Program::named(const std::string& name, const model::Sizes& sizes,
                                          const model::Aliases& aliases) {
  ReaderGuard guard(files_.front());
  llvm::Function* function = analysis_module().getFunction(name);
  if (!function)
    function = analysis_module().getFunction(name + "_");
  if (function && (!function->isDeclaration() || function->isMaterializable())) {
    materialize(*function);
    // How a function uses its arrays and results may depend on functions that it calls.
    if (function->getSubprogram() && is_fortran(*function->getSubprogram()))
      materialize_all(analysis_module());
    else
      materialize_takers(*function);
    model::Target target = target_of(*function, shapes_for(sizes, aliases));
    target.function = model::before_parameters(target.function);
    return {std::move(target)};
  }
  std::vector<model::Target> found = called(name, targets(sizes, aliases));
  if (found.empty())
    throw no_such_function(analysis_module(), name);
  if (name.find('(') != std::string::npos)
    found.back().function = name; // of several, requested by its full name
  if (std::ranges::any_of(found, &model::Target::huntable))
    std::erase_if(found, [](const model::Target& target) { return !target.huntable(); });
  return found;
}

std::vector<model::Target> Program::find(const std::vector<std::string>& names, const model::Sizes& sizes,
                                         bool callable, const model::Aliases& aliases) {
  std::vector<model::Target> found, unfit;
  for (const std::string& name : names) {
    std::ranges::move(named(name, sizes, aliases), std::back_inserter(found));
    if (!(callable ? found.back().can_be_called : found.back().suitable()))
      unfit.push_back(found.back());
  }
  if (unfit.empty())
    return found;
  check_aliases(found, aliases); // a wrong alias may be the reason
  check_sizes(found, sizes);
  throw base::UserError(base::status_unsuitable,
                        fmt::format("{}: {}", unfit.front().function, unfit.front().unsuitable));
}

model::Target Program::laid_out(const model::Target& target, const model::Shapes& shapes) {
  ReaderGuard guard(files_.front());
  const llvm::Function* function = analysis_module().getFunction(target.symbol);
  const ShapesOf declared = shapes_for(shapes.sizes, shapes.aliases);
  model::Target anew = discover(*function, [&](const model::Target& found) {
    return model::Shapes{shapes.sizes, shapes.aliases, declared(found).declared, declared(found).setups};
  });
  anew.function = target.function;
  anew.hidden = target.hidden;
  return anew;
}

llvm::Function* Program::function(const std::string& name) {
  llvm::Function* function = analysis_module().getFunction(name);
  if (!function)
    function = analysis_module().getFunction(name + "_");
  for (llvm::Function& other : analysis_module())
    if (!function && model::before_parameters(llvm::demangle(other.getName().str())) == name)
      function = &other;
  if (!function || (function->isDeclaration() && !function->isMaterializable()))
    throw no_such_function(analysis_module(), name);
  materialize(*function);
  return function;
}

void Program::reduce_to(const model::Target& target) {
  ReaderGuard guard(files_.front());
  llvm::Function* function = execution_->module->getFunction(target.symbol);
  materialize(*function);
  for (const model::Setup& setup : target.setups)
    materialize(*execution_->module->getFunction(setup.symbol));
  make_way(*execution_->module);
  llvm::GlobalValue* driver = add_driver(*function, target, driver_symbol);
  keep(driver, function);
  follow_array_assignments(*execution_->module);
  internalize(*execution_->module, driver);
  if (std::string use = unsupported_format(*execution_->module); !use.empty())
    throw base::UserError(
        base::status_unsuitable, use,
        "Faultline follows float, double and x86 long double; hunt in a version of the code that uses these");
}

void Program::keep(llvm::ArrayRef<llvm::GlobalValue*> roots, llvm::ArrayRef<const llvm::Function*> targets) {
  // In a library that a build has made, a file has many functions.
  drop_needless_constructors(*execution_->module, roots,
                             captured_.any() ? llvm::ArrayRef<const llvm::Function*>() : targets);
  drop_needless_assembly(*execution_->module, roots);
  std::unique_ptr<llvm::Module> part = take_reachable(*execution_->module, roots);
  (void)execution_->module.release(); // its context owns it and destroys it
  execution_->module = std::move(part);
}

std::string Program::bitcode_of(const std::vector<std::string>& symbols) {
  ReaderGuard guard(files_.front());
  std::vector<llvm::GlobalValue*> roots;
  std::vector<const llvm::Function*> targets;
  for (const std::string& symbol : symbols) {
    targets.push_back(execution_->module->getFunction(function(symbol)->getName()));
    roots.push_back(execution_->module->getFunction(function(symbol)->getName()));
    materialize(*roots.back());
  }
  keep(roots, targets);
  internalize(*execution_->module, roots);
  llvm::Module& module = *execution_->module;
  expand_checks(module, module.getOrInsertFunction("abort", llvm::Type::getVoidTy(module.getContext())));
  llvm::StripDebugInfo(module); // the rest is incomplete
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*execution_->module, stream);
  return bitcode;
}

std::string Program::bitcode() {
  ReaderGuard guard(files_.front());
  return module_bitcode(analysis_module());
}

std::unique_ptr<llvm::LLVMContext> Program::take_context() { return std::move(execution_->context); }
std::unique_ptr<llvm::Module> Program::take_module() { return std::move(execution_->module); }

namespace {

// Hashes of the code that a function can reach.
//
// A hash covers instructions, constants and initial values in the order in which they are reached. Names of symbols
// that the program defines are excluded, as linking changes those of static functions; names of undefined symbols are
// included. Types are hashed by structure. Debug information is excluded: a comment that moves lines changes no code.
// The lines have a separate hash, which shows that recorded places are out of date. Static constructors are included if
// they reach a variable that the function reaches.
//
// The object serves one module and reads the content of each value once.
class ReachHashes {
public:
  explicit ReachHashes(llvm::Module& module);

  // Throws UserError if the bitcode is damaged.
  ReachHash of(llvm::Function& function);

private:
  struct Own {
    std::string code, places;
    std::vector<llvm::GlobalValue*> names; // the values that it references, in order
  };
  struct Constructor {
    llvm::GlobalValue* function = nullptr;
    llvm::DenseSet<const llvm::GlobalValue*> variables; // reached by it
  };
  class Walk;
  const Own& own(llvm::GlobalValue& value);

  llvm::DenseMap<const llvm::GlobalValue*, std::unique_ptr<const Own>> known_;
  std::vector<Constructor> constructors_;
};

class Digest {
public:
  void add(llvm::StringRef bytes) {
    number(bytes.size());
    hash_.update(bytes);
  }
  void number(uint64_t value) {
    hash_.update(llvm::ArrayRef(reinterpret_cast<const uint8_t*>(&value), sizeof value)); // all machines are x86-64
  }
  std::string text() { return llvm::toHex(hash_.final(), /*LowerCase=*/true); }

private:
  llvm::SHA256 hash_;
};

// Hashes what one function, variable or alias itself contains.
class ContentHasher {
public:
  explicit ContentHasher(std::vector<llvm::GlobalValue*>& names) : names_(names) {}

  void read(llvm::GlobalValue& value) {
    code_.number(value.getValueID());
    code_.number(value.isThreadLocal());
    if (auto* function = llvm::dyn_cast<llvm::Function>(&value))
      read_function(*function);
    else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      type(*variable->getValueType());
      code_.number(variable->isConstant());
      if (variable->hasInitializer())
        operand(*variable->getInitializer());
    } else
      for (llvm::Use& use : value.operands())
        operand(*use);
    if (value.isDeclaration())
      code_.add(value.getName());
  }
  std::string code() { return code_.text(); }
  std::string places() { return places_.text(); }

private:
  void read_function(llvm::Function& function) {
    materialize(function);
    type(*function.getFunctionType());
    attributes(function.getAttributes());
    code_.number(function.getCallingConv());
    if (const llvm::DISubprogram* program = function.getSubprogram()) {
      add_file(program->getFilename());
      places_.number(program->getLine());
    }
    for (llvm::Argument& argument : function.args())
      locals_.try_emplace(&argument, locals_.size());
    for (llvm::BasicBlock& block : function) {
      locals_.try_emplace(&block, locals_.size());
      for (llvm::Instruction& instruction : block)
        locals_.try_emplace(&instruction, locals_.size());
    }
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
          read_instruction(instruction);
    for (llvm::Use& use : function.operands()) // the personality function
      operand(*use);
  }

  void read_instruction(llvm::Instruction& instruction) {
    code_.number(instruction.getOpcode());
    code_.number(instruction.getRawSubclassOptionalData()); // nsw, exact, fast
    type(*instruction.getType());
    special(instruction);
    for (llvm::Use& use : instruction.operands())
      operand(*use);
    if (const llvm::DILocation* location = instruction.getDebugLoc()) {
      add_file(location->getFilename());
      places_.number(location->getLine());
      places_.number(location->getColumn());
    }
  }

  // Omits the folder: a copy of the sources elsewhere is equal.
  void add_file(llvm::StringRef path) { places_.add(path.substr(path.rfind('/') + 1)); }

  // Adds what is not among the operands.
  void special(const llvm::Instruction& instruction) {
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      code_.number(compare->getPredicate());
    else if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      type(*alloca->getAllocatedType());
    else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      type(*address->getSourceElementType());
    else if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
      numbers(extract->getIndices());
    else if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
      numbers(insert->getIndices());
    else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
      numbers(shuffle->getShuffleMask());
    else if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      code_.number(change->getOperation());
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      for (const llvm::BasicBlock* block : phi->blocks())
        code_.number(locals_.lookup(block));
    else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      attributes(call->getAttributes());
      code_.number(call->getCallingConv());
      type(*call->getFunctionType());
    } else if (const auto* landing = llvm::dyn_cast<llvm::LandingPadInst>(&instruction))
      code_.number(landing->isCleanup());
  }

  void numbers(auto&& values) {
    for (const auto value : values)
      code_.number(uint64_t(value));
  }

  void attributes(const llvm::AttributeList& list) {
    for (const unsigned index : list.indexes())
      code_.add(list.getAsString(index));
  }

  // A constant or type that has another one twice, and so on, doubles with each level.
  void count() {
    constexpr uint64_t most = 1 << 24;
    if (++read_ > most)
      throw base::UserError(base::status_unsuitable, "a function's constants and types are too many to be hashed");
  }

  void operand(llvm::Value& value) {
    count();
    code_.number(value.getValueID());
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(&value)) {
      names_.push_back(global);
    } else if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      read_constant(*constant);
    } else if (const auto found = locals_.find(&value); found != locals_.end()) {
      code_.number(found->second);
    } else if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(&value)) {
      code_.add(assembly->getAsmString());
      code_.add(assembly->getConstraintString());
    } else if (const auto* metadata = llvm::dyn_cast<llvm::MetadataAsValue>(&value)) {
      if (const auto* text = llvm::dyn_cast<llvm::MDString>(metadata->getMetadata()))
        code_.add(text->getString());
    }
  }

  void read_constant(llvm::Constant& constant) {
    type(*constant.getType());
    if (const auto* whole = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      bits(whole->getValue());
    else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      bits(number->getValueAPF().bitcastToAPInt());
    else if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant))
      code_.add(data->getRawDataValues());
    else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
      code_.number(expression->getOpcode());
      if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(expression))
        type(*address->getSourceElementType());
    }
    for (llvm::Use& use : constant.operands())
      operand(*use);
  }

  void bits(const llvm::APInt& value) {
    for (unsigned word = 0; word < value.getNumWords(); ++word)
      code_.number(value.getRawData()[word]);
  }

  // The names of structures are omitted, since linking changes them.
  void type(const llvm::Type& of) {
    count();
    code_.number(of.getTypeID());
    if (const auto* whole = llvm::dyn_cast<llvm::IntegerType>(&of))
      code_.number(whole->getBitWidth());
    else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&of))
      code_.number(array->getNumElements());
    else if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(&of))
      code_.number(vector->getElementCount().getKnownMinValue());
    else if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&of))
      code_.number(structure->isPacked());
    else if (const auto* function = llvm::dyn_cast<llvm::FunctionType>(&of))
      code_.number(function->isVarArg());
    code_.number(of.getNumContainedTypes());
    for (const llvm::Type* part : of.subtypes())
      type(*part);
  }

  std::vector<llvm::GlobalValue*>& names_;
  llvm::DenseMap<const llvm::Value*, uint64_t> locals_;
  Digest code_, places_;
  uint64_t read_ = 0;
};

const ReachHashes::Own& ReachHashes::own(llvm::GlobalValue& value) {
  std::unique_ptr<const Own>& known = known_[&value];
  if (!known) {
    auto own = std::make_unique<Own>();
    ContentHasher reading(own->names);
    reading.read(value);
    own->code = reading.code();
    own->places = reading.places();
    known = std::move(own);
  }
  return *known;
}

// Visits everything that a function reaches. Each value gets a number, which is hashed at every visit.
class ReachHashes::Walk {
public:
  explicit Walk(ReachHashes& hashes) : hashes_(hashes) {}

  void from(llvm::GlobalValue& value) {
    meet(value);
    for (; next_ < met_.size(); ++next_) {
      const Own& own = hashes_.own(*met_[next_]);
      code_.add(own.code);
      places_.add(own.places);
      for (llvm::GlobalValue* name : own.names)
        meet(*name);
    }
  }
  bool meets(const auto& values) const {
    return std::ranges::any_of(values, [&](const llvm::GlobalValue* value) { return numbers_.contains(value); });
  }
  bool has_met(const llvm::GlobalValue* value) const { return numbers_.contains(value); }
  const std::vector<llvm::GlobalValue*>& met() const { return met_; }
  ReachHash hash() { return {code_.text(), places_.text()}; }

private:
  void meet(llvm::GlobalValue& value) {
    const auto [place, is_new] = numbers_.try_emplace(&value, numbers_.size());
    code_.number(place->second);
    if (is_new)
      met_.push_back(&value);
  }

  ReachHashes& hashes_;
  Digest code_, places_;
  llvm::DenseMap<const llvm::GlobalValue*, uint64_t> numbers_;
  std::vector<llvm::GlobalValue*> met_;
  size_t next_ = 0;
};

ReachHashes::ReachHashes(llvm::Module& module) {
  const llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (!list || !list->hasInitializer())
    return;
  for (const llvm::Use& entry : list->getInitializer()->operands()) {
    const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    auto* function = fields ? llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts()) : nullptr;
    if (!function)
      continue;
    Walk walk(*this);
    walk.from(*function);
    Constructor constructor{function, {}};
    for (const llvm::GlobalValue* value : walk.met())
      if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value); variable && !variable->isConstant())
        constructor.variables.insert(variable);
    constructors_.push_back(std::move(constructor));
  }
}

ReachHash ReachHashes::of(llvm::Function& function) {
  Walk walk(*this);
  walk.from(function);
  for (bool more = true; more;) {
    more = false;
    for (const Constructor& constructor : constructors_)
      if (!walk.has_met(constructor.function) && walk.meets(constructor.variables)) {
        walk.from(*constructor.function);
        more = true;
      }
  }
  return walk.hash();
}

} // namespace

std::vector<ReachHash> Program::reach_hashes(const std::vector<model::Target>& targets) {
  ReaderGuard guard(files_.front());
  ReachHashes hashes(analysis_module());
  std::vector<ReachHash> all;
  for (const model::Target& target : targets) {
    llvm::Function* function = analysis_module().getFunction(target.symbol);
    all.push_back(function ? hashes.of(*function) : ReachHash());
  }
  return all;
}

} // namespace faultline::program
