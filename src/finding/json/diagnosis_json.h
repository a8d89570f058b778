// Diagnoses as JSON: the part of finding_json.h that is about them.
#pragma once

#include "finding/diagnosis.h"
#include "finding/json/json_place.h"

namespace faultline::finding {

Json measure(double value); // infinity is the largest double, NaN is null
Json to_json(const Diagnosis& diagnosis);
Diagnosis diagnosis_at(const Place& place); // throws frontend::UserError

} // namespace faultline::finding
