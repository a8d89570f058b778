// A plot on the page, with its zoom buttons and its points as a table.

function drawingOf(input, points, view, measureName) {
  const measure = measures[measureName];
  const curves = curvesOf(measure, points);
  const drawing = { input, points, measure, measureName, curves, yAxis: yAxisOf(measure, curves) };
  if (view.around) {
    drawing.xAxis = distanceAxis();
    drawing.xs = points.offsets.map(drawing.xAxis.position);
  } else {
    const sizes = points.values.map(sizeOf);
    drawing.xAxis = view.linear ? linearAxis() : decadeAxis(sizes);
    drawing.xs = sizes.map(drawing.xAxis.position);
  }
  drawing.heights = curves.map((curve) => heightsOf(measure, drawing.yAxis, curve));
  return drawing;
}

function summaryText(input, points, measureName) {
  const count = points.values.length;
  const ends = `at ${count} values of ${input} from ${points.values[0]} to ${points.values[count - 1]}`;
  const known = points.errors.filter((error) => error !== null);
  if (!known.length) return `No error is known ${ends}`;
  const worst = known.reduce((a, b) => Math.max(a, b)),
    best = known.reduce((a, b) => Math.min(a, b));
  return (
    `Relative error ${ends}: between ${measureText(best)} and ${measureText(worst)}` +
    (known.length < count ? `; no answer at ${count - known.length}` : "") +
    (measureName === "values" ? "; the picture shows the computed and the exact result" : "")
  );
}

// The same numbers as a table, for screen readers and copying; made when it is opened.
function plotTable(input, points) {
  const details = element("details", { class: "numbers" }, element("summary", {}, "The points as a table"));
  const columns = [
    [input, (i) => points.values[i]],
    ["distance", (i) => distanceText(points.offsets[i])],
    ["error", (i) => errorText(points.errors[i])],
    ["ulps", (i) => points.ulps && (points.ulps[i] === null ? "" : countText(points.ulps[i]))],
    ["computed", (i) => points.computed && outputText(points.computed[i])],
    ["exact", (i) => points.exact && outputText(points.exact[i])],
    points.remedies && [
      "with the remedy",
      (i) => (points.remedies[i] === null ? "" : measureText(points.remedies[i])),
    ],
  ].filter(Boolean);
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const rows = points.values.map((value, i) =>
      element(
        "tr",
        {},
        columns.map(([name, text], c) => element("td", { class: c ? null : "number" }, text(i) || "")),
      ),
    );
    details.append(
      element(
        "div",
        { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "points" },
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              columns.map(([name]) => element("th", { scope: "col" }, name)),
            ),
          ),
          element("tbody", {}, rows),
        ),
      ),
    );
  });
  return details;
}

class PlotFigure {
  // `view`: { title, axis, around, linear }; `state`: shared by the figures of a card.
  constructor(input, points, view, state) {
    Object.assign(this, { input, points, view, state, plot: null });
    this.area = element("div", { class: "plot", role: "img" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.choices = element("div", { class: "zoom", role: "group", "aria-label": "zoom" });
    this.table = element("div");
    this.caption = element("figcaption");
    let width = 0;
    new ResizeObserver(() => {
      if (this.area.clientWidth === width) return;
      width = this.area.clientWidth;
      this.draw();
    }).observe(this.area);
    livePlots.add(() => this.draw());
    this.show(points, view);
  }

  show(points, view) {
    Object.assign(this, { points, view });
    this.caption.textContent = view.axis;
    this.table.replaceChildren(plotTable(this.input, points));
    this.draw();
  }

  draw() {
    this.area.setAttribute("aria-label", summaryText(this.input, this.points, this.state.measure));
    if (typeof uPlot === "undefined" || !this.area.clientWidth) return;
    if (this.plot) this.plot.destroy();
    const drawing = drawingOf(this.input, this.points, this.view, this.state.measure);
    if (this.state.map) drawing.layer = layerOf(this.state.map, this.input, this.points.values);
    this.xs = drawing.xs;
    const options = plotOptions(this.area.clientWidth, drawing, this.tip, () => this.zoomOut());
    this.plot = new uPlot(options, [drawing.xs, ...drawing.heights], this.area);
    this.plot.over.append(this.tip);
  }

  zoomOut() {
    this.zoomTo(this.xs[0], this.xs[this.xs.length - 1]);
  }

  zoomTo(min, max) {
    if (this.plot) this.plot.setScale("x", { min, max });
  }

  // Zooms around the finding if it is visible, else around the middle.
  zoomBy(factor) {
    if (!this.plot) return;
    const { min, max } = this.plot.scales.x,
      found = this.xs[this.points.offsets.indexOf(0)];
    const centre = found >= min && found <= max ? found : (min + max) / 2;
    const first = this.xs[0],
      last = this.xs[this.xs.length - 1];
    this.zoomTo(
      Math.max(first, centre - (centre - min) * factor),
      Math.min(last, centre + (max - centre) * factor),
    );
  }

  node(more) {
    const button = (text, label, onclick) =>
      element("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    this.choices.append(
      button("+", "zoom in", () => this.zoomBy(0.4)),
      button("−", "zoom out", () => this.zoomBy(2.5)),
      button("all", "show all points", () => this.zoomOut()),
      ...[more].filter(Boolean),
    );
    return element(
      "figure",
      {},
      element("div", { class: "figure-head" }, element("h3", {}, this.view.title), this.choices),
      this.area,
      this.caption,
      this.table,
    );
  }
}
