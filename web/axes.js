// The axes of the plots: made here rather than by the plotting library. Errors of zero and infinity have a place on the
// vertical one, and the horizontal one counts floats.

const views = {
  around: {
    title: "Around the input found",
    axis: "distance from the input found, in floats: one by one in the middle, then ever further",
    position: (offset) => Math.sign(offset) * Math.log2(1 + Math.abs(offset)),
    ticks: () => [0, ...[4, 32, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18].flatMap((n) => [-n, n])],
    label: (offset) =>
      offset === 0
        ? "0"
        : (offset < 0 ? "−" : "+") +
          (Math.abs(offset) < 1000 ? Math.abs(offset) : "1e" + Math.log10(Math.abs(offset))),
  },
  range: {
    title: "Over the whole search range",
    axis: "value of the input, in equal steps of the order of floats",
    position: (offset) => offset,
    ticks: (points) => nearestTo(points.offsets, [0, 1, 0.5, 0.25, 0.75]),
    label: (offset, points) => shortValue(points.values[points.offsets.indexOf(offset)]),
  },
};

// The values of the sorted list that are nearest to these fractions of the way from its first to its last.
function nearestTo(sorted, fractions) {
  const first = sorted[0],
    width = sorted[sorted.length - 1] - first;
  const distance = (offset, fraction) => Math.abs(offset - first - width * fraction);
  return fractions.map((fraction) =>
    sorted.reduce((best, offset) => (distance(offset, fraction) < distance(best, fraction) ? offset : best), first),
  );
}

function shortValue(text) {
  const value = Number(text);
  const beyondDouble = !Number.isFinite(value) || (value === 0 && /[1-9]/.test(text));
  if (beyondDouble) return text.replace(/(\.\d)\d+/, "$1");
  const size = Math.abs(value);
  const short =
    size === 0 || (size >= 0.001 && size < 100000)
      ? String(Number(value.toPrecision(3)))
      : value.toExponential(1).replace("e+", "e").replace(".0e", "e");
  return short.replace("-", "−").replace("e-", "e−");
}

const lowestError = -20; // 1e-20 and less look the same: no format has such errors but by luck

// Where errors stand on the vertical axis: the decimal logarithm; zero below all others, infinity above.
function errorAxis(errors) {
  const known = errors.filter((error) => error !== null);
  const finite = known.filter((error) => error > 0 && !isInfinite(error)).map(Math.log10);
  const zero = known.includes(0),
    infinite = known.some(isInfinite);
  const low = Math.max(lowestError, Math.floor(Math.min(-16, ...finite))),
    high = Math.ceil(Math.max(0, ...finite));
  const step = Math.max(1, Math.ceil((high - low) / 5));
  const apart = Math.max(1, step / 2); // of zero and infinity from the rest
  const axis = {
    low,
    high,
    bottom: zero ? low - apart : low,
    top: infinite ? high + apart : high,
    margin: (high - low) / 20,
  };
  axis.position = (error) =>
    error === null
      ? null
      : error === 0
        ? axis.bottom
        : isInfinite(error)
          ? axis.top
          : Math.max(low, Math.log10(error));
  axis.label = (position) =>
    zero && position === axis.bottom
      ? "0"
      : infinite && position === axis.top
        ? "∞"
        : position === 0
          ? "1"
          : "1e" + position;
  axis.ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) axis.ticks.push(at);
  if (zero) axis.ticks.unshift(axis.bottom);
  if (infinite) axis.ticks.push(axis.top);
  return axis;
}
