"""IEEE 754 arithmetic in exact rationals, of formats of any size and in all five rounding modes: what the expected answers of
generated problems come from. It shares nothing with the code under test.

A float is its bit pattern; a format is (exponent bits, significand bits). There is one NaN. What SMT-LIB leaves open is OPEN."""
import functools
from fractions import Fraction
from math import isqrt

MODES = ["RNE", "RNA", "RTP", "RTN", "RTZ"]
OPEN = "open"


def width(f):
    return f[0] + f[1]


def sign_bit(f):
    return 1 << (width(f) - 1)


def infinity(f, negative=False):
    return (sign_bit(f) if negative else 0) | ((1 << f[0]) - 1) << (f[1] - 1)


def nan(f):
    return infinity(f) | 1 << (f[1] - 2)


def is_nan(a, f):
    return (a & (sign_bit(f) - 1)) > infinity(f)


def is_infinite(a, f):
    return (a & (sign_bit(f) - 1)) == infinity(f)


def is_zero(a, f):
    return (a & (sign_bit(f) - 1)) == 0


def is_negative(a, f):
    return bool(a & sign_bit(f))


def canonical(a, f):
    return nan(f) if is_nan(a, f) else a


def all_values(f):
    return [a for a in range(1 << width(f)) if not is_nan(a, f)] + [nan(f)]


def bias(f):
    return (1 << (f[0] - 1)) - 1


@functools.lru_cache(maxsize=None)
def value(a, f):
    """Of a finite number."""
    magnitude = a & (sign_bit(f) - 1)
    field, fraction = magnitude >> (f[1] - 1), magnitude & ((1 << (f[1] - 1)) - 1)
    exponent = 1 - bias(f) if field == 0 else field - bias(f)
    significand = fraction if field == 0 else fraction + (1 << (f[1] - 1))
    number = Fraction(significand) * Fraction(2) ** (exponent - f[1] + 1)
    return -number if is_negative(a, f) else number


def to_integer(q, mode):
    """Of a rational."""
    floor = q.numerator // q.denominator
    rest = q - floor
    if rest == 0 or mode == "RTN":
        return floor
    if mode == "RTP":
        return floor + 1
    if mode == "RTZ":
        return floor if q > 0 else floor + 1
    if rest != Fraction(1, 2):
        return floor if rest < Fraction(1, 2) else floor + 1
    if mode == "RNA":
        return floor + 1 if q > 0 else floor
    return floor if floor % 2 == 0 else floor + 1


@functools.lru_cache(maxsize=None)
def rounded(q, mode, f, zero_negative=False):
    """A rational as a float."""
    if q == 0:
        return sign_bit(f) if zero_negative else 0
    negative, magnitude = q < 0, abs(q)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    exponent = max(exponent, 1 - bias(f))
    unit = Fraction(2) ** (exponent - f[1] + 1)
    steps = abs(to_integer(q / unit, mode))
    if exponent > bias(f) or (exponent == bias(f) and steps == 1 << f[1]):
        inward = mode == "RTZ" or mode == ("RTP" if negative else "RTN")
        return infinity(f, negative) - (1 if inward else 0)
    bits = ((exponent + bias(f) - 1) << (f[1] - 1)) + steps
    return (sign_bit(f) if negative else 0) | bits


def zero_of_sum(mode):
    return mode == "RTN"


@functools.lru_cache(maxsize=None)
def add(mode, a, b, f):
    if is_nan(a, f) or is_nan(b, f):
        return nan(f)
    if is_infinite(a, f) or is_infinite(b, f):
        if is_infinite(a, f) and is_infinite(b, f) and a != b:
            return nan(f)
        return a if is_infinite(a, f) else b
    if is_zero(a, f) and is_zero(b, f) and a == b:
        return a
    return rounded(value(a, f) + value(b, f), mode, f, zero_of_sum(mode))


def negate(a, f):
    return a if is_nan(a, f) else a ^ sign_bit(f)


def sub(mode, a, b, f):
    return add(mode, a, negate(b, f), f)


