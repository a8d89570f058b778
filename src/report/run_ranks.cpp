#include "report/run_ranks.h"

#include "base/error.h"
#include "model/json/json_place.h"
#include "numeric/stable_sort.h"
#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace faultline::report {

namespace {

using model::Json;

constexpr const char* ranks_hint = "name the files that faultline run -o FILE.json wrote";

Json read_run(const RankFile& file) {
  Json json;
  try {
    json = model::parse_json(file.second);
  } catch (const base::UserError& problem) {
    throw base::UserError(base::status_usage, fmt::format("{}: {}", file.first, problem.what()), ranks_hint);
  }
  const auto is_list = [&](const char* key) { return json.contains(key) && json.at(key).is_array(); };
  if (!json.is_object() || !json.contains("run") || !json.at("run").is_object() || !is_list("problems") ||
      !is_list("sites") || !is_list("flips") || !is_list("outputs"))
    throw base::UserError(base::status_usage, fmt::format("{}: is not the report of a run", file.first), ranks_hint);
  return json;
}

uint64_t whole_at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object.at(key).is_number_unsigned()
             ? object.at(key).get<uint64_t>()
             : 0;
}

double number_at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object.at(key).is_number() ? object.at(key).get<double>() : 0;
}

std::string text_at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>()
                                                                                  : "";
}

std::string key_of_place(const Json& object) {
  return fmt::format("{}:{}:{}:{}", text_at(object, "file"), whole_at(object, "line"), whole_at(object, "column"),
                     text_at(object, "operation"));
}

int tier_rank(const std::string& tier) { return tier == "error" ? 0 : tier == "warning" ? 1 : 2; }

// What several ranks report of one thing.
struct United {
  Json json; // of the first rank, or of the worst
  std::vector<uint64_t> ranks;
};

class Merger {
public:
  Json merge(const std::vector<RankFile>& files) {
    for (const RankFile& file : files) {
      const Json json = read_run(file);
      const Json& run = json.at("run");
      const uint64_t rank = run.contains("rank") ? whole_at(run, "rank") : ranks_.size();
      add_run(file.first, rank, run);
      for (const Json& problem : json.at("problems"))
        add_problem(problem, rank);
      for (const Json& site : json.at("sites"))
        add_counts(sites_, site, rank, {"executions", "losses", "flips", "unknown", "nans", "infinities", "nan_ends"});
      for (const Json& flip : json.at("flips"))
        add_counts(flips_, flip, rank, {"count", "executions"});
      for (Json output : json.at("outputs"))
        if (output.is_object()) {
          output["rank"] = rank;
          outputs_.push_back(std::move(output));
        }
      if (first_.is_null())
        first_ = json;
    }
    return merged();
  }

private:
  void add_run(const std::string& name, uint64_t rank, const Json& run) {
    ranks_.push_back({{"rank", rank},
                      {"file", name},
                      {"status", number_at(run, "status")},
                      {"signal", number_at(run, "signal")},
                      {"seconds", number_at(run, "seconds")}});
    seconds_ += number_at(run, "seconds");
    printed_ += whole_at(run, "printed");
    processes_ += whole_at(run, "processes");
    status_ = status_ != 0 ? status_ : number_at(run, "status");
    signal_ = signal_ != 0 ? signal_ : number_at(run, "signal");
    if (run.contains("not_instrumented") && run.at("not_instrumented").is_array())
      for (const Json& text : run.at("not_instrumented"))
        if (text.is_string())
          limits_.insert(text.get<std::string>());
  }

  void add_problem(const Json& problem, uint64_t rank) {
    const std::string id = text_at(problem, "id");
    const auto [found, is_new] = problems_.try_emplace(id, United{problem, {}});
    if (is_new)
      order_.push_back(id);
    else if (tier_rank(text_at(problem, "tier")) < tier_rank(text_at(found->second.json, "tier")))
      found->second.json = problem;
    found->second.ranks.push_back(rank);
  }

  // Counts are added; the largest loss stays, with its value.
  static void add_counts(std::map<std::string, United>& all, const Json& one, uint64_t rank,
                         std::initializer_list<const char*> counts) {
    const auto [found, is_new] = all.try_emplace(key_of_place(one), United{one, {}});
    Json& json = found->second.json;
    found->second.ranks.push_back(rank);
    if (is_new)
      return;
    for (const char* count : counts)
      json[count] = whole_at(json, count) + whole_at(one, count);
    if (number_at(one, "loss") > number_at(json, "loss"))
      json["loss"] = number_at(one, "loss");
    if (one.contains("mattered") && one.at("mattered").is_boolean() && one.at("mattered").get<bool>())
      json["mattered"] = true;
  }

