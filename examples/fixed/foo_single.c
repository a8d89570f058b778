/* foo_single.c as it is over the reals: x is not added to a number that swallows it. */

float foo_reals_only(float x) { return x > 0.0f && x < 10000.0f ? x : 0.0f; }

float foo_floats_only(float x) { return x > 0.0f ? x : -1.0e12f; }
