#include "run/recording.h"

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "model/settings/relations.h"
#include "run/call_record.h"
#include "run/recording_twin.h"
#include "run/twin_parts.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <unistd.h>

namespace faultline::run {

namespace {

namespace folders = std::filesystem;
using model::SeenCall;
using model::SeenFunction;
using model::SeenInput;
using numeric::Value;

constexpr uint64_t most_answer_bytes = 1 << 16;

const char* type_name(ValueType type) {
  constexpr const char* names[] = {"binary32", "binary64", "extended80", "int8",   "int16", "int32",
                                   "int64",    "uint8",    "uint16",     "uint32", "uint64"};
  return names[size_t(type)];
}

// The content of an entry; reading stops at its end.
class EntryReader {
public:
  explicit EntryReader(std::string_view content) : rest_(content) {}

  template <class T> T take() {
    T value{};
    if (rest_.size() < sizeof value)
      return fail(value);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const size_t end = rest_.find('\0');
    if (end == std::string_view::npos)
      return fail(std::string());
    std::string found(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return found;
  }
  bool failed() const { return failed_; }

private:
  template <class T> T fail(T value) {
    failed_ = true;
    rest_ = {};
    return value;
  }

  std::string_view rest_;
  bool failed_ = false;
};

void add_number(SeenInput& input, Value value) {
  if (std::isnan(value)) {
    ++input.nan;
    return;
  }
  input.negative += std::signbit(value) && value != 0;
  if (std::isinf(value)) {
    ++input.infinite;
    return;
  }
  const Value size = std::fabs(value);
  input.low = input.finite > 0 ? std::min(input.low, value) : value;
  input.high = input.finite > 0 ? std::max(input.high, value) : value;
  ++input.finite;
  if (size == 0) {
    ++input.zero;
    return;
  }
  input.least = input.least > 0 ? std::min(input.least, size) : size;
  input.most = std::max(input.most, size);
  ++(value < 0 ? input.negatives : input.positives)[std::clamp(std::ilogb(size), -1074, 1023)];
}

// What all processes have noted of a function.
struct Collected {
  SeenFunction seen;
  std::set<SeenCall> calls; // different ones
};

class FolderReader {
public:
  explicit FolderReader(folders::path folder) : folder_(std::move(folder)) {}

  Recording read() {
    std::set<std::string> names; // in an order that does not depend on the folder
    std::error_code error;
    for (folders::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error))
      names.insert(entry->path().filename().string());
    for (const std::string& name : names)
      if (name.starts_with("calls-"))
        read_chunk(base::regular_content((folder_ / name).string(), chunk_bytes).value_or(""));
      else if (name.starts_with("twin-"))
        read_answer(base::regular_content((folder_ / name).string(), most_answer_bytes).value_or(""));
    for (auto& [key, collected] : functions_)
      recording_.runs.functions.push_back(finished(collected));
    recording_.runs.unrecorded.assign(unrecorded_.begin(), unrecorded_.end());
    recording_.runs.processes = processes_.size();
    return std::move(recording_);
  }

private:
  struct Known {
    Collected* function = nullptr; // null: it is not recorded
  };

  void read_answer(const std::string& text) {
    std::istringstream lines(text);
    std::string answer, file;
    std::getline(lines, answer);
    std::getline(lines, file);
    if (answer.starts_with("/"))
      ++recording_.twins;
    else
      recording_.without_twin.push_back({file, answer.empty() ? "its twin could not be made" : answer.substr(1)});
  }

  void read_chunk(std::string_view bytes) {
    ChunkHeader header;
    if (bytes.size() < sizeof header)
      return;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.magic, chunk_magic, sizeof chunk_magic) != 0)
      return;
    std::map<uint32_t, Known> known;
    for (size_t at = sizeof header; at + sizeof(EntryHeader) <= bytes.size();) {
      EntryHeader entry;
      std::memcpy(&entry, bytes.data() + at, sizeof entry);
      at += sizeof entry;
      if (entry.sort == EntrySort::none || entry.bytes > bytes.size() - at)
        return;
      read_entry(entry.sort, EntryReader(bytes.substr(at, entry.bytes)), known, header.process);
      at += entry.bytes;
    }
  }

  void read_entry(EntrySort sort, EntryReader reader, std::map<uint32_t, Known>& known, uint32_t process) {
    const auto id = reader.take<uint32_t>();
    if (sort == EntrySort::function) {
      known[id] = read_function(reader);
      return;
    }
    const auto function = known.find(id);
    if (function == known.end() || !function->second.function)
      return;
    if (sort == EntrySort::sampled)
      function->second.function->seen.sampled = true;
    else if (sort == EntrySort::call && read_call(reader, *function->second.function))
      processes_.insert(process);
  }

  Known read_function(EntryReader& reader) {
    SeenFunction seen;
    seen.line = int(reader.take<uint32_t>());
    const auto inputs = reader.take<uint32_t>();
    seen.symbol = reader.text();
    seen.function = reader.text();
    seen.file = reader.text();
    const std::string reason = reader.text();
    for (uint32_t i = 0; i < std::min(inputs, most_inputs); ++i) {
      SeenInput input;
      input.type = type_name(ValueType(std::min<uint8_t>(reader.take<uint8_t>(), uint8_t(ValueType::uint64))));
      input.is_array = reader.take<uint8_t>() != 0;
      input.may_be_output = reader.take<uint8_t>() != 0;
      input.name = reader.text();
      seen.inputs.push_back(std::move(input));
    }
    if (reader.failed())
      return {};
    if (!reason.empty()) {
      unrecorded_.insert({seen.function, seen.file, reason});
      return {};
    }
    const auto [found, is_new] = functions_.try_emplace({seen.file, seen.line, seen.symbol});
    if (is_new)
      found->second.seen = seen;
    const bool same =
        std::ranges::equal(found->second.seen.inputs, seen.inputs, {}, &SeenInput::name, &SeenInput::name);
    return {same ? &found->second : nullptr}; // versions of one program may differ
  }

