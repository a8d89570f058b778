// One plot: curves over an input, or over the distance from the finding. Dragging zooms in; a double click shows all.

const livePlots = new Set(); // the plots on the page, which are drawn again when the colours change

function redrawPlots() {
  for (const draw of livePlots) draw();
}

function forgetPlots() {
  livePlots.clear();
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// `from` and `to` are in device pixels.
function dashedLine(plot, from, to, style, dashes) {
  const { ctx } = plot;
  ctx.save();
  Object.assign(ctx, { strokeStyle: style, lineWidth: devicePixelRatio });
  ctx.setLineDash(dashes.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
  ctx.restore();
}

function dot(plot, x, y, fill, ring) {
  const { ctx } = plot;
  ctx.save();
  Object.assign(ctx, { fillStyle: fill, strokeStyle: ring, lineWidth: 2 * devicePixelRatio });
  ctx.beginPath();
  ctx.arc(x, y, 5 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}

// Draws a mark at the edge: a small triangle in the direction of the number, a cross for NaN.
function edgeMark(plot, x, edge, fill) {
  const { ctx, bbox } = plot;
  const r = 4 * devicePixelRatio,
    bottom = isAtBottom(edge),
    y = bottom ? bbox.top + bbox.height - 1.5 * r : bbox.top + 1.5 * r,
    tip = bottom ? r : -r;
  ctx.save();
  Object.assign(ctx, { fillStyle: fill, strokeStyle: fill, lineWidth: 1.5 * devicePixelRatio });
  ctx.beginPath();
  if (edge === "NaN") {
    ctx.moveTo(x - r * 0.8, y - r * 0.8);
    ctx.lineTo(x + r * 0.8, y + r * 0.8);
    ctx.moveTo(x + r * 0.8, y - r * 0.8);
    ctx.lineTo(x - r * 0.8, y + r * 0.8);
    ctx.stroke();
  } else {
    ctx.moveTo(x - r, y - tip / 2);
    ctx.lineTo(x + r, y - tip / 2);
    ctx.lineTo(x, y + tip);
    ctx.fill();
  }
  ctx.restore();
}

// Draws the finding and the marks at the edges on top of the rest.
function drawMarks(plot, drawing) {
  const { bbox } = plot,
    { points, xs, measure, curves } = drawing;
  const inView = (x) => x >= plot.scales.x.min && x <= plot.scales.x.max;
  const xOf = (i) => plot.valToPos(xs[i], "x", true);
  if (drawing.measureName === "relative" && plot.scales.y.min <= 0 && plot.scales.y.max >= 0) {
    const y = Math.round(plot.valToPos(0, "y", true));
    dashedLine(plot, [bbox.left, y], [bbox.left + bbox.width, y], colour("--faint"), [2, 3]);
  }
  for (const curve of curves)
    curve.values.forEach((value, i) => {
      const edge = edgeOf(measure, value);
      if (edge && inView(xs[i])) edgeMark(plot, xOf(i), edge, colour("--" + curve.tone));
    });
  const witness = points.offsets.indexOf(0);
  if (witness < 0 || !inView(xs[witness])) return;
  const x = Math.round(xOf(witness));
  dashedLine(plot, [x, bbox.top], [x, bbox.top + bbox.height], colour("--accent"), [4, 3]);
  const own = curves.findIndex((curve) => curve.tone === "plot");
  const height = own < 0 ? null : drawing.heights[own][witness];
  if (height !== null && height !== undefined)
    dot(plot, x, plot.valToPos(height, "y", true), colour("--accent"), colour("--card"));
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

// Returns the data of a point, one line each.
function pointLines(points, i) {
  const error = points.errors[i],
    ulps = points.ulps && points.ulps[i];
  const known = (column) => points[column] && points[column][i] !== null;
  return [
    distanceText(points.offsets[i]),
    errorText(error) + (error > 0 && ulps > 0 ? ` (${countText(ulps)} ulps)` : ""),
    known("computed") &&
      `computed ${outputText(points.computed[i])}` +
        (known("exact") ? `, exact ${outputText(points.exact[i])}` : ""),
    known("remedies") && `with the remedy ${measureText(points.remedies[i])}`,
  ].filter(Boolean);
}

function fillTip(tip, plot, drawing) {
  const i = plot.cursor.idx;
  if (i === null || i === undefined || plot.cursor.left < 0) {
    tip.hidden = true;
    return;
  }
  const { points, xs } = drawing;
  tip.replaceChildren(
    element("b", {}, `${drawing.input} = ${points.values[i]}`),
    ...pointLines(points, i).map((line) => element("span", {}, line)),
  );
  tip.hidden = false;
  const x = plot.valToPos(xs[i], "x"),
    width = plot.over.clientWidth;
  tip.style.left = Math.max(0, Math.min(width - tip.offsetWidth, x - tip.offsetWidth / 2)) + "px";
  tip.style.top = plot.cursor.top < plot.over.clientHeight / 2 ? "auto" : "4px";
  tip.style.bottom = tip.style.top === "auto" ? "4px" : "auto";
}

// Returns a range with room for the visible numbers, whole decades, and marks at the edges.
function heightRange(drawing, low, high) {
  const { measure, curves } = drawing;
  if (low === null || high === null || low === undefined) [low, high] = measure.outputs ? [-1, 1] : [-16, 0];
  if (!measure.outputs) {
    const usual = drawing.measureName === "ulps" ? [0, 2] : [-16, 0];
    low = Math.floor(Math.min(low, usual[0]));
    high = Math.ceil(Math.max(high, usual[1]));
  }
  if (high === low) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const edges = curves.flatMap((curve) => curve.values.map((value) => edgeOf(measure, value)));
  const room = (high - low) / 12;
  return [
    low - room * (edges.some((edge) => edge && isAtBottom(edge)) ? 1.4 : 0.4),
    high + room * (edges.some((edge) => edge && !isAtBottom(edge)) ? 1.4 : 0.4),
  ];
}

function ticksOn(axis, room, plot, from, to) {
  const ticks = axis.ticks(from, to, Math.max(2, room));
  axis.labels = new Map(ticks.map((tick) => [tick.at, tick.label]));
  return ticks.map((tick) => tick.at).sort((a, b) => a - b);
}

function plotOptions(width, drawing, tip, home) {
  const height = 240;
  const lines = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { stroke: colour("--grid"), width: 1 },
    font: "11px system-ui, sans-serif",
  };
  const { xAxis, yAxis } = drawing;
  const labels = (axis) => (plot, at) => at.map((position) => axis.labels.get(position) || "");
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, 30, 0, 0],
    scales: {
      x: { time: false, range: (plot, min, max) => [min, max] },
      y: { range: (plot, min, max) => heightRange(drawing, min, max) },
    },
    axes: [
      {
        ...lines,
        size: 34,
        splits: (plot, i, from, to) => ticksOn(xAxis, (width - 90) / 56, plot, from, to),
        values: labels(xAxis),
      },
      {
        ...lines,
        size: (plot, labels) => 20 + 7 * Math.max(4, ...(labels || []).map((label) => label.length)),
        splits: (plot, i, from, to) => ticksOn(yAxis, height / 26, plot, from, to),
        values: labels(yAxis),
      },
    ],
    series: [
      {},
      ...drawing.curves.map((curve) => ({
        stroke: curve.line ? colour(`--${curve.tone}-line`) : "transparent",
        width: curve.bare ? 2.5 : 1,
        points: { show: !curve.bare, size: 4, fill: colour("--" + curve.tone), stroke: colour("--" + curve.tone) },
      })),
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: true },
      points: {
        size: 9,
        width: 2,
        stroke: colour("--card"),
        fill: (plot, i) => colour("--" + drawing.curves[i - 1].tone),
      },
      bind: { dblclick: () => () => home() },
    },
    hooks: {
      drawClear: [(plot) => drawLayer(plot, drawing)],
      draw: [(plot) => drawMarks(plot, drawing)],
      setCursor: [(plot) => fillTip(tip, plot, drawing)],
    },
  };
}
