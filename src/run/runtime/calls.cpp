// The runtime of a recording twin: notes the arguments of calls (run/call_record.h). It uses the C library only,
// allocates nothing, and waits for no lock for long.
#include "run/call_record.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace run = faultline::run;

extern "C" void faultline_record_call(run::RecordedFunction* function, const char* slots);

namespace {

char record_folder[PATH_MAX];

// A program may clear its environment.
__attribute__((constructor(101))) void remember_folder() {
  if (const char* name = getenv(run::folder_variable); name && strlen(name) < sizeof record_folder)
    memcpy(record_folder, name, strlen(name) + 1);
}

// The file that is written.
struct Chunk {
  char* begin;
  size_t used;
  pid_t process;
  uint32_t generation, functions, number;
};
Chunk chunk;
pid_t chunk_user;                     // the process in which a call is being noted; 0: none
constexpr uint32_t most_chunks = 256; // of a process: a guess

bool start_chunk() {
  if (!record_folder[0])
    return false;
  const pid_t process = getpid();
  if (chunk.begin && chunk.process == process)
    munmap(chunk.begin, run::chunk_bytes);
  if (chunk.process != process)
    chunk.number = 0;
  chunk.begin = nullptr;
  chunk.process = process;
  ++chunk.generation;
  chunk.functions = 0;
  if (chunk.number == most_chunks)
    return false;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char name[PATH_MAX + 64];
  snprintf(name, sizeof name, "%s/calls-%d-%lld%09ld", record_folder, int(process), (long long)now.tv_sec, now.tv_nsec);
  const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  void* mapped = MAP_FAILED;
  if (ftruncate(file, run::chunk_bytes) == 0)
    mapped = mmap(nullptr, run::chunk_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED)
    return false;
  chunk.begin = static_cast<char*>(mapped);
  run::ChunkHeader header = {{}, uint32_t(process), chunk.number++};
  memcpy(header.magic, run::chunk_magic, sizeof header.magic);
  memcpy(chunk.begin, &header, sizeof header);
  chunk.used = sizeof header;
  return true;
}

// The content of one entry.
struct Content {
  static constexpr size_t most = 1 << 17; // an eighth of a chunk
  char bytes[most];
  size_t size;
  bool whole;

