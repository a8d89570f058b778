// How much of a program's time recording may take. A call that is noted costs two signals; functions that are called
// too often for that are left alone until the end of a window of CPU time, so the program stays below twice its time.
//
// The first calls of each function are noted in any case, and of every window one, however little of it is left: rare
// calls are not lost to frequent ones. A timer of CPU time ends the window; it runs only while a function is left
// alone, so that a program that waits is never woken. The first window has room for more: most programs are short, and
// it hurts none.
#pragma once

#include <atomic>
#include <cstdint>

namespace faultline::recorder {

class Pace {
public:
  void start_timer(); // of this process, which may be a fork of another
  void stop_timer();
  void set_cost(uint64_t nanoseconds); // of noting one call
  // One more call is noted: of its function, so many in this window. Is the function to be left alone?
  bool is_too_much(uint32_t calls_of_function);
  void begin_window(); // by the timer
  void begin_first_window();

private:
  void begin_window_of(uint64_t nanoseconds);
  void end_window_later();

  int timer_ = -1;
  uint64_t cost_ = 1;
  std::atomic<uint64_t> most_ = 0, most_of_one_ = 0; // calls in this window
  std::atomic<uint64_t> calls_ = 0;
  std::atomic<uint64_t> window_begin_ = 0; // CPU time, nanoseconds
  std::atomic<bool> ending_ = false;
};

} // namespace faultline::recorder