  static Json with_ranks(const United& united) {
    Json json = united.json;
    json["ranks"] = united.ranks;
    return json;
  }

  Json merged() {
    numeric::sort_stably(order_, {},
                         [&](const std::string& id) { return tier_rank(text_at(problems_[id].json, "tier")); });
    Json problems = Json::array(), sites = Json::array(), flips = Json::array();
    for (const std::string& id : order_)
      problems.push_back(with_ranks(problems_[id]));
    std::vector<Json> all_sites;
    for (const auto& [key, united] : sites_)
      all_sites.push_back(with_ranks(united));
    numeric::sort_stably(all_sites, std::greater<>(), [](const Json& site) {
      return std::tuple(whole_at(site, "nans"), number_at(site, "loss"), whole_at(site, "flips"));
    });
    for (Json& site : all_sites)
      sites.push_back(std::move(site));
    for (const auto& [key, united] : flips_)
      flips.push_back(with_ranks(united));
    Json run = first_.at("run");
    run.erase("rank");
    run["ranks"] = ranks_;
    run["seconds"] = seconds_;
    run["printed"] = printed_;
    run["processes"] = processes_;
    run["status"] = status_;
    run["signal"] = signal_;
    run["not_instrumented"] = std::vector<std::string>(limits_.begin(), limits_.end());
    return {{"faultline", first_.value("faultline", "")},
            {"run", run},
            {"outputs", outputs_},
            {"flips", flips},
            {"problems", problems},
            {"sites", sites}};
  }

  Json first_, outputs_ = Json::array(), ranks_ = Json::array();
  std::map<std::string, United> problems_, sites_, flips_;
  std::vector<std::string> order_; // of problems
  std::set<std::string> limits_;
  double seconds_ = 0, status_ = 0, signal_ = 0;
  uint64_t printed_ = 0, processes_ = 0;
};

// "ranks 0, 2 and 3", "all 4 ranks".
std::string ranks_words(const Json& problem, size_t all) {
  std::vector<std::string> ranks;
  for (const Json& rank : problem.at("ranks"))
    ranks.push_back(fmt::format("{}", rank.get<uint64_t>()));
  if (ranks.size() == all)
    return fmt::format("all {} ranks", all);
  constexpr size_t most_named = 8;
  const size_t more = ranks.size() > most_named ? ranks.size() - most_named : 0;
  ranks.resize(ranks.size() - more);
  return fmt::format("rank{} {}{}", ranks.size() + more == 1 ? "" : "s", fmt::join(ranks, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

bool is_run_json(const std::string& beginning) {
  const size_t member = beginning.find("\"run\": {");
  return member != std::string::npos && beginning.find('{', 1) > member;
}

std::string merged_run_json(const std::vector<RankFile>& ranks) {
  return model::json_text(Merger().merge(ranks), 2) + "\n";
}

std::string run_json_text(const std::string& text) {
  const Json json = read_run({"the report", text});
  const Json& run = json.at("run");
  const size_t ranks = run.contains("ranks") && run.at("ranks").is_array() ? run.at("ranks").size() : 0;
  std::string shown;
  for (const Json& problem : json.at("problems")) {
    shown += printable(fmt::format("{}: {}: {} [{}]",
                                   location_text(text_at(problem, "file"), int(whole_at(problem, "line")),
                                                 int(whole_at(problem, "column"))),
                                   text_at(problem, "tier"), text_at(problem, "title"), text_at(problem, "class"))) +
             "\n";
    if (const std::string source = text_at(problem, "source"); !source.empty())
      shown += printable(fmt::format("  {:>5} | {}", whole_at(problem, "line"), source)) + "\n";
    shown += printable(fmt::format("  seen {}", text_at(problem, "seen"))) + "\n";
    if (problem.contains("ranks") && problem.at("ranks").is_array())
      shown += fmt::format("  by   {}\n", ranks_words(problem, ranks));
  }
  shown += json.at("problems").empty() ? "no problem was seen" : counted(json.at("problems").size(), "problem");
  if (ranks > 0)
    shown += fmt::format(" in {}; {:.2f} s of CPU time together", counted(ranks, "rank"), number_at(run, "seconds"));
  shown += "\n";
  if (ranks > 0)
    for (const Json& rank : run.at("ranks"))
      if (number_at(rank, "status") != 0 || number_at(rank, "signal") != 0)
        shown += fmt::format("rank {} ended with {} {}\n", whole_at(rank, "rank"),
                             number_at(rank, "signal") != 0 ? "signal" : "exit status",
                             number_at(rank, "signal") != 0 ? number_at(rank, "signal") : number_at(rank, "status"));
  return shown;
}

} // namespace faultline::report
