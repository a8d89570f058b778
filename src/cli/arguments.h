// What was said, as text, by the command line or by a section of faultline.toml: options and their values, not read
// yet.
//
// Settings are the options that can be said of single functions. They stand in one list, from which everything that
// has to know all of them is made: the keys of faultline.toml, which of two sources wins, and what a report records.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace faultline::cli {

struct Arguments {
  std::vector<std::string> sources, functions, sizes, aliases, ranges, formats, held, outputs, bounds, sites;
  std::string database, wanted, strategy, oracle, reference, threshold, ulps, budget, evaluations, seed, jobs;
  std::string bound_factor, floor, nonzero, sampling, sampling_start, sampling_step, loss_bits, cancel_bits;
  std::string status, all, past_exceptions;
  std::string skip;         // only in a file
  std::string corpus;       // --corpus DIR
  std::string baseline;     // --baseline FILE
  std::string config;       // --config FILE
  bool no_config = false;   // --no-config
  std::string usual_budget; // of the subcommand, if nothing else is said
};

// What the values of a setting look like, in a file.
enum class Form {
  number,  // 1e-6; also as text
  word,    // "auto"
  words,   // "error,crashes", or a list of words
  list,    // a word or a list of words; on the command line the option is repeated
  by_name, // { x = VALUE, ... }; on the command line x=VALUE, repeated
  flag,    // true or false
};

// Of what a list or a setting by name speaks.
enum class Names { none, inputs, parameters, outputs, output_cells };

struct Setting {
  const char* name; // of the option, without --, and of the key
  Form form;
  std::string Arguments::*text = nullptr;               // a list or by_name: none
  std::vector<std::string> Arguments::*texts = nullptr; // the others: none
  Names names = Names::none;
  char between = 0;     // by_name: what stands between the elements of a value that is a list
  bool for_all = false; // by_name: a value without a name is for all
  bool in_file = true;  // as a key
  bool recorded = true; // in a report
};
std::span<const Setting> settings();
const Setting* find_setting(const std::string& name);

// The name in x=VALUE; in VALUE, which is for all, "*". A list is of names: these are their own.
std::string name_in(const std::string& text, Form form = Form::by_name);

// `lower`, with what `higher` says in its place. A range for x takes the place of a range for x, and of one for x[3];
// one for all takes the place of those of all floats (`is_float` tells by the name of an input). Of --threshold and
// --ulps, --budget and --evals, --oracle and --reference each the one takes the place of the other, too.
Arguments overridden(Arguments lower, const Arguments& higher, const std::function<bool(const std::string&)>& is_float);

// The settings as words of a command, and back. Throws UserError for words that are none.
std::vector<std::string> words_of(const Arguments& arguments);
Arguments arguments_of(const std::vector<std::string>& words);

} // namespace faultline::cli
