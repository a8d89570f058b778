#include "hunt/seen/signatures.h"

#include "recorder/signatures.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace faultline::campaign {

using frontend::Cell;
using frontend::Parameter;
using frontend::Passing;
using frontend::Target;
using recorder::ArgumentPlace;
using recorder::FunctionPlace;
using recorder::ValueType;
using recorder::Where;

namespace {

std::optional<ValueType> value_type(const frontend::Type& type) {
  if (type.floating)
    switch (type.format) {
    case numeric::Format::binary32:
      return ValueType::binary32;
    case numeric::Format::binary64:
      return ValueType::binary64;
    case numeric::Format::extended80:
      return ValueType::binary80;
    default: // the recorder reads no others
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

// The places of arguments, one after the other (System V ABI for x86-64, section 3.2.3).
class Places {
public:
  explicit Places(bool returned_by_pointer) : general_(returned_by_pointer ? 1 : 0) {}

  ArgumentPlace next(const Parameter& parameter) {
    const bool by_value = parameter.passing == Passing::value;
    if (by_value && parameter.type.floating && parameter.type.format == numeric::Format::extended80) {
      stack_ += stack_ % 2;
      stack_ += 2;
      return at(Where::stack, stack_ - 2);
    }
    if (by_value && parameter.type.floating)
      return vector_ < 8 ? at(Where::vector_register, vector_++) : at(Where::stack, stack_++);
    ArgumentPlace place = general_ < 6 ? at(Where::general_register, general_++) : at(Where::stack, stack_++);
    place.behind = !by_value;
    return place;
  }

private:
  static ArgumentPlace at(Where where, uint32_t index) {
    ArgumentPlace place;
    place.where = where;
    place.index = uint8_t(index);
    return place;
  }

  uint32_t general_, vector_ = 0, stack_ = 0;
};

class Writer {
public:
  void add(const Target& target) {
    const std::optional<std::vector<ArgumentPlace>> places = places_of(target);
    if (!places || places->empty() || places->size() > recorder::most_arguments)
      return;
    FunctionPlace function;
    function.symbol = name(target.symbol);
    function.function = name(target.function);
    function.file = name(target.file);
    function.line = uint32_t(target.line);
    function.first_argument = uint32_t(arguments_.size());
    function.arguments = uint32_t(places->size());
    functions_.push_back(function);
    arguments_.insert(arguments_.end(), places->begin(), places->end());
  }

  std::string bytes() const {
    recorder::SignatureHeader header{};
    std::memcpy(header.magic, recorder::signature_magic, sizeof header.magic);
    header.functions = uint32_t(functions_.size());
    header.arguments = uint32_t(arguments_.size());
    header.name_bytes = names_.size();
    std::string all(reinterpret_cast<const char*>(&header), sizeof header);
    all.append(reinterpret_cast<const char*>(arguments_.data()), arguments_.size() * sizeof(ArgumentPlace));
    all.append(reinterpret_cast<const char*>(functions_.data()), functions_.size() * sizeof(FunctionPlace));
    return all + names_;
  }

private:
  // In the order of the target's inputs; nothing if one of them is somewhere else.
  std::optional<std::vector<ArgumentPlace>> places_of(const Target& target) {
    Places places(target.returned_by_pointer);
    std::vector<std::pair<const Parameter*, ArgumentPlace>> parameters;
    for (const Parameter& parameter : target.parameters) {
      if (parameter.passing == Passing::descriptor || parameter.passing == Passing::slice)
        return {};
      parameters.emplace_back(&parameter, places.next(parameter));
    }
    std::vector<ArgumentPlace> inputs;
    for (const Cell& cell : target.inputs) {
      const auto found = std::ranges::find_if(parameters, [&](const auto& entry) {
        return entry.first->name == frontend::parameter_of(cell.name) && cell.offset >= entry.first->offset;
      });
      const std::optional<ValueType> type = value_type(cell.type);
      if (found == parameters.end() || !type)
        return {};
      ArgumentPlace place = found->second;
      place.name = name(cell.name);
      place.type = *type;
      place.displacement = cell.offset - found->first->offset;
      inputs.push_back(place);
    }
    return inputs;
  }

  uint32_t name(const std::string& text) {
    const auto begin = uint32_t(names_.size());
    names_.append(text.c_str(), text.size() + 1);
    return begin;
  }

  std::vector<FunctionPlace> functions_;
  std::vector<ArgumentPlace> arguments_;
  std::string names_ = std::string(1, '\0');
};

} // namespace

std::string signatures_of(const std::vector<Target>& targets) {
  Writer writer;
  for (const Target& target : targets)
    if ((target.suitable() || target.can_be_called) && target.harness.empty())
      writer.add(target);
  return writer.bytes();
}

} // namespace faultline::campaign
