#include "program/capture/section.h"

#include "base/error.h"
#include "base/files.h"
#include "program/unit.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <zstd.h>

namespace faultline::program {

namespace {

constexpr size_t few = 3; // names per line: a guess

std::string joined(std::vector<std::string> entries, bool all) {
  const size_t shown = all ? entries.size() : std::min(entries.size(), few);
  const size_t more = entries.size() - shown;
  entries.resize(shown);
  return fmt::format("{}{}", fmt::join(entries, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

void CaptureSummary::add(const BuiltObject& built) {
  if (built.records.empty()) {
    ++objects;
    missing.push_back({built.name, "not compiled by faultline cc"});
  }
  for (const Record& record : built.records) {
    ++objects;
    if (!record.reason.empty())
      missing.push_back({record.source, record.reason});
    for (const std::string& flag : std::set<std::string>(record.left_out.begin(), record.left_out.end()))
      ++left_out[flag];
  }
}

std::string capture_text(const CaptureSummary& summary, bool all) {
  std::string text = fmt::format("captured {} of {} object{}", summary.objects - summary.missing.size(),
                                 summary.objects, summary.objects == 1 ? "" : "s");
  std::vector<std::string> entries;
  for (const MissingObject& missing : summary.missing)
    entries.push_back(fmt::format("{} ({})", missing.name, missing.reason));
  return entries.empty() ? text : fmt::format("{}; missing: {}", text, joined(std::move(entries), all));
}

std::string left_out_text(const CaptureSummary& summary, bool all) {
  if (summary.left_out.empty())
    return {};
  std::vector<std::string> entries;
  for (const auto& [flag, count] : summary.left_out)
    entries.push_back(fmt::format("{} ({})", flag, count));
  const size_t count = entries.size();
  return fmt::format("{} compiler flag{} left out that LLVM 19 may not support (with the number of objects): {}", count,
                     count == 1 ? " was" : "s were", joined(std::move(entries), all));
}

namespace {

using Json = nlohmann::json;

constexpr std::string_view magic = "FLTLNBC1";
constexpr size_t prefix = magic.size() + 16;
constexpr uint64_t most_header = 16 << 20; // a command line has at most 2 MiB, and JSON escapes a byte with at most six

// Bitcode shrinks to a third or a quarter. A file that claims much more is an attempt to exhaust memory. So data that
// would shrink further is stored uncompressed.
constexpr uint64_t most_compression = 64;

std::string little_endian(uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i, number >>= 8)
    bytes += char(number & 0xff);
  return bytes;
}

uint64_t number_at(std::string_view bytes, size_t at) {
  uint64_t number = 0;
  for (int i = 7; i >= 0; --i)
    number = number << 8 | uint8_t(bytes[at + size_t(i)]);
  return number;
}

std::string compressed(const std::string& bitcode) {
  std::string bytes(ZSTD_compressBound(bitcode.size()), '\0');
  const size_t size = ZSTD_compress(bytes.data(), bytes.size(), bitcode.data(), bitcode.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) || size >= bitcode.size() || bitcode.size() / most_compression >= size)
    return {};
  bytes.resize(size);
  return bytes;
}

class SectionReader {
public:
  SectionReader(std::string_view section, const std::string& file) : rest_(section), file_(file) {}

  std::vector<Record> read() {
    std::vector<Record> records;
    for (skip_padding(); !rest_.empty(); skip_padding())
      records.push_back(one());
    return records;
  }

private:
  void skip_padding() { rest_.remove_prefix(std::min(rest_.find_first_not_of('\0'), rest_.size())); }

  [[noreturn]] void refuse(const std::string& why) const {
    throw base::UserError(base::status_unsuitable,
                          fmt::format("{}: its section {} is damaged: {}", file_, capture_section, why),
                          "rebuild it with faultline cc");
  }

  std::string_view take(uint64_t size, const char* what) {
    if (size > rest_.size())
      refuse(fmt::format("{} of {} bytes, and only {} are left", what, size, rest_.size()));
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  Record one() {
    const std::string_view start = take(prefix, "a record");
    if (!start.starts_with(magic))
      refuse("a record begins with the wrong bytes");
    const uint64_t header_size = number_at(start, magic.size());
    const uint64_t bitcode_size = number_at(start, magic.size() + 8);
    if (header_size > most_header)
      refuse(fmt::format("a header of {} bytes", header_size));
    const Json header = Json::parse(take(header_size, "a header"), nullptr, /*allow_exceptions=*/false);
    if (!header.is_object())
      refuse("a header is not JSON");
    Record record{text(header, "source"), text(header, "directory"), text(header, "language"), text(header, "compiler"),
                  words(header, "flags"), words(header, "left_out"), text(header, "reason"),   ""};
    const std::string_view bitcode = take(bitcode_size, "bitcode");
    if (header.contains("compression"))
      record.bitcode = decompressed(bitcode, header);
    else
      record.bitcode = bitcode;
    if (record.bitcode.empty() && record.reason.empty())
      refuse("a record has neither bitcode nor a reason");
    return record;
  }

  std::string text(const Json& header, const char* key) const {
    const auto found = header.find(key);
    if (found == header.end())
      return {};
    if (!found->is_string())
      refuse(fmt::format("'{}' is not a string", key));
    return found->get<std::string>();
  }

  std::vector<std::string> words(const Json& header, const char* key) const {
    const auto found = header.find(key);
    if (found == header.end())
      return {};
    std::vector<std::string> words;
    if (!found->is_array())
      refuse(fmt::format("'{}' is not a list", key));
    for (const Json& word : *found) {
      if (!word.is_string())
        refuse(fmt::format("'{}' is not a list of strings", key));
      words.push_back(word.get<std::string>());
    }
    return words;
  }

  std::string decompressed(std::string_view bytes, const Json& header) const {
    const auto size = header.find("size");
    if (header["compression"] != "zstd" || size == header.end() || !size->is_number_unsigned())
      refuse("bitcode in an unknown form");
    const uint64_t wanted = size->get<uint64_t>();
    if (wanted / most_compression > bytes.size())
      refuse(fmt::format("{} bytes of bitcode in {}", wanted, bytes.size()));
    std::string bitcode(wanted, '\0');
    if (ZSTD_decompress(bitcode.data(), bitcode.size(), bytes.data(), bytes.size()) != wanted)
      refuse("bitcode that cannot be decompressed");
    return bitcode;
  }

  std::string_view rest_;
  const std::string& file_;
};

} // namespace

std::string bytes_of(const Record& record) {
  Json header = {{"source", record.source},     {"directory", record.directory}, {"language", record.language},
                 {"compiler", record.compiler}, {"flags", record.flags},         {"left_out", record.left_out}};
  std::string bitcode = compressed(record.bitcode);
  if (!bitcode.empty()) {
    header["compression"] = "zstd";
    header["size"] = record.bitcode.size();
  }
  if (!record.reason.empty())
    header["reason"] = record.reason;
  // Names of files may not be UTF-8.
  const std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string& payload = bitcode.empty() ? record.bitcode : bitcode;
  return std::string(magic) + little_endian(text.size()) + little_endian(payload.size()) + text + payload;
}

std::vector<Record> records_in(std::string_view section, const std::string& file) {
  return SectionReader(section, file).read();
}

namespace {

namespace object = llvm::object;

constexpr const char* lto_section = ".llvm.lto"; // clang -ffat-lto-objects

base::UserError damaged(const std::string& file, llvm::Error error) {
  return base::UserError(base::status_unsuitable,
                         fmt::format("{}: cannot be read: {}", file, llvm::toString(std::move(error))),
                         "the file may be incomplete: rebuild it");
}

template <class T> T value_of(llvm::Expected<T> expected, const std::string& file) {
  if (!expected)
    throw damaged(file, expected.takeError());
  return std::move(*expected);
}

Record record_of_bitcode(llvm::StringRef bitcode, const std::string& name) {
  Record record;
  record.source = name;
  record.bitcode = bitcode.str();
  return record;
}

std::vector<Record> records_of_elf(llvm::MemoryBufferRef buffer, const std::string& name) {
  const auto elf = value_of(object::ObjectFile::createELFObjectFile(buffer), name);
  std::vector<Record> records;
  llvm::StringRef fat;
  for (const object::SectionRef& section : elf->sections()) {
    const llvm::StringRef called = value_of(section.getName(), name);
    if (called != capture_section && called != lto_section)
      continue;
    const llvm::StringRef content = value_of(section.getContents(), name);
    if (called == lto_section)
      fat = content;
    else // several, if a linker found different flags
      std::ranges::move(records_in({content.data(), content.size()}, name), std::back_inserter(records));
  }
  if (records.empty() && !fat.empty())
    records.push_back(record_of_bitcode(fat, name));
  return records;
}

// The name of a compiler without its folder, and without what starts it and its flags: "ccache /usr/bin/gcc -m64".
std::string compiler_name(const std::string& command) {
  std::istringstream words(command);
  std::string name;
  for (std::string word; words >> word;)
    if (!word.starts_with('-'))
      name = std::filesystem::path(word).filename().string();
  return name;
}

// The compiler of all records; empty if there are several.
std::string compiler_of(const std::vector<Record>& records) {
  std::set<std::string> compilers;
  for (const Record& record : records)
    compilers.insert(compiler_name(record.compiler));
  return compilers.size() == 1 ? *compilers.begin() : "";
}

BuiltObject object_of(llvm::MemoryBufferRef buffer, const std::string& name) {
  switch (const llvm::file_magic magic = llvm::identify_magic(buffer.getBuffer())) {
  case llvm::file_magic::bitcode: // clang -flto
    return {name, {record_of_bitcode(buffer.getBuffer(), name)}};
  case llvm::file_magic::elf:
  case llvm::file_magic::elf_relocatable:
  case llvm::file_magic::elf_executable:
  case llvm::file_magic::elf_shared_object: {
    BuiltObject built{name, records_of_elf(buffer, name)};
    built.machine_code = {.name = name, .compiler = compiler_of(built.records)};
    if (magic == llvm::file_magic::elf_relocatable)
      built.machine_code->object = std::make_shared<const std::string>(buffer.getBuffer().str());
    else if (magic == llvm::file_magic::elf_shared_object)
      built.machine_code->library = std::filesystem::absolute(name).string();
    return built;
  }
  default:
    return {name, {}};
  }
}

// The members of a thin archive are elsewhere, and may be devices and pipes.
bool is_file(const object::Archive::Child& member) {
  llvm::Expected<std::string> path = member.getFullName();
  std::error_code missing;
  if (path)
    return std::filesystem::is_regular_file(*path, missing);
  llvm::consumeError(path.takeError());
  return false;
}

std::vector<BuiltObject> members_of(llvm::MemoryBufferRef buffer, const std::string& file) {
  const auto archive = value_of(object::Archive::create(buffer), file);
  std::vector<BuiltObject> objects;
  llvm::Error error = llvm::Error::success();
  for (const object::Archive::Child& child : archive->children(error)) {
    if (archive->isThin() && !is_file(child)) {
      llvm::consumeError(std::move(error));
      throw damaged(file, llvm::createStringError("a member is not a file"));
    }
    auto name = child.getName();
    auto member = name ? child.getMemoryBufferRef() : name.takeError();
    if (!member) {
      llvm::consumeError(std::move(error));
      throw damaged(file, member.takeError());
    }
    objects.push_back(object_of(*member, fmt::format("{}({})", file, name->str())));
  }
  if (error)
    throw damaged(file, std::move(error));
  return objects;
}

} // namespace

bool is_machine_code(const std::string& file) {
  const std::string start = base::regular_content(file, 8).value_or("");
  return start.starts_with("\177ELF") || start == "!<arch>\n" || start == "!<thin>\n";
}

std::vector<BuiltObject> built_objects(const std::string& file) {
  const ReaderGuard guard(file);
  const auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw base::UserError(base::status_usage, fmt::format("{}: {}", file, buffer.getError().message()),
                          "check the path");
  const llvm::MemoryBufferRef content = (*buffer)->getMemBufferRef();
  if (llvm::identify_magic(content.getBuffer()) == llvm::file_magic::archive)
    return members_of(content, file);
  return {object_of(content, file)};
}

} // namespace faultline::program
