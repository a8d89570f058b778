// The data of a plot at its points: the error in two units, and the output next to the exact one. A curve is a list of
// numbers with a name and a colour. Numbers that have no position on an axis (the error of an exact result has no
// logarithm; infinity, NaN) are marks at the edge.

const measures = {
  relative: {
    label: "relative error",
    least: -18, // decades: smaller errors look the same, and occur only by chance
    curves: (points) => [
      { name: "now", values: points.errors, tone: "plot", line: true },
      points.remedies && { name: "with the remedy", values: points.remedies, tone: "good", line: true },
    ],
  },
  ulps: {
    label: "ulps",
    least: -3,
    curves: (points) => [
      { name: "now", values: points.ulps || [], tone: "plot", line: true },
      // Both errors are relative to the same exact result, so their ratio is the same in all units.
      points.remedies && {
        name: "with the remedy",
        values: points.remedies.map((remedy, i) => inUlps(remedy, points, i)),
        tone: "good",
        line: true,
      },
    ],
  },
  values: {
    label: "computed and exact",
    least: -Infinity,
    outputs: true,
    curves: (points) => [
      { name: "exact", values: points.exact || [], tone: "exact", line: true, bare: true },
      { name: "computed", values: points.computed || [], tone: "plot" },
    ],
  },
};

function inUlps(remedy, points, i) {
  if (remedy === null || remedy === 0 || isInfinite(remedy)) return remedy;
  const error = points.errors[i],
    ulps = points.ulps[i];
  return error > 0 && ulps > 0 && !isInfinite(error) && !isInfinite(ulps) ? (remedy / error) * ulps : null;
}

const curvesOf = (measure, points) =>
  measure.curves(points).filter((curve) => curve && curve.values.some((value) => value !== null));

// Returns the edge for a number that is not on the axis; nothing if it is on the axis.
function edgeOf(measure, value) {
  if (value === null || value === undefined) return null;
  if (measure.outputs)
    return typeof value === "number"
      ? null
      : /nan/i.test(value)
        ? "NaN"
        : /^-inf/i.test(value)
          ? "−∞"
          : /inf/i.test(value)
            ? "∞"
            : null;
  return value === 0 ? "0" : isInfinite(value) ? "∞" : null;
}

const isAtBottom = (edge) => edge === "0" || edge === "−∞";

function yAxisOf(measure, curves) {
  const all = curves.flatMap((curve) => curve.values);
  if (measure.outputs) return outputAxis(all);
  return decadeAxis([{ sign: 1, log: 0 }]);
}

// Returns the positions of a curve's numbers on the axis.
function heightsOf(measure, axis, curve) {
  return curve.values.map((value) => {
    if (value === null || value === undefined || edgeOf(measure, value)) return null;
    const size = sizeOf(value);
    return size && Math.max(measure.least, axis.position(size));
  });
}

function outputText(value) {
  if (value === null || value === undefined) return "unknown";
  return typedNumber(String(value));
}