@functools.lru_cache(maxsize=None)
def mul(mode, a, b, f):
    if is_nan(a, f) or is_nan(b, f):
        return nan(f)
    negative = is_negative(a, f) != is_negative(b, f)
    if is_infinite(a, f) or is_infinite(b, f):
        return nan(f) if is_zero(a, f) or is_zero(b, f) else infinity(f, negative)
    return rounded(value(a, f) * value(b, f), mode, f, negative)


@functools.lru_cache(maxsize=None)
def div(mode, a, b, f):
    if is_nan(a, f) or is_nan(b, f):
        return nan(f)
    negative = is_negative(a, f) != is_negative(b, f)
    if is_infinite(a, f):
        return nan(f) if is_infinite(b, f) else infinity(f, negative)
    if is_zero(b, f):
        return nan(f) if is_zero(a, f) else infinity(f, negative)
    if is_infinite(b, f):
        return sign_bit(f) if negative else 0
    return rounded(value(a, f) / value(b, f), mode, f, negative)


@functools.lru_cache(maxsize=None)
def fma(mode, a, b, c, f):
    if is_nan(a, f) or is_nan(b, f) or is_nan(c, f):
        return nan(f)
    negative = is_negative(a, f) != is_negative(b, f)
    if is_infinite(a, f) or is_infinite(b, f):
        if is_zero(a, f) or is_zero(b, f) or (is_infinite(c, f) and is_negative(c, f) != negative):
            return nan(f)
        return infinity(f, negative)
    if is_infinite(c, f):
        return c
    product = value(a, f) * value(b, f)
    if product == 0 and is_zero(c, f) and negative == is_negative(c, f):
        return c
    return rounded(product + value(c, f), mode, f, zero_of_sum(mode))


@functools.lru_cache(maxsize=None)
def sqrt(mode, a, f):
    if is_nan(a, f) or is_zero(a, f):
        return a
    if is_negative(a, f):
        return nan(f)
    if is_infinite(a, f):
        return a
    scale = 4 ** (width(f) + (1 << f[0]))
    square = value(a, f) * scale * scale  # an integer
    root = isqrt(square.numerator)
    exact = root * root == square.numerator
    return rounded(Fraction(root * 2 + (0 if exact else 1), 2 * scale), mode, f)


@functools.lru_cache(maxsize=None)
def rem(a, b, f):
    if is_nan(a, f) or is_nan(b, f) or is_infinite(a, f) or is_zero(b, f):
        return nan(f)
    if is_infinite(b, f):
        return a
    x, y = value(a, f), value(b, f)
    return rounded(x - y * to_integer(x / y, "RNE"), "RNE", f, is_negative(a, f))


@functools.lru_cache(maxsize=None)
def round_to_integral(mode, a, f):
    if is_nan(a, f) or is_infinite(a, f) or is_zero(a, f):
        return a
    return rounded(Fraction(to_integer(value(a, f), mode)), "RNE", f, is_negative(a, f))


def less(a, b, f):
    if is_nan(a, f) or is_nan(b, f):
        return False
    if is_infinite(a, f) or is_infinite(b, f):
        side = lambda x: (-1 if is_negative(x, f) else 1) if is_infinite(x, f) else 0
        return side(a) < side(b)
    return value(a, f) < value(b, f)


def equal(a, b, f):
    if is_nan(a, f) or is_nan(b, f):
        return False
    return a == b or (is_zero(a, f) and is_zero(b, f))


def smaller(a, b, f, largest):
    """fp.min, fp.max."""
    if is_nan(a, f):
        return b
    if is_nan(b, f):
        return a
    if is_zero(a, f) and is_zero(b, f) and a != b:
        return OPEN
    first = less(b, a, f) if largest else less(a, b, f)
    return a if first else b


@functools.lru_cache(maxsize=None)
def convert(mode, a, f, to):
    if is_nan(a, f):
        return nan(to)
    if is_infinite(a, f):
        return infinity(to, is_negative(a, f))
    return rounded(value(a, f), mode, to, is_negative(a, f))


def of_word(mode, word, bits, signed, to):
    number = word - (1 << bits) if signed and word >> (bits - 1) else word
    return rounded(Fraction(number), mode, to)


def to_word(mode, a, f, bits, signed):
    if is_nan(a, f) or is_infinite(a, f):
        return OPEN
    number = to_integer(value(a, f), mode)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return number % (1 << bits) if low <= number <= high else OPEN
