#include "frontend/capture/section.h"

#include "frontend/error.h"
#include "frontend/reading/reader_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

namespace faultline::frontend {
namespace {

namespace object = llvm::object;

constexpr const char* lto_section = ".llvm.lto"; // clang -ffat-lto-objects

UserError damaged(const std::string& file, llvm::Error error) {
  return UserError(status_unsuitable, fmt::format("{}: cannot be read: {}", file, llvm::toString(std::move(error))),
                   "is it whole? Build it anew");
}

template <class T>
T value_of(llvm::Expected<T> expected, const std::string& file) {
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
    else // several, where a linker met different flags
      std::ranges::move(records_in({content.data(), content.size()}, name), std::back_inserter(records));
  }
  if (records.empty() && !fat.empty())
    records.push_back(record_of_bitcode(fat, name));
  return records;
}

BuiltObject object_of(llvm::MemoryBufferRef buffer, const std::string& name) {
  switch (llvm::identify_magic(buffer.getBuffer())) {
  case llvm::file_magic::bitcode: // clang -flto
    return {name, {record_of_bitcode(buffer.getBuffer(), name)}};
  case llvm::file_magic::elf:
  case llvm::file_magic::elf_relocatable:
  case llvm::file_magic::elf_executable:
  case llvm::file_magic::elf_shared_object:
    return {name, records_of_elf(buffer, name)};
  default:
    return {name, {}};
  }
}

std::vector<BuiltObject> members_of(llvm::MemoryBufferRef buffer, const std::string& file) {
  const auto archive = value_of(object::Archive::create(buffer), file);
  std::vector<BuiltObject> objects;
  llvm::Error error = llvm::Error::success();
  for (const object::Archive::Child& child : archive->children(error)) {
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
  std::ifstream stream(file, std::ios::binary);
  std::string start(8, '\0');
  stream.read(start.data(), std::streamsize(start.size()));
  return start.starts_with("\177ELF") || start == "!<arch>\n" || start == "!<thin>\n";
}

std::vector<BuiltObject> built_objects(const std::string& file) {
  const ReaderGuard guard(file);
  const auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw UserError(status_usage, fmt::format("{}: {}", file, buffer.getError().message()), "check the path");
  const llvm::MemoryBufferRef content = (*buffer)->getMemBufferRef();
  if (llvm::identify_magic(content.getBuffer()) == llvm::file_magic::archive)
    return members_of(content, file);
  return {object_of(content, file)};
}

} // namespace faultline::frontend
