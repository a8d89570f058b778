#include "recorder/first_instruction.h"

#include <cstring>

namespace faultline::recorder {
namespace {

// In the order of their numbers in instructions.
constexpr int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

bool is_push(uint8_t byte) { return byte >= 0x50 && byte <= 0x57; }

void push(int number, ucontext_t& context) {
  greg_t* all = context.uc_mcontext.gregs;
  const greg_t value = all[registers[number]];
  all[REG_RSP] -= 8;
  std::memcpy(reinterpret_cast<void*>(all[REG_RSP]), &value, sizeof value);
}

} // namespace

bool carry_out(uint8_t first, const uint8_t* rest, ucontext_t& context) {
  greg_t* all = context.uc_mcontext.gregs;
  if (is_push(first)) {
    push(first - 0x50, context);
    all[REG_RIP] += 1;
    return true;
  }
  if (first == 0x41 && is_push(rest[0])) {
    push(8 + rest[0] - 0x50, context);
    all[REG_RIP] += 2;
    return true;
  }
  if (first == 0xf3 && rest[0] == 0x0f && rest[1] == 0x1e && rest[2] == 0xfa) { // endbr64
    all[REG_RIP] += 4;
    return true;
  }
  if (first == 0x48 && rest[0] == 0x83 && rest[1] == 0xec) { // sub rsp, a byte
    all[REG_RSP] -= int8_t(rest[2]);
    all[REG_RIP] += 4;
    return true;
  }
  if (first == 0x48 && rest[0] == 0x81 && rest[1] == 0xec) { // sub rsp, four bytes
    int32_t bytes = 0;
    std::memcpy(&bytes, rest + 2, sizeof bytes);
    all[REG_RSP] -= bytes;
    all[REG_RIP] += 7;
    return true;
  }
  return false;
}

} // namespace faultline::recorder
