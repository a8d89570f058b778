#include "program/setup_function.h"

#include "base/error.h"
#include "program/debug_type.h"
#include "program/unit.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>

namespace faultline::program {

namespace {

base::UserError cannot(const std::string& name, const std::string& why) {
  return {
      base::status_usage, fmt::format("--setup {}: {}", name, why),
      "name a function that gets a pointer to the object, numbers and arrays, or that returns a pointer to a new one"};
}

const llvm::Function* find(const llvm::Module& module, const std::string& name) {
  const llvm::Function* found = module.getFunction(name);
  for (const llvm::Function& other : module)
    if (!found && model::before_parameters(llvm::demangle(other.getName().str())) == name)
      found = &other;
  if (!found || (found->isDeclaration() && !found->isMaterializable()))
    return nullptr;
  materialize(const_cast<llvm::Function&>(*found)); // the module is read as far as it is needed
  return found;
}

// The name of the struct or class behind a pointer or a reference; empty for other types. A struct that is declared in
// several files is another one in each.
std::string object_type(const llvm::DIType* type) {
  const llvm::DIDerivedType* to = pointer(strip(type).type);
  const llvm::DICompositeType* object = to ? structure(strip(to->getBaseType()).type) : nullptr;
  if (!object)
    return {};
  const std::string name = object->getName().empty() ? type_text(to->getBaseType()) : object->getName().str();
  return name.starts_with("const ") ? name.substr(6) : name;
}

uint64_t place(model::Target& target, uint64_t bytes, uint64_t alignment) {
  const uint64_t offset = (target.block_bytes + alignment - 1) / alignment * alignment;
  target.block_bytes = offset + bytes;
  return offset;
}

} // namespace

SetupFunctions::SetupFunctions(const llvm::Module& module, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const llvm::Function* function = find(module, name))
      made_.push_back(read(*function, name));
}

SetupFunctions::Made SetupFunctions::read(const llvm::Function& function, const std::string& name) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  const auto types = subprogram && subprogram->getType() ? subprogram->getType()->getTypeArray() : nullptr;
  if (types.size() == 0)
    throw cannot(name, "it has no debug information");
  if (function.arg_size() + 1 != types.size() || function.isVarArg())
    throw cannot(name, "its arguments are not all numbers and pointers");
  Made made{object_type(types[0]), {.function = name, .symbol = function.getName().str()}};
  made.setup.returns_object = !made.type.empty();
  const std::vector<std::string> names = parameter_names(function, types.size() - 1);
  std::string refused;
  if (const std::optional<model::Type> result = scalar(strip(types[0]).type, refused); result && !result->floating)
    made.setup.succeeds = result->bits == 1 || (result->bits == 8 && !result->is_signed) ? model::Success::not_zero
                                                                                         : model::Success::zero;
  for (unsigned i = 1; i < types.size(); ++i) {
    model::Parameter argument{.name = fmt::format("{}.{}", name, names[i - 1]), .type_name = type_text(types[i])};
    if (const std::optional<model::Type> number = scalar(strip(types[i]).type, refused)) {
      argument.type = *number;
    } else if (const std::string object = object_type(types[i]); !object.empty() && made.type.empty()) {
      made.type = object;
      argument.passing = model::Passing::pointer;
    } else if (const llvm::DIDerivedType* to = pointer(strip(types[i]).type);
               to && scalar(strip(to->getBaseType()).type, refused)) {
      argument.passing = model::Passing::address;
    } else {
      throw cannot(name, fmt::format("its argument {} ({}) is no number", names[i - 1], argument.type_name));
    }
    made.setup.parameters.push_back(std::move(argument));
    made.types.push_back(types[i]);
  }
  if (made.type.empty())
    throw cannot(name, "it neither gets nor returns a pointer to a struct");
  return made;
}

bool SetupFunctions::lay_out(model::Target& target, model::Parameter& parameter, const llvm::DIType* type,
                             Layout& layout) const {
  const std::string object = object_type(type);
  const auto made = std::ranges::find(made_, object, &Made::type);
  if (object.empty() || made == made_.end())
    return false;
  model::Setup setup = made->setup;
  setup.makes = parameter.name;
  const StrippedType pointee = strip(pointer(strip(type).type)->getBaseType());
  const llvm::DICompositeType& fields = *structure(pointee.type);
  const uint64_t bytes = fields.getSizeInBits() / 8;
  parameter.type_name = type_text(type);
  if (!setup.returns_object && bytes == 0)
    throw cannot(setup.function, fmt::format("the size of {} is not known", object));
  parameter.passing = setup.returns_object ? model::Passing::address : model::Passing::pointer;
  parameter.bytes = setup.returns_object ? sizeof(void*) : bytes;
  parameter.offset = place(target, parameter.bytes, 16);
  std::vector<model::Cell> cells;
  std::vector<Unmade> unmade;
  if (!setup.returns_object && !pointee.constant &&
      field_cells(fields, parameter.name, parameter.offset, cells, &unmade) && are_inside(cells, target.block_bytes))
    add_outputs(target, cells);
  for (size_t i = 0; i < setup.parameters.size(); ++i) {
    model::Parameter& argument = setup.parameters[i];
    if (argument.passing == model::Passing::address) {
      argument.offset = place(target, sizeof(void*), sizeof(void*));
      layout.give_memory({argument.name, strip(made->types[i]).type, argument.offset, sizeof(void*)});
    } else if (argument.passing == model::Passing::value) {
      argument.offset = place(target, argument.type.bytes(), argument.type.bytes());
      target.inputs.push_back({argument.name, argument.type, argument.offset, true});
    }
  }
  target.setups.push_back(std::move(setup));
  return true;
}

} // namespace faultline::program
