// The error over one input, while the others stay as they are in the finding.

const livePlots = new Set(); // those on the page, to be drawn again when the colours change

function redrawPlots() {
  for (const draw of livePlots) draw();
}

function forgetPlots() {
  livePlots.clear();
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function verticalLine(plot, at, style) {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(at, "x", true));
  ctx.save();
  Object.assign(ctx, { strokeStyle: style, lineWidth: devicePixelRatio });
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function horizontalLine(plot, at, style) {
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(at, "y", true));
  ctx.save();
  Object.assign(ctx, { strokeStyle: style, lineWidth: devicePixelRatio });
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

function dot(plot, x, y, fill, ring) {
  const { ctx } = plot;
  ctx.save();
  Object.assign(ctx, { fillStyle: fill, strokeStyle: ring, lineWidth: 2 * devicePixelRatio });
  ctx.beginPath();
  ctx.arc(plot.valToPos(x, "x", true), plot.valToPos(y, "y", true), 5 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}

// The input that was found, on top of the rest.
function drawMarks(plot, points, view, axis) {
  horizontalLine(plot, 0, colour("--faint"));
  const witness = points.offsets.indexOf(0);
  if (witness < 0) return;
  verticalLine(plot, view.position(0), colour("--accent"));
  const at = axis.position(points.errors[witness]);
  if (at !== null) dot(plot, view.position(0), at, colour("--accent"), colour("--card"));
}

function errorText(error) {
  return error === null
    ? "no answer: the call did not return, or the exact result is not known"
    : error === 0
      ? "exact"
      : "relative error " + measureText(error);
}

function distanceText(offset) {
  if (offset === 0) return "the input found";
  const size = Math.abs(offset);
  return `${countText(size)} ${size === 1 ? "float" : "floats"} ${offset > 0 ? "above" : "below"}`;
}

function fillTip(tip, plot, input, points, view, axis) {
  const index = plot.cursor.idx;
  if (index === null || index === undefined || plot.cursor.left < 0) {
    tip.hidden = true;
    return;
  }
  tip.replaceChildren(
    element("b", {}, `${input} = ${points.values[index]}`),
    element("span", {}, distanceText(points.offsets[index])),
    element("span", {}, errorText(points.errors[index])),
  );
  tip.hidden = false;
  const x = plot.valToPos(view.position(points.offsets[index]), "x"),
    width = plot.over.clientWidth;
  const height = axis.position(points.errors[index]);
  tip.style.left = Math.max(0, Math.min(width - tip.offsetWidth, x - tip.offsetWidth / 2)) + "px";
  tip.style.top = height !== null && plot.valToPos(height, "y") < plot.over.clientHeight / 2 ? "auto" : "4px";
  tip.style.bottom = tip.style.top === "auto" ? "4px" : "auto";
}

function plotOptions(width, input, points, view, axis, tip) {
  const ticks = view.ticks(points).map((offset) => [view.position(offset), view.label(offset, points)]);
  const labels = new Map(ticks);
  const lines = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { stroke: colour("--grid"), width: 1 },
    font: "11px system-ui, sans-serif",
  };
  const ends = [view.position(points.offsets[0]), view.position(points.offsets[points.offsets.length - 1])];
  const apart = ((ends[1] - ends[0]) * 58) / (width - 90); // of labels
  const shown = [];
  for (const at of labels.keys())
    // the first ones matter most
    if (at >= ends[0] && at <= ends[1] && shown.every((other) => Math.abs(other - at) >= apart)) shown.push(at);
  shown.sort((a, b) => a - b);
  return {
    width,
    height: 220,
    legend: { show: false },
    padding: [10, 26, 0, 0],
    scales: {
      x: { time: false, range: () => ends },
      y: { range: () => [axis.bottom - axis.margin, axis.top + 2 * axis.margin] },
    },
    axes: [
      { ...lines, splits: () => shown, values: (plot, at) => at.map((position) => labels.get(position)) },
      { ...lines, size: 52, splits: () => axis.ticks, values: (plot, at) => at.map(axis.label) },
    ],
    series: [
      {},
      {
        stroke: colour("--plot-line"),
        width: 1,
        points: { show: true, size: 4, fill: colour("--plot"), stroke: colour("--plot") },
      },
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, fill: colour("--plot"), stroke: colour("--card"), width: 2 },
    },
    hooks: {
      draw: [(plot) => drawMarks(plot, points, view, axis)],
      setCursor: [(plot) => fillTip(tip, plot, input, points, view, axis)],
    },
  };
}

