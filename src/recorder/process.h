// A process that is recorded: which of its files have captured code, what is known of them, and where what is seen
// goes. Everything that is wrong ends in a process that runs as it would have run anyway.
#pragma once

namespace faultline::recorder {

void start_recording();   // as the process starts
void look_for_new_code(); // after a library was loaded
void record_child();      // in the child of a fork
bool is_recording();

} // namespace faultline::recorder
