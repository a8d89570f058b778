// The plots of a finding: one input at a time, the error in either unit or the values, near the finding and far from
// it.

const pointColumns = ["values", "offsets", "errors", "ulps", "computed", "exact", "remedies"];

function pointsWhere(points, keep) {
  const kept = points.values.map((value, i) => i).filter((i) => keep(points.values[i]));
  return Object.fromEntries(
    pointColumns.filter((name) => points[name]).map((name) => [name, kept.map((i) => points[name][i])]),
  );
}

// Returns the points of the first view: everyday numbers if the finding is one of them, else the decades around it.
function closePoints(points, format) {
  const most = format === "binary32" ? 6 : 9;
  const isEveryday = (size) => size && (size.sign === 0 || Math.abs(size.log) <= most + 1e-6);
  const found = sizeOf(points.values[points.offsets.indexOf(0)] || "0");
  if (isEveryday(found))
    return { name: "everyday", points: pointsWhere(points, (value) => isEveryday(sizeOf(value))) };
  const isNear = (size) => size && found && size.sign === found.sign && Math.abs(size.log - found.log) <= 9.1;
  return { name: "nearby", points: pointsWhere(points, (value) => isNear(sizeOf(value))) };
}

// True for a range within a few decades, which is shown linearly.
function isNarrow(sizes) {
  const logs = sizes.map((size) => size.log);
  return (
    sizes.every((size) => size.sign === sizes[0].sign && size.sign !== 0) &&
    Math.max(...logs) - Math.min(...logs) < 1.5
  );
}

function aroundFigure(plot, state) {
  const view = {
    title: "Near the input",
    axis: `floats from the input found: ${plot.input} single steps in the middle, then growing ones`,
    around: true,
  };
  return new PlotFigure(plot.input, plot.around, view, state).node();
}

function rangeFigure(plot, state, format) {
  const close = closePoints(plot.range, format);
  const hasChoice = close.points.values.length > 2 && close.points.values.length < plot.range.values.length;
  const viewOf = (points, scope) => {
    const sizes = points.values.map(sizeOf);
    const linear = sizes.every(Boolean) && isNarrow(sizes);
    return { title: "Over the search range", axis: `${plot.input}${scope}`, linear };
  };
  const whole = () => [plot.range, viewOf(plot.range, hasChoice ? ": all that was searched" : "")];
  const first = () => [
    close.points,
    viewOf(close.points, close.name === "everyday" ? ": everyday numbers" : ": the decades around the input"),
  ];
  // If only infinities are near, the view includes where they begin.
  const hasNumbers = (close.points.computed || [0]).some((value) => typeof value === "number");
  const scope = hasChoice && hasNumbers ? "close" : "whole";
  const figure = new PlotFigure(plot.input, ...(scope === "close" ? first() : whole()), state);
  const choice =
    hasChoice &&
    switchOf(
      "numbers",
      [
        ["close", close.name],
        ["whole", "all floats"],
      ],
      scope,
      (chosen) => figure.show(...(chosen === "close" ? first() : whole())),
    );
  return figure.node(choice);
}

function keyOf(state, plot) {
  const points = plot.range.values.length ? plot.range : plot.around;
  return element(
    "p",
    { class: "key note" },
    curvesOf(measures[state.measure], points).map((curve) =>
      element(
        "span",
        { class: "key-" + curve.tone },
        element("i", { class: curve.bare ? "bare" : null }),
        curve.name,
      ),
    ),
    state.map ? layerKey(state.map) : null,
  );
}

function variance(numbers) {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return numbers.length ? numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length : -1;
}

// Returns how much changes with the input: the decades of the error between a good result and one without a correct
// digit; and, with more weight, whether there is a number at all.
function swing(plot, format) {
  const { points } = closePoints(plot.range, format);
  const known = points.errors.filter((error) => error !== null);
  const decades = known.map((error) => (error > 0 ? Math.min(0, Math.max(-17, Math.log10(error))) : -17));
  const isNumber = (points.computed || []).map((value) => (typeof value === "number" ? 0 : 17));
  return variance(decades) + 10 * variance(isNumber);
}

