#include "prove/path_reader.h"

#include "tape/path.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::prove {
constexpr size_t most_paths = 10'000; // whose code is kept
// A lifted run shows the origin of a result without operations. At a border it may take another path.
constexpr int most_reads = 8;
constexpr long any_precision = 64; // of a lifted run that is used only for origins

PathReader::PathReader(exec::Session& session, const std::vector<InputDimension>& inputs, std::vector<size_t> outputs,
                       std::vector<numeric::Format> formats)
    : session_(session), outputs_(std::move(outputs)), formats_(std::move(formats)) {
  for (const InputDimension& input : inputs) {
    if (input.whole)
      integers_.push_back(input_formats_.size());
    input_formats_.push_back(input.format);
  }
}

std::vector<double> PathReader::integers_of(const exec::Input& input) const {
  std::vector<double> integers;
  for (const size_t i : integers_)
    integers.push_back(double(input[i]));
  return integers;
}

PathAt PathReader::path_at(const std::vector<double>& at) {
  if (const std::vector<runtime::Unsettled>& unsettled = session_.sites().unsettled; !unsettled.empty()) {
    const auto& [reason, place] = unsettled.front();
    return {nullptr, fmt::format("{}:{}: {}", place.file, place.line, reason), true};
  }
  const exec::Input input(at.begin(), at.end());
  const exec::Run& run = session_.run(input);
  if (run.outcome != exec::Outcome::returned)
    return {
        nullptr,
        fmt::format("the code {}{}", exec::end_words(run.outcome, run.ending),
                    run.ended_at ? fmt::format(" ({}:{})", run.ended_at->place.file, run.ended_at->place.line) : "")};
  if (run.refused_at)
    return {nullptr, fmt::format("the code calls {}, and refuses the input", run.refused_at->function)};
  const tape::Tape tape(run, session_.sites(), input.size());
  const std::pair path(tape::path_hash(tape), integers_of(input));
  auto known = codes_.find(path);
  if (known == codes_.end()) {
    if (codes_.size() >= most_paths)
      return {nullptr, fmt::format("there are more than {} paths", most_paths)};
    known = codes_.emplace(path, read(input, tape)).first;
  } else if (!known->second.code && known->second.reads < most_reads) {
    const int reads = known->second.reads + 1;
    known->second = read(input, tape);
    known->second.reads = reads;
  }
  return {known->second.code.get(), known->second.obstacle};
}

size_t PathReader::longest() const {
  size_t most = 0;
  for (const auto& [path, known] : codes_)
    if (known.code)
      most = std::max(most, known.code->steps.size());
  return most;
}

PathReader::CodeOrObstacle PathReader::read(const exec::Input& input, const tape::Tape& tape) {
  std::vector<WantedOutput> wanted;
  std::vector<exec::Origin> origins; // of the floats, if some have no record
  for (size_t i = 0; i < outputs_.size(); ++i) {
    bool constant = false;
    if (tape.outputs()[outputs_[i]].record == 0) {
      if (origins.empty())
        origins = session_.lift(input, any_precision, exec::LiftedFor::search).origins;
      const std::vector<model::Cell>& cells = session_.target().outputs;
      const auto place = size_t(std::count_if(cells.begin(), cells.begin() + long(outputs_[i]),
                                              [](const model::Cell& cell) { return cell.type.floating; }));
      constant = place < origins.size() && origins[place] == exec::Origin::given;
    }
    wanted.push_back({outputs_[i], formats_[i], constant});
  }
  StraightRead read = read_straight(tape, input_formats_, wanted);
  if (!read.obstacles.empty())
    return {nullptr, words_of(read.obstacles.front())};
  read.code.integers = integers_of(input);
  return {std::make_unique<StraightCode>(std::move(read.code)), ""};
}

std::string PathReader::words_of(const NoCode& obstacle) const {
  const runtime::Site& site = session_.sites().sites[obstacle.site];
  return site.line > 0 ? fmt::format("{}:{}: {}", site.file, site.line, obstacle.reason) : obstacle.reason;
}

} // namespace faultline::prove