  void clear() {
    size = 0;
    whole = true;
  }
  void add(const void* from, size_t count) {
    if (count > most - size) {
      whole = false;
      return;
    }
    memcpy(bytes + size, from, count);
    size += count;
  }
  void add_number(uint32_t number) { add(&number, sizeof number); }
  void add_byte(uint8_t byte) { add(&byte, 1); }
  void add_text(const char* text) { add(text ? text : "", text ? strlen(text) + 1 : 1); }
};
Content content;

bool has_room(size_t bytes) {
  return chunk.begin && bytes + 2 * sizeof(run::EntryHeader) <= run::chunk_bytes - chunk.used;
}

void write_entry(run::EntrySort sort) {
  const size_t bytes = (content.size + 15) / 16 * 16;
  char* at = chunk.begin + chunk.used;
  memcpy(at + sizeof(run::EntryHeader), content.bytes, content.size);
  auto* header = reinterpret_cast<run::EntryHeader*>(at);
  header->bytes = uint32_t(bytes);
  __atomic_store(&header->sort, &sort, __ATOMIC_RELEASE); // last: the process may end at any time
  chunk.used += sizeof(run::EntryHeader) + bytes;
}

void describe(run::RecordedFunction& function) {
  function.generation = chunk.generation;
  function.id = chunk.functions++;
  content.clear();
  content.add_number(function.id);
  content.add_number(function.line);
  content.add_number(function.input_count);
  content.add_text(function.symbol);
  content.add_text(function.function);
  content.add_text(function.file);
  content.add_text(function.reason);
  for (uint32_t i = 0; i < function.input_count; ++i) {
    content.add_byte(uint8_t(function.inputs[i].type));
    content.add_byte(function.inputs[i].is_array);
    content.add_byte(function.inputs[i].may_be_output);
    content.add_text(function.inputs[i].name);
  }
  write_entry(run::EntrySort::function);
}

// Reads memory that may not exist.
bool copy(void* to, uint64_t address, size_t bytes) {
  if (address == 0)
    return false;
  iovec here = {to, bytes}, there = {reinterpret_cast<void*>(address), bytes};
  const ssize_t read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  if (read >= 0 || errno == EFAULT)
    return read == ssize_t(bytes);
  const uint64_t page = 4095, begin = address & ~page; // the call is forbidden here
  if (msync(reinterpret_cast<void*>(begin), (address + bytes - begin + page) & ~page, MS_ASYNC) != 0)
    return false;
  memcpy(to, reinterpret_cast<void*>(address), bytes);
  return true;
}

size_t bytes_of_type(run::ValueType type) {
  constexpr uint8_t bytes[] = {4, 8, 10, 1, 2, 4, 8, 1, 2, 4, 8};
  return bytes[size_t(type)];
}

template <class T> long double as(const char* bytes) {
  T value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

long double number_in(const char* bytes, run::ValueType type) {
  switch (type) {
  case run::ValueType::binary32:
    return as<float>(bytes);
  case run::ValueType::binary64:
    return as<double>(bytes);
  case run::ValueType::binary80: {
    long double value = 0;
    memcpy(&value, bytes, 10);
    return value;
  }
  case run::ValueType::int8:
    return as<int8_t>(bytes);
  case run::ValueType::int16:
    return as<int16_t>(bytes);
  case run::ValueType::int32:
    return as<int32_t>(bytes);
  case run::ValueType::int64:
    return as<int64_t>(bytes);
  case run::ValueType::uint8:
    return as<uint8_t>(bytes);
  case run::ValueType::uint16:
    return as<uint16_t>(bytes);
  case run::ValueType::uint32:
    return as<uint32_t>(bytes);
  case run::ValueType::uint64:
    return as<uint64_t>(bytes);
  }
  return 0;
}

// The inputs of one call.
struct Call {
  const run::RecordedFunction& function;
  const char* slots;
  long double numbers[run::most_inputs];

  uint64_t word(uint32_t argument) const {
    uint64_t value;
    memcpy(&value, slots + run::slot_bytes * argument, sizeof value);
    return value;
  }

  // The address that an input is behind; 0 if there is none.
  uint64_t base_of(const run::RecordedInput& input) const {
    uint64_t base = word(input.argument);
    if (base == 0 || input.field < 0)
      return base;
    return copy(&base, base + uint64_t(input.field), sizeof base) ? base : 0;
  }

  bool read_number(uint32_t index) {
    const run::RecordedInput& input = function.inputs[index];
    char bytes[16] = {};
    if (!input.is_behind) {
      numbers[index] = number_in(slots + run::slot_bytes * input.argument, input.type);
      return true;
    }
    const uint64_t base = base_of(input);
    if (base == 0 || !copy(bytes, base + input.place, bytes_of_type(input.type)))
      return false;
    numbers[index] = number_in(bytes, input.type);
    return true;
  }

  long double factor(int32_t input) const { return input < 0 ? 1 : numbers[input]; }

  bool add_elements(uint64_t from, uint64_t count, uint64_t distance, const run::RecordedInput& input) const {
    const auto length = (long double)(count);
    content.add(&length, sizeof length);
    static char elements[run::most_elements * 16];
    const size_t bytes = bytes_of_type(input.type);
    const uint64_t noted = count < run::most_elements ? count : run::most_elements;
    const bool dense = distance == bytes;
    if (dense && noted > 0 && !copy(elements, from, noted * bytes))
      return false;
    for (uint64_t i = 0; i < noted; ++i) {
      char* element = elements + (dense ? i * bytes : 0);
      if (!dense && !copy(element, from + i * distance, bytes))
        return false;
      const long double number = number_in(element, input.type);
      content.add(&number, sizeof number);
    }
    return content.whole;
  }

  // flang's descriptor: program/descriptor.h.
  bool add_described(const run::RecordedInput& input) const {
    uint64_t words[3 + 3 * 15] = {};
    if (input.dimensions > 15 || !copy(words, word(input.argument), 8 * (3 + 3 * size_t(input.dimensions))))
      return false;
    uint64_t count = 1, dense = words[1];
    bool contiguous = true;
    for (uint32_t d = 0; d < input.dimensions; ++d) {
      contiguous = contiguous && (words[5 + 3 * d] == dense || input.dimensions == 1);
      count *= words[4 + 3 * d];
      dense *= words[4 + 3 * d];
    }
    return words[1] == bytes_of_type(input.type) && contiguous && count <= 1u << 30 &&
           add_elements(words[0], count, input.dimensions == 1 ? words[5] : words[1], input);
  }

  bool add_array(const run::RecordedInput& input) const {
    if (input.dimensions > 0)
      return add_described(input);
    const long double length = factor(input.lengths[0]) * factor(input.lengths[1]) * (long double)(input.times),
                      stride = factor(input.stride);
    const uint64_t base = base_of(input);
    if (!(length >= 0 && length <= 0x1p30L) || !(stride >= 1 && stride <= 0x1p20L) || base == 0)
      return false;
    return add_elements(base + input.place, uint64_t(length), uint64_t(stride) * bytes_of_type(input.type), input);
  }

  bool read() {
    for (uint32_t i = 0; i < function.input_count; ++i)
      if (!function.inputs[i].is_array && !read_number(i))
        return false;
    content.clear();
    content.add_number(function.id);
    content.add_number(0);
    content.add_number(0);
    content.add_number(0); // numbers are aligned
    for (uint32_t i = 0; i < function.input_count; ++i)
      if (!function.inputs[i].is_array)
        content.add(&numbers[i], sizeof numbers[i]);
      else if (!add_array(function.inputs[i]))
        return false;
    return content.whole;
  }
};

uint64_t random_below(run::RecordedFunction& function, uint64_t bound) {
  function.random = function.random * 6364136223846793005u + 1442695040888963407u;
  return (function.random >> 33) % bound;
}

// The distance to the next noted call is random, so that it is in no step with the program.
uint64_t next_call(run::RecordedFunction& function, uint64_t call) {
  if (call < run::first_calls)
    return call;
  return call + random_below(function, call / run::later_calls);
}

void note(run::RecordedFunction& function, const char* slots) {
  const uint64_t call = function.calls;
  if (function.reason) {
    function.next = UINT64_MAX;
  } else {
    function.next = next_call(function, call);
  }
  if (chunk.process != getpid() || !has_room(2 * Content::most))
    if (!start_chunk()) {
      function.next = UINT64_MAX;
      return;
    }
  if (function.generation != chunk.generation || chunk.functions == 0)
    describe(function);
  if (function.reason)
    return;
  Call noted = {function, slots, {}};
  const bool complete = noted.read();
  if (complete)
    write_entry(run::EntrySort::call);
  if (!complete || (function.next > call && call >= run::first_calls)) {
    content.clear();
    content.add_number(function.id);
    write_entry(run::EntrySort::sampled);
  }
}

} // namespace

// Another thread's call, or a call by a signal handler, that comes at the same time is not noted.
void faultline_record_call(run::RecordedFunction* function, const char* slots) {
  const int error = errno;
  const pid_t process = getpid();
  pid_t user = 0;
  for (int tries = 0;
       !__atomic_compare_exchange_n(&chunk_user, &user, process, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);)
    if (user == process) { // else it was the parent's when this process was forked
      user = 0;
      if (++tries > 10'000) // longer than a note takes: a guess
        return;
    }
  note(*function, slots);
  __atomic_store_n(&chunk_user, 0, __ATOMIC_RELEASE);
  errno = error;
}