  bool read_call(EntryReader& reader, Collected& collected) {
    for (int i = 0; i < 3; ++i)
      reader.take<uint32_t>();
    SeenCall call;
    std::vector<uint64_t> lengths;
    for (const SeenInput& input : collected.seen.inputs) {
      const Value length = input.is_array ? reader.take<Value>() : 1;
      lengths.push_back(length >= 0 && length < 0x1p40L ? uint64_t(length) : 0);
      std::vector<Value> numbers;
      for (uint64_t i = 0; i < std::min<uint64_t>(lengths.back(), most_elements); ++i)
        numbers.push_back(reader.take<Value>());
      call.push_back(std::move(numbers));
    }
    if (reader.failed())
      return false;
    ++collected.seen.calls;
    bool finite = true;
    for (size_t i = 0; i < call.size(); ++i) {
      SeenInput& input = collected.seen.inputs[i];
      for (Value& value : call[i]) {
        add_number(input, value);
        finite = finite && (std::isfinite(value) || input.may_be_output);
        if (!std::isfinite(value)) // the memory of an output: finished() leaves it out
          value = 0;
      }
      if (input.is_array) {
        input.shortest = input.longest > 0 ? std::min(input.shortest, lengths[i]) : lengths[i];
        input.longest = std::max(input.longest, lengths[i]);
      }
    }
    if (finite) // a search cannot use others
      collected.calls.insert(std::move(call));
    return true;
  }

  static SeenFunction finished(Collected& collected) {
    SeenFunction seen = std::move(collected.seen);
    seen.tuples.assign(collected.calls.begin(), collected.calls.end());
    for (size_t i = seen.inputs.size(); i-- > 0;) {
      const SeenInput& input = seen.inputs[i];
      if (!input.may_be_output || input.nan + input.infinite == 0)
        continue; // else it held what an output holds before it is written
      seen.inputs.erase(seen.inputs.begin() + long(i));
      for (SeenCall& call : seen.tuples)
        call.erase(call.begin() + long(i));
    }
    seen.relations = model::relations_of(seen.inputs, seen.tuples);
    // Long arrays as inputs to start from would make a large file: a guess.
    constexpr size_t most_numbers = 64;
    std::erase_if(seen.tuples, [](const SeenCall& call) {
      size_t numbers = 0;
      for (const std::vector<Value>& input : call)
        numbers += input.size();
      return numbers > most_numbers;
    });
    model::leave_few(seen.tuples);
    return seen;
  }

  folders::path folder_;
  std::map<std::tuple<std::string, int, std::string>, Collected> functions_;
  std::set<model::UnseenFunction> unrecorded_;
  std::set<uint32_t> processes_;
  Recording recording_;
};

std::string program_on_path(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return name;
  std::istringstream places(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string place; std::getline(places, place, ':');)
    if (const folders::path path = folders::path(place) / name; access(path.c_str(), X_OK) == 0)
      return path.string();
  return name;
}

// True for an ELF program without a dynamic linker. False for scripts.
bool is_static(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  Elf64_Ehdr header{};
  if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  stream.seekg(std::streamoff(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!stream.read(reinterpret_cast<char*>(&segment), sizeof segment))
      return false;
    if (segment.p_type == PT_INTERP)
      return false;
  }
  return true;
}

std::vector<std::string> environment_for(const std::string& folder) {
  std::error_code error;
  const folders::path self = folders::read_symlink("/proc/self/exe", error);
  const std::string plugin = (self.parent_path().parent_path() / "lib/faultline/redirect.so").string();
  if (!folders::exists(plugin, error))
    throw base::UserError(base::status_usage, fmt::format("{}: there is no such file", plugin),
                          "install faultline with its lib/faultline folder");
  std::string audit = "LD_AUDIT=" + plugin;
  if (const char* others = std::getenv("LD_AUDIT"))
    audit += fmt::format(":{}", others);
  return {audit, fmt::format("{}={}", folder_variable, folder), fmt::format("{}={}", maker_variable, self.string())};
}

} // namespace

Recording recording_in(const std::string& folder) { return FolderReader(folder).read(); }

std::string answer_for(const std::string& file) {
  try {
    return fmt::format("{}\n{}\n", recording_twin_of(file), file);
  } catch (const base::UserError& problem) {
    std::string reason = problem.what();
    return fmt::format("!{}\n{}\n", reason.substr(0, reason.find('\n')), file);
  }
}

int run_recorded(const std::vector<std::string>& command, const std::string& folder) {
  if (is_static(program_on_path(command.front())))
    throw base::UserError(base::status_usage,
                          fmt::format("{}: is linked statically, and cannot be recorded", command.front()),
                          "link it without -static");
  const base::ProcessOptions options{
      .keeps_all_descriptors = true, .environment = environment_for(folder), .death_signal = 0};
  const IgnoredInterrupts ignored;
  try {
    const base::ProcessEnd end = base::Process::start(command, options).wait();
    return end.signal != 0 ? 128 + end.signal : end.status;
  } catch (const base::CannotStart& error) {
    throw base::UserError(base::status_usage,
                          fmt::format("{}: {}", command.front(), std::strerror(error.code().value())),
                          "name a program that can be run: faultline record -- ./app");
  }
}

} // namespace faultline::run
