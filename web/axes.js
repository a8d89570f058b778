// The axes of the plots: positions of numbers and ticks of the visible part. The plotting library has no such axes:
// these cross zero in decades, exceed the range of doubles, and count floats.

// Returns sign and decimal logarithm of a number, which may be text outside of the range of doubles; nothing for inf
// and nan.
function sizeOf(number) {
  const match = /^([-+]?)(\d*\.?\d*)(?:[eE]([-+]?\d+))?$/.exec(String(number));
  if (!match || !/\d/.test(match[2])) return null;
  const significand = Number(match[2]);
  if (significand === 0) return { sign: 0, log: -Infinity };
  return { sign: match[1] === "-" ? -1 : 1, log: Math.log10(significand) + Number(match[3] || 0) };
}

const withMinus = (text) => text.replace(/-/g, "−");

function decadeText(exponent, negative = false) {
  const text = Math.abs(exponent) <= 3 ? String(Number("1e" + exponent)) : "1e" + exponent;
  return withMinus((negative ? "-" : "") + text);
}

// Returns enough digits to distinguish the value from its neighbours in steps of this size.
function tickText(value, step) {
  if (Math.abs(value) < step / 1e6) return "0";
  const size = Math.abs(value);
  const digits = Math.max(1, Math.ceil(Math.log10(size / step) - 1e-9) + 1);
  const plain = size >= 1e-3 && size < 1e5;
  const text = plain
    ? String(Number(value.toPrecision(Math.min(17, digits))))
    : value.toExponential(Math.min(16, digits - 1)).replace("e+", "e");
  return withMinus(text.replace(/\.?0+e/, "e"));
}

// Returns at most about `most` numbers of the form 1, 2 or 5 times a power of ten.
function evenSteps(from, to, most) {
  const width = (to - from) / Math.max(1, most);
  const power = Math.pow(10, Math.floor(Math.log10(width)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= width * 0.999999) || 10 * power;
  const ticks = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9 && ticks.length < 100; ++i)
    ticks.push({ at: i * step, label: tickText(i * step, step) });
  return ticks;
}

function linearAxis() {
  return {
    position: (size) => (size.sign === 0 ? 0 : size.sign * Math.pow(10, size.log)),
    ticks: evenSteps,
  };
}

const decadeSteps = [1, 2, 3, 5, 10, 20, 50, 100, 200];

// Decades. With negative numbers or zeros, zero is in the middle, a decade from the smallest magnitude.
function decadeAxis(sizes) {
  const logs = sizes.filter((size) => size.sign !== 0).map((size) => size.log);
  const overZero = sizes.some((size) => size.sign <= 0);
  const least = logs.length ? Math.floor(logs.reduce((a, b) => Math.min(a, b))) : 0;
  const base = overZero ? least - 1 : 0;
  const position = (size) => (size.sign === 0 ? 0 : size.sign * (size.log - base));
  const sides = overZero ? [-1, 1] : [1];

  const decades = (from, to, most) => {
    const step = decadeSteps.find((n) => (to - from) / n <= most) || 500;
    const ticks = overZero && from <= 0 && to >= 0 ? [{ at: 0, label: "0" }] : [];
    for (const side of sides) {
      const [low, high] = side > 0 ? [from, to] : [-to, -from];
      for (let e = Math.ceil(Math.max(low, overZero ? 1 : low) + base - 1e-9); e <= high + base + 1e-9; ++e)
        ticks.push({
          at: side * (e - base),
          // labels next to zero would overlap it
          label:
            e % step === 0 && !(overZero && e - base < step && from <= 0 && to >= 0) ? decadeText(e, side < 0) : "",
        });
    }
    const labelled = ticks.filter((tick) => tick.label);
    return ticks.length > 8 * most ? labelled : ticks;
  };

  // Within a decade or two: numbers of the form 1, 2 or 5, or even steps.
  const within = (from, to, most, side) => {
    const [low, high] = (side > 0 ? [from, to] : [-to, -from]).map((at) => Math.pow(10, at + base));
    if (!(Number.isFinite(high) && low > 1e-307)) return decades(from, to, most);
    const at = (value) => side * (Math.log10(value) - base);
    if (to - from < 0.9)
      return evenSteps(low, high, most).map((tick) => ({
        at: at(tick.at),
        label: (side < 0 ? "−" : "") + tick.label,
      }));
    const ticks = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); ++e)
      for (const n of [1, 2, 5]) {
        const value = Number(`${n}e${e}`);
        if (value >= low * 0.999 && value <= high * 1.001)
          ticks.push({ at: at(value), label: (side < 0 ? "−" : "") + tickText(value, value) });
      }
    return ticks;
  };

  return {
    position,
    zero: overZero ? 0 : null,
    ticks: (from, to, most) =>
      to - from < 2.5 && (!overZero || from >= 1 || to <= -1)
        ? within(from, to, most, overZero && to < 0 ? -1 : 1)
        : decades(from, to, most),
  };
}

// Distances in floats from the finding: single steps in the middle, growing outwards.
function distanceAxis() {
  const position = (offset) => Math.sign(offset) * Math.log2(1 + Math.abs(offset));
  return {
    position,
    ticks: (from, to, most) => {
      const step = [1, 2, 3, 6].find((n) => (to - from) / (n * Math.log2(10)) <= most) || 6;
      const ticks = from <= 0 && to >= 0 ? [{ at: 0, label: "0" }] : [];
      for (const side of [-1, 1])
        for (let e = 0; e <= 20; ++e) {
          const at = position(side * Math.pow(10, e));
          const near = from <= 0 && to >= 0 && Math.abs(at) < ((to - from) / most) * 0.8;
          if (at >= from && at <= to)
            ticks.push({ at, label: e % step || near ? "" : (side < 0 ? "−" : "+") + decadeText(e) });
        }
      return ticks;
    },
  };
}

// Uses decades if many outputs are much smaller than the largest.
function outputAxis(numbers) {
  const sizes = numbers
    .filter((number) => number !== null)
    .map(sizeOf)
    .filter(Boolean);
  const logs = sizes.filter((size) => size.sign !== 0).map((size) => size.log);
  const largest = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  const small = logs.filter((log) => log < largest - 2.5).length;
  return largest > 307 || small > logs.length / 10 ? decadeAxis(sizes) : linearAxis();
}