// Returns the deciding input: the one in the condition, or the one that changes most.
function firstPlot(plots, when, formatOf) {
  const named = plots.find((plot) => (when || "").split(/[^\w[\]]+/).includes(plot.input));
  const swings = plots.map((plot) => swing(plot, formatOf(plot)));
  return named || plots[swings.indexOf(Math.max(...swings))];
}

function heldText(entry, plot) {
  const others = Object.entries(entry.finding.input || {}).filter(([name]) => name !== plot.input);
  if (!others.length) return "";
  const text = others
    .map(([name, value]) =>
      Array.isArray(value) ? `${name} as found` : `${name} = ${typedNumber(value.decimal || "")}`,
    )
    .join(", ");
  return `, with ${text}`;
}

const withoutPlots = (entry, data) =>
  entry.extra.plots_note || (data.without_plots ? "no plots: " + data.without_plots : "");

// A card with plots has a description, switches, and the figures.
class PlotCard {
  constructor(entry, isException) {
    this.entry = entry;
    this.plots = entry.extra.plots;
    this.isException = isException;
    this.state = { measure: isException ? "values" : "relative", map: (entry.target.proof || {}).map };
    this.held = element("p", { class: "note" });
    this.key = element("div");
    this.panel = element("div", { class: "plots" });
    this.show(firstPlot(this.plots, entry.finding.when, (plot) => this.formatOf(plot)));
  }

  formatOf(plot) {
    return ((this.entry.target.inputs || []).find((input) => input.name === plot.input) || {}).format;
  }

  show(plot) {
    const { plotted } = this.entry.extra;
    const what = plotted && plotted !== "return" ? plotted : "the result";
    this.shown = plot;
    forgetPlots();
    this.held.textContent =
      `${this.isException ? "What becomes of" : "The error of"} ${what} when ${plot.input} changes` +
      `${heldText(this.entry, plot)}. The dashed line and the large dot mark this input. ` +
      "Drag to zoom in, double-click to see all.";
    this.key.replaceChildren(keyOf(this.state, plot));
    this.panel.replaceChildren(
      ...[
        plot.range.values.length > 1 && rangeFigure(plot, this.state, this.formatOf(plot)),
        plot.around.values.length > 1 && aroundFigure(plot, this.state),
      ].filter(Boolean),
    );
  }

  measure(name) {
    this.state.measure = name;
    this.key.replaceChildren(keyOf(this.state, this.shown));
    redrawPlots();
  }

  switches() {
    const inputs = this.plots.map((plot) => [plot.input, plot.input]);
    const units = Object.entries(measures).map(([name, measure]) => [name, measure.label]);
    const byName = (name) => this.plots.find((plot) => plot.input === name);
    return element(
      "div",
      { class: "switches" },
      inputs.length > 1 && switchOf("input", inputs, this.shown.input, (name) => this.show(byName(name))),
      switchOf("what is drawn", units, this.state.measure, (name) => this.measure(name)),
    );
  }
}

function plotCard(entry, data) {
  const isException = entry.finding.reaches_output !== undefined;
  const title = `How the ${isException ? "result" : "error"} changes with the input`;
  const note = (text) => element("p", { class: "note" }, text);
  if (!(entry.extra.plots || []).length) {
    const reason = entry.relative > 0 || isException ? withoutPlots(entry, data) : "";
    return reason ? card(title, note(reason)) : null;
  }
  const plots = new PlotCard(entry, isException);
  return card(
    title,
    plots.held,
    entry.extra.plots_note && note(entry.extra.plots_note),
    typeof uPlot === "undefined" &&
      note("This faultline was built without uPlot, so the points are only in the tables."),
    plots.switches(),
    plots.key,
    plots.panel,
  );
}
