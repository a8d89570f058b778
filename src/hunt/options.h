// What a campaign is asked to do: the command line and faultline.toml end up here.
#pragma once

#include "exec/limits.h"
#include "finding/baseline.h"
#include "finding/corpus.h"
#include "finding/settings/configuration.h"
#include "finding/settings/fpcore_settings.h"
#include "finding/settings/seen.h"
#include "finding/settings/settings.h"
#include "finding/source_text.h"
#include "frontend/program.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The source files of a program, as far as settings of functions are read from them: each is read once.
struct SourceFiles {
  finding::SourceText text;
  finding::FpcoreSettings fpcore;
};

struct Options {
  frontend::Sources sources;
  std::vector<std::string> functions; // -f: names and patterns; empty: all suitable ones
  finding::Settings settings;         // of all functions, but for what the configuration says of single ones
  int jobs = 1;
  exec::Limits limits;
  exec::WorkerLimits worker;
  std::vector<std::string> command;                  // for the report: what was typed
  std::vector<std::string> headers;                  // --include: of the tests that are written
  std::string json_report;                           // the first JSON file that it writes; empty: none
  std::shared_ptr<const finding::Baseline> baseline; // --baseline: what stands in it
  std::shared_ptr<const finding::Corpus> corpus;     // --corpus: what is kept there
  std::shared_ptr<const finding::SeenRuns> seen;     // --seen: what real runs were like
  bool without_configuration = false;                // --no-config
  std::optional<finding::Configuration> configuration;
  std::shared_ptr<SourceFiles> files = std::make_shared<SourceFiles>(); // copies of the options share them
  std::function<void(const std::string&)> tell; // what the user should know at once: a line of text
};

} // namespace faultline::campaign
