#ifndef ELEM_CONSTS_H
#define ELEM_CONSTS_H

extern double log2_of_e;         /* 1 / ln 2 */
extern double ln2_high, ln2_low; /* ln 2 in two parts, the first of 32 bits */

struct pio2_parts {
  double inverse; /* 2 / pi */
  double part[3]; /* pi / 2 in three parts: 33, 33, 53 bits */
};
extern const struct pio2_parts pio2;

extern const double exp2_table[32]; /* 2^(i/32) */

#endif
