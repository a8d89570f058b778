#include "frontend/harness/harness_note.h"

#include <algorithm>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/raw_ostream.h>
#include <nlohmann/json.hpp>

namespace faultline::frontend {
namespace {

using Json = nlohmann::json;

constexpr const char* list_name = "faultline.harnesses";

Json to_json(const NamedParameter& named) {
  return {{"name", named.name},
          {"before", named.before},
          {"between", named.between},
          {"after", named.after},
          {"extents", named.extents},
          {"leaves", named.leaves},
          {"read", named.read},
          {"written", named.written},
          {"of", named.of},
          {"first", named.first},
          {"declared", named.declared_extents},
          {"choices", named.choices}};
}

Json to_json(const HarnessNote& note) {
  Json parameters = Json::array();
  for (const NamedParameter& named : note.parameters)
    parameters.push_back(to_json(named));
  return {{"function", note.function}, {"symbol", note.symbol},
          {"file", note.file},         {"line", note.line},
          {"name", note.name},         {"text", note.text},
          {"parameters", parameters},  {"families", note.families},
          {"obstacle", note.obstacle}, {"needs_size", note.needs_size},
          {"misread", note.misread}};
}

NamedParameter named_from(const Json& json) {
  return {json.at("name"),    json.at("before"), json.at("between"),  json.at("after"),
          json.at("extents"), json.at("leaves"), json.at("read"),     json.at("written"),
          json.at("of"),      json.at("first"),  json.at("declared"), json.at("choices")};
}

HarnessNote note_from(const Json& json) {
  HarnessNote note{json.at("function"),
                   json.at("symbol"),
                   json.at("file"),
                   json.at("line"),
                   json.at("name"),
                   json.at("text"),
                   {},
                   json.at("families"),
                   json.at("obstacle"),
                   json.at("needs_size"),
                   json.at("misread")};
  for (const Json& parameter : json.at("parameters"))
    note.parameters.push_back(named_from(parameter));
  return note;
}

void add(llvm::Module& module, const Json& json) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(list_name)->addOperand(
      llvm::MDNode::get(context, llvm::MDString::get(context, json.dump(-1, ' ', true))));
}

} // namespace

uint64_t NamedParameter::count() const {
  uint64_t count = std::max<size_t>(leaves.size(), 1);
  for (const uint64_t extent : extents)
    count *= extent;
  return count;
}

std::string NamedParameter::cell(uint64_t index) const {
  const std::string leaf = leaves.empty() ? "" : leaves[index % leaves.size()];
  index /= std::max<size_t>(leaves.size(), 1);
  std::string indices;
  for (size_t i = 0; i < first.size() && i < extents.size(); index /= extents[i], ++i)
    indices += (i == 0 ? "" : between) + std::to_string(first[i] + int64_t(index % extents[i]));
  for (size_t i = first.empty() ? extents.size() : 0; i-- > 0; index /= extents[i])
    indices = std::to_string(index % extents[i]) + (indices.empty() ? "" : between + indices);
  return before + indices + after + leaf;
}

const HarnessNote* HarnessNotes::of_function(const std::string& symbol) const {
  const auto found = std::ranges::find(harnesses, symbol, &HarnessNote::symbol);
  return found == harnesses.end() ? nullptr : &*found;
}

const HarnessNote* HarnessNotes::named(const std::string& harness) const {
  const auto found = std::ranges::find(harnesses, harness, &HarnessNote::name);
  return found == harnesses.end() ? nullptr : &*found;
}

std::string with_notes(const std::string& bitcode, const HarnessNotes& notes) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile({bitcode, "unit"}, context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return bitcode; // whoever reads it next complains
  }
  for (const HarnessNote& note : notes.harnesses)
    add(**module, to_json(note));
  for (const ConstantExtents& one : notes.extents)
    add(**module, {{"symbol", one.symbol}, {"parameter", one.parameter}, {"extents", one.extents}});
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::WriteBitcodeToFile(**module, stream);
  return text;
}

HarnessNotes notes_in(const llvm::Module& module) {
  HarnessNotes notes;
  const llvm::NamedMDNode* list = module.getNamedMetadata(list_name);
  for (unsigned i = 0; list && i < list->getNumOperands(); ++i) {
    const llvm::MDNode& node = *list->getOperand(i);
    const auto* text = node.getNumOperands() == 1 ? llvm::dyn_cast<llvm::MDString>(node.getOperand(0)) : nullptr;
    if (!text)
      continue;
    try {
      const Json json = Json::parse(text->getString().str());
      if (json.contains("function"))
        notes.harnesses.push_back(note_from(json));
      else
        notes.extents.push_back({json.at("symbol"), json.at("parameter"), json.at("extents")});
    } catch (const Json::exception&) { // a stranger's
      continue;
    }
  }
  return notes;
}

} // namespace faultline::frontend
