// Is a certificate about this program? Its paths are run again, each at one of its inputs, and what the program
// computes there is compared with the code in the certificate. The decisions on a path determine its code
// (bound/straight_code.h), so one input stands for all that take it.
#pragma once

#include "finding/certificate/certificate.h"
#include "hunt/options.h"

#include <string>

namespace faultline::campaign {

// Empty: it is. Otherwise what is different. `options` names the sources; the function, and how it is called, is the
// certificate's. Throws frontend::UserError.
std::string difference_from(const finding::Certificate& certificate, Options options);

} // namespace faultline::campaign
