#include "instrument/site_builder.h"

#include "runtime/abi.h"

#include <algorithm>
#include <cstring>

namespace faultline::instrument {

using numeric::Format;
using ops::Op;
namespace abi = runtime;

SiteBuilder::SiteBuilder() {
  table.sites.resize(abi::first_program_site);
  for (const Format format : numeric::all_formats) {
    table.sites[abi::first_leaf_site + uint32_t(format)] = {Op::leaf, format, format, {}, {}, 0, 0};
    table.sites[abi::first_input_site + uint32_t(format)] = {Op::input, format, format, {}, {}, 0, 0};
  }
}

uint32_t SiteBuilder::add(const Operation& operation, const llvm::Instruction& instruction, bool exits_loop) {
  abi::Site site;
  site.op = operation.op;
  site.format = operation.format;
  site.operand_format = operation.operand_format;
  if (ops::is_to_int(operation.op)) {
    site.integer_bits = int(instruction.getType()->getIntegerBitWidth());
    site.integer_signed = operation.is_signed;
  }
  if (ops::is_comparison(operation.op))
    site.outcomes = 2;
  site.exits_loop = exits_loop;
  locate(instruction, site, paths_);
  return append(std::move(site));
}

uint32_t SiteBuilder::decide(const Decision& decision) {
  abi::Site site;
  site.op = Op::decide;
  site.outcomes = decision.outcomes;
  site.predicate = decision.predicate;
  site.cases = decision.cases;
  site.determined = decision.determined;
  locate(*decision.where, site, paths_);
  return append(std::move(site));
}

void SiteBuilder::note_unsettled(const llvm::Instruction& access) {
  abi::Site site;
  locate(access, site, paths_);
  table.unsettled.push_back(std::move(site));
}

uint32_t SiteBuilder::leaf(Format format, const Origin& origin) {
  if (!origin.determined && origin.parameter < 0)
    return abi::first_leaf_site + uint32_t(format);
  auto [found, fresh] = leaves_.try_emplace({format, origin.determined, origin.parameter}, 0);
  if (fresh) {
    abi::Site site;
    site.op = Op::leaf;
    site.format = site.operand_format = format;
    site.determined = origin.determined;
    site.parameter = origin.parameter;
    found->second = append(std::move(site));
  }
  return found->second;
}

uint32_t SiteBuilder::append(abi::Site site) {
  table.sites.push_back(std::move(site));
  return uint32_t(table.sites.size() - 1);
}

uint32_t SiteBuilder::constant(const llvm::APFloat& number, Format format) {
  llvm::APFloat wide = number;
  bool inexact = false;
  wide.convert(llvm::APFloat::x87DoubleExtended(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  const llvm::APInt bits = wide.bitcastToAPInt();
  const auto key = std::make_tuple(bits.getRawData()[0], bits.getRawData()[1], format);
  auto [found, fresh] = constants_.try_emplace(key, uint32_t(table.constants.size()));
  if (fresh) {
    abi::Constant constant{0, format};
    std::memcpy(&constant.value, bits.getRawData(), 10);
    table.constants.push_back(constant);
  }
  return found->second | abi::constant_flag;
}

uint32_t SiteBuilder::foreign(const std::string& name) {
  const auto found = std::ranges::find(table.foreign, name);
  const auto index = uint32_t(found - table.foreign.begin());
  if (found == table.foreign.end())
    table.foreign.push_back(name);
  return index + 1;
}

uint32_t SiteBuilder::foreign_leaf(Format format, const llvm::CallBase& call, uint32_t function, int arguments) {
  abi::Site site;
  site.op = Op::leaf;
  site.format = site.operand_format = format;
  site.foreign = function;
  site.arguments = arguments;
  locate(call, site, paths_);
  return append(std::move(site));
}

uint32_t SiteBuilder::zero(Format format) { return constant(llvm::APFloat(0.0), format); }

} // namespace faultline::instrument
