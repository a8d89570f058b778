#include "program/discover.h"

#include "base/error.h"
#include "base/files.h"
#include "program/compiling/fortran_statements.h"
#include "program/debug_type.h"
#include "program/layout.h"
#include "program/setup_function.h"
#include "program/shown_symbol.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <set>
#include <sstream>

namespace faultline::program {

namespace {

namespace fs = std::filesystem;

// Returns the text from that line to beyond a procedure's declarations: a generous guess.
std::string text_from(const fs::path& file, unsigned line) {
  constexpr size_t most_lines = 1000, most_bytes = 1 << 20, largest_file = 64u << 20;
  std::istringstream stream(base::regular_content(file.string(), largest_file).value_or(""));
  std::string text, one;
  for (unsigned at = 1; at < line + most_lines && text.size() < most_bytes && std::getline(stream, one); ++at)
    if (at >= line)
      text += one + "\n";
  return text;
}

// Splits the text between the parenthesis at `open` and its partner at commas. Moves `open` to the partner.
std::vector<std::string> parts_inside(const std::vector<std::string>& words, size_t& open) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (; open < words.size(); ++open) {
    const std::string& word = words[open];
    depth += word == "(" || word == "[";
    if (depth == 1 && word == ",")
      parts.emplace_back();
    else if (depth > 1 || (word != "(" && word != ")" && word != "[" && word != "]"))
      parts.back() += word;
    depth -= word == ")" || word == "]";
    if (depth == 0)
      break;
  }
  return parts;
}

bool declares(const std::string& word) {
  static const std::set<std::string> types = {"integer", "real", "double", "complex", "logical", "dimension", "type"};
  return types.contains(word);
}

void read_statement(std::vector<std::string> words, DeclaredExtents& found) {
  for (std::string& word : words)
    word = lower_case(word);
  if (words.empty() || !declares(words.front()))
    return;
  const auto colons =
      std::ranges::adjacent_find(words, [](const auto& a, const auto& b) { return a == ":" && b == a; });
  const bool modern = colons != words.end();
  const size_t names = modern ? size_t(colons - words.begin()) + 2 : 1;
  std::vector<std::string> of_all; // dimension(n) :: a, b
  for (size_t i = 0; modern && i + 1 < names; ++i)
    if (words[i] == "dimension" && words[i + 1] == "(")
      of_all = parts_inside(words, ++i);
  for (size_t i = names; i < words.size(); ++i) {
    const std::string name = words[i];
    if (i + 1 < words.size() && words[i + 1] == "(")
      found[name] = parts_inside(words, ++i);
    else if (!of_all.empty() && name != ",")
      found[name] = of_all;
  }
}

std::string without_comments(const std::string& text) {
  std::string bare;
  for (size_t i = 0; i < text.size(); ++i)
    if (text.compare(i, 2, "/*") == 0)
      i = std::min(text.find("*/", i), text.size() - 2) + 1;
    else if (text.compare(i, 2, "//") == 0)
      i = std::min(text.find('\n', i), text.size()) - 1;
    else
      bare += text[i];
  return bare;
}

bool is_qualifier(const std::string& word) {
  return word == "static" || word == "const" || word == "restrict" || word == "volatile" || word == "__restrict";
}

} // namespace

DeclaredExtents extents_in_fortran(const std::vector<std::string>& statements) {
  DeclaredExtents found;
  for (const std::string& statement : statements) {
    const std::vector<std::string> words = fortran_words(statement);
    if (!words.empty() && (lower_case(words[0]) == "end" || lower_case(words[0]) == "contains"))
      break;
    read_statement(words, found);
  }
  return found;
}

DeclaredExtents extents_in_c(const std::string& text, const std::string& function) {
  DeclaredExtents found;
  std::vector<std::string> words = fortran_words(without_comments(text)); // splits C into words, too
  std::erase_if(words, is_qualifier);
  const auto name = std::ranges::find(words, function);
  int depth = 0;
  for (size_t i = size_t(name - words.begin()) + 1; i < words.size(); ++i) {
    depth += (words[i] == "(") - (words[i] == ")");
    if (depth == 0)
      break;
    if (words[i] != "[")
      continue;
    const std::string& array = words[i - 1];
    if (array != "]") {
      for (; i < words.size() && words[i] == "["; ++i)
        found[array].push_back(parts_inside(words, i).front());
      --i;
    }
  }
  return found;
}

