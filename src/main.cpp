// faultline: finds the inputs on which numerical code breaks. Everything is in cli/.
#include "cli/run.h"

int main(int argc, char** argv) { return faultline::cli::run(argc, argv); }
