// Tasks by a command of the user's: `CMD {job}`, run once a job file, or `CMD {share}`, once for all of them.
//
// The command is the one that was typed, and nothing of it comes from a file. It may stay until the task has ended
// (ssh, mpirun), or hand it on and leave (kubectl): then the task's files tell how it goes.
#pragma once

#include "base/process.h"
#include "campaign/remote/engine.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::campaign {

class Launcher : public Engine {
public:
  // At most `parallel` commands at a time. Throws frontend::UserError: the command names neither {job} nor {share}.
  Launcher(std::string command, int parallel);

  void start(const ShareFolder& folder, uint64_t first, uint64_t count) override;
  TaskState state(uint64_t job) override;
  void look() override;
  void cancel() override;
  std::string last_words(const ShareFolder& folder, uint64_t job) override;

private:
  struct Command {
    std::string text;
    std::string output;         // its file
    std::vector<uint64_t> jobs; // that it is for
    base::Process process = {}; // none: it has not begun
  };
  void begin(Command& command);
  void note_end(const Command& command, bool succeeded);

  std::string command_;
  size_t parallel_;
  bool once_; // for all jobs
  std::string folder_;
  std::vector<Command> waiting_, running_; // waiting: the next one last
  std::map<uint64_t, TaskState> states_;
};

// What was printed last, of a file: a line.
std::string last_line_of(const std::string& file);

} // namespace faultline::campaign
