#include "recorder/signatures.h"

#include <cstring>

namespace faultline::recorder {

static_assert(sizeof(SeenHeader) % 16 == 0 && sizeof(FunctionSeen) % 16 == 0 && sizeof(ArgumentSeen) % 16 == 0,
              "long doubles follow");

uint64_t file_bytes(const Signatures& signatures) {
  uint64_t bytes = sizeof(SeenHeader);
  for (uint32_t i = 0; i < signatures.function_count; ++i)
    bytes += block_bytes(signatures.functions[i].arguments);
  return bytes;
}

namespace {

bool is_sound(const Signatures& signatures, const SignatureHeader& header) {
  const auto named = [&](uint32_t name) { return name < header.name_bytes; };
  for (uint32_t i = 0; i < header.functions; ++i) {
    const FunctionPlace& function = signatures.functions[i];
    if (!named(function.symbol) || !named(function.function) || !named(function.file) ||
        function.arguments > most_arguments || function.first_argument > header.arguments ||
        function.arguments > header.arguments - function.first_argument)
      return false;
  }
  for (uint32_t i = 0; i < header.arguments; ++i)
    if (!named(signatures.arguments[i].name) || signatures.arguments[i].type > ValueType::uint64 ||
        signatures.arguments[i].where > Where::stack)
      return false;
  return header.name_bytes > 0 && signatures.names[header.name_bytes - 1] == 0;
}

} // namespace

Signatures signatures_in(const void* bytes, uint64_t size) {
  if (size < sizeof(SignatureHeader))
    return {};
  const auto* begin = static_cast<const char*>(bytes);
  const auto& header = *reinterpret_cast<const SignatureHeader*>(begin);
  const uint64_t functions = uint64_t(header.functions) * sizeof(FunctionPlace);
  const uint64_t arguments = uint64_t(header.arguments) * sizeof(ArgumentPlace);
  const uint64_t rest = size - sizeof header;
  if (std::memcmp(header.magic, signature_magic, sizeof signature_magic) != 0 || functions > rest ||
      arguments > rest - functions || header.name_bytes != rest - functions - arguments)
    return {};
  Signatures signatures;
  begin += sizeof header;
  // The arguments come first, since the header's size aligns them.
  signatures.arguments = reinterpret_cast<const ArgumentPlace*>(begin);
  signatures.functions = reinterpret_cast<const FunctionPlace*>(begin + arguments);
  signatures.names = begin + arguments + functions;
  signatures.function_count = header.functions;
  return is_sound(signatures, header) ? signatures : Signatures{};
}

} // namespace faultline::recorder