function summaryText(input, points) {
  const known = points.errors.filter((error) => error !== null);
  if (!known.length) return `${points.values.length} values of ${input}: no answer for any of them`;
  const worst = known.reduce((a, b) => Math.max(a, b)),
    best = known.reduce((a, b) => Math.min(a, b));
  return (
    `Relative error at ${points.values.length} values of ${input} from ${points.values[0]} ` +
    `to ${points.values[points.values.length - 1]}: between ${measureText(best)} and ${measureText(worst)}` +
    (known.length < points.values.length ? `; no answer at ${points.values.length - known.length}` : "")
  );
}

// The same numbers for those who cannot see the plot, or want to copy them; made when it is opened.
function plotTable(input, points) {
  const details = element("details", { class: "numbers" }, element("summary", {}, "The points as a table"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const rows = points.values.map((value, i) =>
      element(
        "tr",
        {},
        element("td", { class: "number" }, value),
        element("td", {}, distanceText(points.offsets[i])),
        element("td", {}, errorText(points.errors[i])),
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
            element("tr", {}, ...[input, "distance", "error"].map((name) => element("th", { scope: "col" }, name))),
          ),
          element("tbody", {}, rows),
        ),
      ),
    );
  });
  return details;
}

function plotFigure(input, points, view) {
  const area = element("div", { class: "plot", role: "img", "aria-label": summaryText(input, points) });
  const figure = element(
    "figure",
    {},
    element("h3", {}, view.title),
    area,
    element("figcaption", {}, view.axis),
    plotTable(input, points),
  );
  if (typeof uPlot === "undefined") return figure;
  const axis = errorAxis(points.errors);
  const columns = [points.offsets.map(view.position), points.errors.map(axis.position)];
  const tip = element("div", { class: "tip", hidden: true });
  let plot = null;
  const draw = () => {
    if (!area.clientWidth) return;
    if (plot) plot.destroy();
    plot = new uPlot(plotOptions(area.clientWidth, input, points, view, axis, tip), columns, area);
    plot.over.append(tip);
  };
  livePlots.add(draw);
  let width = 0;
  new ResizeObserver(() => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    draw();
  }).observe(area);
  return figure;
}

function plotPanel(plot) {
  return element(
    "div",
    { class: "plots" },
    ["around", "range"]
      .filter((name) => plot[name] && plot[name].values && plot[name].values.length > 1)
      .map((name) => plotFigure(plot.input, plot[name], views[name])),
  );
}

// One input at a time.
function plotCard(entry, data) {
  const plots = entry.extra.plots || [];
  if (!plots.length) {
    const reason =
      entry.extra.plots_note ||
      (entry.relative !== null && entry.relative > 0 && data.without_plots
        ? "no plots: " + data.without_plots
        : "");
    return reason ? card("Error over the input", element("p", { class: "note" }, reason)) : null;
  }
  const panel = element("div");
  const others =
    (entry.target.inputs || []).length > 1 ? ", while the other inputs stay as they are in this finding" : "";
  const show = (plot) => {
    forgetPlots();
    panel.replaceChildren(plotPanel(plot));
  };
  const tabs = plots.map((plot, i) =>
    element(
      "button",
      {
        type: "button",
        class: "tab",
        "aria-pressed": String(i === 0),
        onclick: (event) => {
          tabs.forEach((tab) => tab.setAttribute("aria-pressed", String(tab === event.currentTarget)));
          show(plot);
        },
      },
      plot.input,
    ),
  );
  show(plots[0]);
  return card(
    "Error over the input",
    element(
      "p",
      { class: "note" },
      `The relative error of the output when ${plots.length > 1 ? "one input" : plots[0].input} changes${others}. ` +
        "The dashed line and the large dot mark this finding; from the dotted line at 1 upwards no digit is right.",
      entry.extra.plots_note
        ? " " + entry.extra.plots_note[0].toUpperCase() + entry.extra.plots_note.slice(1) + "."
        : "",
    ),
    typeof uPlot === "undefined" &&
      element(
        "p",
        { class: "note" },
        "This faultline was built without uPlot, which draws: the points are in the tables.",
      ),
    plots.length > 1 && element("div", { class: "tabs", role: "group", "aria-label": "input" }, tabs),
    panel,
  );
}