namespace {

bool has_float(const std::vector<model::Cell>& cells) {
  return std::any_of(cells.begin(), cells.end(), [](const model::Cell& cell) { return cell.type.floating; });
}

// Lays out one function: first its result, then its parameters.
class Discovery {
public:
  Discovery(const llvm::Function& function, const model::Shapes& shapes, model::Target& target)
      : function_(function), aliases_(shapes.aliases), target_(target), fortran_(is_fortran(*function.getSubprogram())),
        layout_(shapes, fortran_, target), setups_(*function.getParent(), shapes.setups) {}

  void run() {
    const llvm::DISubroutineType* type = function_.getSubprogram()->getType();
    auto types = type ? type->getTypeArray() : llvm::DITypeRefArray(nullptr);
    // The first type is the result's; flang omits it for a subroutine.
    const bool subroutine = fortran_ && function_.getReturnType()->isVoidTy() && types.size() == function_.arg_size();
    const size_t first = subroutine || types.size() == 0 ? 0 : 1;
    const size_t count = types.size() - first;
    for (unsigned i = 0; i < types.size(); ++i)
      if (!is_finite(types[i]))
        return refuse(target_, "its debug information has a type that contains itself or is nested too deep");
    names_ = parameter_names(function_, count);
    for (const std::string& name : names_)
      target_.parameters.emplace_back().name = name;
    returned(first == 1 ? types[0] : nullptr);
    if (!target_.suitable())
      return;
    const size_t hidden = target_.returned_by_pointer ? 1 : 0;
    size_t arguments = hidden;
    for (size_t i = 0; i < count; ++i)
      arguments += arguments_of(types[unsigned(i + first)]);
    if (function_.isVarArg())
      return refuse(target_, "it takes a variable number of arguments: write a harness");
    if (function_.arg_size() != arguments)
      return refuse(target_,
                    "its parameters are passed in a way that Faultline does not follow (a struct by value, a string, "
                    "an unused parameter "
                    "that the optimiser removed): write a harness");
    if (fortran_ && count > 0 && takes_length(count))
      return refuse(target_, "it takes a string: write a harness that passes one");
    arguments = hidden;
    for (size_t i = 0; i < count; ++i) {
      const llvm::DIType* own = types[unsigned(i + first)];
      declared_.push_back({own, function_.getArg(unsigned(arguments))});
      arguments += arguments_of(own);
    }
    parameters();
    if (!target_.suitable())
      return;
    target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
    if (const std::string& array = layout_.perhaps_an_array(); !array.empty() && !has_float(target_.inputs))
      return refuse_unsized(
          fmt::format("'{0}' is read, and there is no other floating-point input: if it is an array, it "
                      "needs a size, --size {0}=N; if not, write a harness",
                      array));
    if (target_.inputs.empty())
      return refuse(target_,
                    "it has no input; a pointer counts as an output unless it is an array with a size: "
                    "--size NAME=N",
                    model::Obstacle::no_input);
    if (!layout_.needs_size().empty())
      return refuse_unsized(layout_.needs_size());
    target_.can_be_called = true;
    if (!has_float(target_.outputs))
      return refuse(target_, "it has no floating-point output" + absent_text(), model::Obstacle::no_output);
  }

private:
  // If there is no output, the missing extents do not matter.
  void refuse_unsized(const std::string& reason) {
    refuse(target_, reason, has_float(target_.outputs) ? model::Obstacle::extent : model::Obstacle::size);
  }

  static size_t arguments_of(const llvm::DIType* type) { return rust_slice(strip(type).type) ? 2 : 1; }

  // String lengths are hidden last parameters in Fortran, without names. The debug information of flang-19 describes
  // the string itself as an integer.
  bool takes_length(size_t count) const {
    return names_.back() == fmt::format("arg{}", count) &&
           function_.getArg(unsigned(function_.arg_size() - 1))->getType()->isIntegerTy(64);
  }

  std::string absent_text() const {
    const auto absent = std::ranges::find(target_.parameters, model::Passing::absent, &model::Parameter::passing);
    return absent == target_.parameters.end()
               ? ""
               : fmt::format("; '{0}' is optional, and absent without a size: --size {0}=N", absent->name);
  }

