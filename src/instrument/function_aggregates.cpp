// Structs and vectors of floats: taken apart, put together and permuted.
#include "instrument/function_walk.h"

namespace faultline::instrument {

void FunctionWalk::visitExtractValueInst(llvm::ExtractValueInst& extract) {
  const unsigned lanes = lane_count(extract.getType());
  if (lanes == 0 || !has_lanes(extract.getAggregateOperand()->getType()))
    return visitInstruction(extract);
  Builder builder(after(extract));
  Indices all = indices_of(extract.getAggregateOperand(), builder);
  const unsigned first = lanes_before(extract.getAggregateOperand()->getType(), extract.getIndices());
  indices_[&extract] = Indices(all.begin() + first, all.begin() + first + lanes);
}

void FunctionWalk::visitInsertValueInst(llvm::InsertValueInst& insert) {
  if (!has_lanes(insert.getType()))
    return;
  Builder builder(after(insert));
  Indices all = indices_of(insert.getAggregateOperand(), builder);
  if (has_lanes(insert.getInsertedValueOperand()->getType())) {
    Indices part = indices_of(insert.getInsertedValueOperand(), builder);
    std::copy(part.begin(), part.end(), all.begin() + lanes_before(insert.getType(), insert.getIndices()));
  }
  indices_[&insert] = all;
}

void FunctionWalk::visitExtractElementInst(llvm::ExtractElementInst& extract) {
  auto* position = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand());
  if (!position || position->getZExtValue() >= lane_count(extract.getVectorOperandType()))
    return visitInstruction(extract);
  Builder builder(after(extract));
  indices_[&extract] = {indices_of(extract.getVectorOperand(), builder)[position->getZExtValue()]};
}

void FunctionWalk::visitInsertElementInst(llvm::InsertElementInst& insert) {
  auto* position = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2));
  if (!position || position->getZExtValue() >= lane_count(insert.getType()))
    return visitInstruction(insert);
  Builder builder(after(insert));
  Indices all = indices_of(insert.getOperand(0), builder);
  all[position->getZExtValue()] = indices_of(insert.getOperand(1), builder)[0];
  indices_[&insert] = all;
}

void FunctionWalk::visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle) {
  const unsigned width = lane_count(shuffle.getOperand(0)->getType());
  if (!has_lanes(shuffle.getType()) || width == 0)
    return visitInstruction(shuffle);
  Builder builder(after(shuffle));
  Indices first = indices_of(shuffle.getOperand(0), builder), second = indices_of(shuffle.getOperand(1), builder);
  Indices all;
  for (int element : shuffle.getShuffleMask())
    all.push_back(element < 0                 ? first[0]
                  : unsigned(element) < width ? first[unsigned(element)]
                                              : second[unsigned(element) - width]);
  indices_[&shuffle] = all;
}

} // namespace faultline::instrument
