// Targets as users name them, and settings that name their parameters: --size and --alias.
#pragma once

#include "model/target.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace faultline::program {

// Called when the target has only its names and its source location.
using ShapesOf = std::function<model::Shapes(const model::Target&)>;

// Marks hidden targets as unsuitable, with the reason, if there are other targets that can be tested.
void leave_out_hidden(std::vector<model::Target>& targets);

// Returns the names a user may use for the target: its symbol, its full name (f(double)) and short name (f), Fortran's
// name without the underscore, a template's with and without arguments (f<double>, f), Rust's without the hash.
std::vector<std::string> names_of(const model::Target& target);

// True if the name contains a wildcard, as in gsl_sf_*.
bool is_pattern(const std::string& name);
// True if it is one of the target's names, or a pattern that matches one of them.
bool answers_to(const model::Target& target, const std::string& pattern);

// Returns the targets of this name, including all overloads and instances. If no full name matches, the last parts of
// the names are compared (expm1_over for stats::expm1_over). Throws UserError if these parts name different functions.
// Patterns are not expanded.
std::vector<model::Target> called(const std::string& name, const std::vector<model::Target>& targets);

// Throws UserError for a --size name that is not a parameter of any target, or only of ones that take a single number
// by that name. Unsuitable targets count, since a wrong name may be the reason.
void check_sizes(std::span<const model::Target> targets, const model::Sizes& sizes);

// Aliases: pointer parameters that share memory, as in a call in place, f(A, A).
//
// --alias y=x makes y point to the memory of x, the owner. y's elements then have no cells of their own: reads and
// writes through y access x's cells, under x's name. An alias applies to every function that has both parameters. Both
// must point to elements of the same type, and these must be floats: which integers of the code are inputs is decided
// before it runs (instrument/decisions.h), and a write through another pointer would be missed.

// Returns the parameter whose memory `name` shares, following chains of aliases; empty if it has its own. Ignores
// aliases to names that are not among the parameters. Throws UserError for a cycle.
std::string owner_of(const std::string& name, const model::Aliases& aliases,
                     const std::vector<std::string>& parameters);

// Throws UserError for an alias that applies to none of the targets.
void check_aliases(std::span<const model::Target> targets, const model::Aliases& aliases);

} // namespace faultline::program