  // Lays out parameters with memory of their own first: the others point into it.
  void parameters() {
    std::vector<std::string> owners;
    for (const std::string& name : names_)
      owners.push_back(owner_of(name, aliases_, names_));
    for (size_t i = 0; i < names_.size() && target_.suitable(); ++i)
      if (owners[i].empty() && !setups_.lay_out(target_, target_.parameters[i], declared_[i].type, layout_))
        layout_.add(target_.parameters[i], declared_[i]);
    for (size_t i = 0; i < names_.size() && target_.suitable(); ++i)
      if (!owners[i].empty())
        share(i, size_t(std::find(names_.begin(), names_.end(), owners[i]) - names_.begin()));
    if (target_.suitable())
      layout_.add_memory_of_fields();
  }

  void returned(const llvm::DIType* type) {
    llvm::Type* ir = function_.getReturnType();
    if (!ir->isVoidTy()) {
      target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
      target_.return_offset = target_.block_bytes;
      const llvm::DataLayout& layout = function_.getDataLayout();
      std::vector<model::Cell> cells;
      std::string refused;
      if (auto basic = scalar(strip(type).type, refused)) {
        cells.push_back({"return", *basic, target_.return_offset, basic->floating});
      } else if (ir_cells(ir, layout, target_.return_offset, cells)) {
        for (size_t i = 0; i < cells.size() && cells.size() > 1; ++i)
          cells[i].name = fmt::format("return[{}]", i);
      } else if (!ir->isPointerTy()) {
        return refuse_type(target_, "return", type, refused);
      }
      target_.block_bytes += layout.getTypeAllocSize(ir);
      target_.outputs.insert(target_.outputs.end(), cells.begin(), cells.end());
      return;
    }
    if (function_.arg_size() > 0 && function_.hasStructRetAttr() && function_.getArg(0)->hasStructRetAttr()) {
      auto* fields = structure(strip(type).type);
      std::vector<model::Cell> cells;
      target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
      target_.return_offset = target_.block_bytes;
      target_.returned_by_pointer = true;
      if (!fields || !field_cells(*fields, "return", target_.return_offset, cells))
        return refuse(target_, "it returns a struct that has more than numbers in it: write a harness");
      target_.block_bytes += fields->getSizeInBits() / 8;
      if (!are_inside(cells, target_.block_bytes))
        return refuse(target_, "it returns a struct whose debug information is damaged");
      add_outputs(target_, cells);
    }
  }

  // Lays the parameter out as if it had memory of its own, and moves its cells to the owner's.
  void share(size_t index, size_t owners) {
    const model::Parameter owner = target_.parameters[owners];
    const std::vector<model::Cell> inputs = target_.inputs, outputs = target_.outputs;
    const uint64_t bytes = target_.block_bytes;
    check_sharing(index, owners);
    if (owner.passing == model::Passing::absent)
      cannot_share(index, owners, fmt::format("'{}' is optional and absent", owner.name),
                   fmt::format("--size {}=N makes it present", owner.name));
    target_.block_bytes = 0;
    target_.inputs.clear();
    target_.outputs.clear();
    model::Parameter& sharing = target_.parameters[index];
    layout_.add(sharing, declared_[index], owner.is_array ? std::optional(owner.count) : std::nullopt);
    layout_.share_fields(sharing.name);
    const std::vector<model::Cell> read = std::move(target_.inputs), written = std::move(target_.outputs);
    target_.inputs = inputs;
    target_.outputs = outputs;
    target_.block_bytes = bytes;
    if (!target_.suitable())
      return;
    if (sharing.count > owner.count)
      cannot_share(
          index, owners,
          fmt::format("'{}' has {} elements, '{}' only {}", sharing.name, sharing.count, owner.name, owner.count),
          fmt::format("--alias {}={}, or leave out --size {}", owner.name, sharing.name, sharing.name));
    merge(target_.inputs, read, sharing, owner);
    merge(target_.outputs, written, sharing, owner);
    check_shared_cells(index, owners, owner);
    sharing.offset = owner.offset;
    sharing.alias_of = owner.name;
  }

  static void merge(std::vector<model::Cell>& cells, const std::vector<model::Cell>& more,
                    const model::Parameter& sharing, const model::Parameter& owner) {
    for (model::Cell cell : more) {
      cell.offset = cell.offset - sharing.offset + owner.offset;
      cell.name = owner.name + cell.name.substr(sharing.name.size());
      if (std::none_of(cells.begin(), cells.end(),
                       [&](const model::Cell& other) { return other.offset == cell.offset; }))
        cells.push_back(cell);
    }
  }

