// A recorded process: finds its files with captured code, their functions, and the files to write to. On any error, the
// process runs as it would without the recorder.
#pragma once

namespace faultline::recorder {

void start_recording();   // when the process starts
void look_for_new_code(); // after loading a library
void record_child();      // in the child of a fork
bool is_recording();

} // namespace faultline::recorder
