// The tree of a certificate as one string: its nodes in order, separated by spaces.
//
//   0:1.8p+1        a cut of input 0: first the tree of its floats up to 0x1.8p+1, then that of those above
//   =2,1p-52,1.2p1  a box on path 2, and its bounds, one for each claim
//   ?0              a box that is open, for reason 0
//
// A list of JSON values would take ten times the memory to read.
#pragma once

#include "finding/certificate/certificate.h"
#include "finding/json/fields.h"

#include <string>

namespace faultline::finding {

std::string tree_text(const Certificate& certificate);
// Fills in tree and bounds; the rest has been read.
void read_tree(const Place& place, Certificate& certificate);

// C's hexadecimal floats without 0x; of the tree's own numbers and of no others.
std::string short_hex(double value);

} // namespace faultline::finding