  [[noreturn]] void cannot_share(size_t index, size_t owners, const std::string& why, const std::string& hint) const {
    throw base::UserError(base::status_usage,
                          fmt::format("--alias {}={}: {} ({})", names_[index], names_[owners], why, target_.function),
                          hint);
  }

  void check_sharing(size_t index, size_t owners) const {
    for (const size_t i : {index, owners})
      if (!declared_[i].argument->getType()->isPointerTy())
        cannot_share(index, owners, fmt::format("'{}' is passed by value", names_[i]),
                     "only pointers can share memory");
    const llvm::DIType *a = declared_[index].type, *b = declared_[owners].type;
    if (pointee_element(a) != pointee_element(b))
      cannot_share(index, owners,
                   fmt::format("'{}' is {}, '{}' is {}", names_[index], type_text(a), names_[owners], type_text(b)),
                   "both must point to elements of the same type");
  }

  // Written memory must not be declared noalias.
  void check_shared_cells(size_t index, size_t owners, const model::Parameter& owner) const {
    const auto is_owners = [&](const model::Cell& cell) {
      return cell.name == owner.name || cell.name.starts_with(owner.name + "[") ||
             cell.name.starts_with(owner.name + ".");
    };
    const auto is_integer = [&](const model::Cell& cell) { return is_owners(cell) && !cell.type.floating; };
    if (std::any_of(target_.inputs.begin(), target_.inputs.end(), is_integer) || !owner.type.floating)
      cannot_share(index, owners, fmt::format("'{}' has integers in it", owner.name), "only floats can be shared");
    const bool written = std::any_of(target_.outputs.begin(), target_.outputs.end(), is_owners);
    const bool promised =
        fortran_ || declared_[index].argument->hasNoAliasAttr() || declared_[owners].argument->hasNoAliasAttr();
    if (written && promised)
      cannot_share(index, owners,
                   fortran_ ? "Fortran allows no two arguments to share memory that is written"
                            : "one of them is restrict: the code need not work if they share memory",
                   "hunt in a function that makes no such promise");
  }

  const llvm::Function& function_;
  const model::Aliases& aliases_;
  model::Target& target_;
  bool fortran_;
  Layout layout_;
  SetupFunctions setups_;
  std::vector<std::string> names_;
  std::vector<Declared> declared_;
};

// Reads the extents of the target's arrays if its source can be read.
void read_declared_extents(const llvm::DISubprogram& subprogram, model::Target& target) {
  if (std::ranges::none_of(target.parameters, &model::Parameter::is_array))
    return;
  const fs::path file = fs::path(subprogram.getDirectory().str()) / subprogram.getFilename().str();
  const std::string text = text_from(file, subprogram.getLine());
  const bool fortran = is_fortran(subprogram);
  DeclaredExtents found = fortran ? extents_in_fortran(fortran_statements(text, fortran_form(file.string())))
                                  : extents_in_c(text, subprogram.getName().str());
  for (model::Parameter& parameter : target.parameters)
    if (parameter.is_array)
      parameter.declared_extents = found[fortran ? lower_case(parameter.name) : parameter.name];
}

} // namespace

model::Target discover(const llvm::Function& function, const ShapesOf& shapes_of) {
  model::Target target;
  target.symbol = function.getName().str();
  target.function = target.symbol;
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram) {
    refuse(target, "it has no debug information: compile it with -g", model::Obstacle::no_debug_information);
    return target;
  }
  target.file = base::shown_path(subprogram->getDirectory().str(), subprogram->getFilename().str());
  target.line = line_number(subprogram->getLine());
  if (const auto checksum = subprogram->getFile()->getChecksum(); checksum && checksum->Kind == llvm::DIFile::CSK_MD5)
    target.checksum = checksum->Value.str();
  if (!subprogram->getName().empty())
    target.function = subprogram->getName().str();
  if (const std::string rust = rust_name(subprogram->getLinkageName().str()); !rust.empty()) {
    target.function = rust;
  } else if (subprogram->getLinkageName().starts_with("_Z")) {
    std::string full = llvm::demangle(subprogram->getLinkageName().str());
    target.function = full;
  }
  const model::Shapes shapes = shapes_of(target);
  Discovery(function, shapes, target).run();
  read_declared_extents(*subprogram, target);
  return target;
}

} // namespace faultline::program
