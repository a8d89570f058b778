// The error of a function of one input: errors of runs as dots, proved bounds as a line, and the map under both.

const measureNames = ["absolute", "ulps", "relative"];
const plotted = (error) => error !== null && error > 0 && error < 1e100;

function logAxis(values) {
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return axisWith(axisKinds.log, low, high > low ? high : low * 10, low);
}

function stripOf(map, name, pen, area, across) {
  for (const { colour, box } of boxesOf(map)) {
    const left = area.left + across.at(box[name][0]) * area.width;
    const right = area.left + across.at(box[name][1]) * area.width;
    pen.fillStyle = cssColour(`--map-${colour}`);
    pen.globalAlpha = 0.45;
    pen.fillRect(left, area.top, Math.max(right - left, 1), area.height);
    pen.globalAlpha = 1;
    pen.fillRect(left, area.top + area.height - 8, Math.max(right - left, 1), 8);
  }
}

function errorPlot(curve, map, name, range, measure, threshold) {
  const which = measureNames.indexOf(measure);
  const points = curve.points.map((row) => ({ at: row[0], error: row[1 + which] }));
  const steps = curve.stretches.map((row) => ({ low: row[0], high: row[1], bound: row[2 + which] }));
  const ends = map ? boxesOf(map).flatMap(({ box }) => box[name]) : steps.flatMap(({ low, high }) => [low, high]);
  const across = mapAxis(range[0], range[1], ends);
  const shown = [...points.map((point) => point.error), ...steps.map((step) => step.bound), threshold].filter(plotted);
  const up = logAxis(shown.length ? shown : [1e-17, 1]);
  const paint = (pen, area) => {
    const x = (value) => area.left + across.at(value) * area.width;
    const y = (error) => area.top + (1 - up.at(error)) * area.height;
    if (map) stripOf(map, name, pen, area, across);
    if (plotted(threshold)) {
      pen.setLineDash([4, 4]);
      pen.strokeStyle = cssColour("--faint");
      pen.strokeRect(area.left, y(threshold), area.width, 0);
      pen.setLineDash([]);
    }
    pen.strokeStyle = cssColour("--good");
    pen.lineWidth = 1.6;
    pen.beginPath();
    for (const { low, high, bound } of steps) {
      const height = plotted(bound) ? y(bound) : bound === 0 ? area.top + area.height : area.top;
      pen.moveTo(x(low), height);
      pen.lineTo(Math.max(x(high), x(low) + 1), height);
    }
    pen.stroke();
    pen.fillStyle = cssColour("--plot");
    for (const { at, error } of points) {
      if (!plotted(error)) continue;
      pen.beginPath();
      pen.arc(x(at), y(error), 1.8, 0, 7);
      pen.fill();
    }
    return { across, up, names: [name, `${measure} error`], at: (px) => textAt(across.value((px - area.left) / area.width)) };
  };
  const textAt = (value) => {
    if (!(value >= range[0] && value <= range[1])) return "";
    const step = steps.find(({ low, high }) => value >= low && value <= high);
    const near = points.reduce((best, point) =>
      Math.abs(across.at(point.at) - across.at(value)) < Math.abs(across.at(best.at) - across.at(value)) ? point : best,
    );
    const parts = [`${name} = ${Number(value.toPrecision(4))}`];
    if (map) {
      const box = boxesOf(map).findLast((one) => value >= one.box[name][0] && value <= one.box[name][1]);
      if (box) parts.push(boxText(box));
    }
    if (step) parts.push(isUseless(step.bound) ? "no bound" : `here no error above ${provenText(step.bound)} (proved)`);
    parts.push(`${near.error === null ? "no" : near.error.toPrecision(3)} error at ${near.at}`);
    return parts.join("; ");
  };
  return picture(340, `${measure} error over ${name}`, paint, "Point at the plot for details.");
}
