// Axes of maps: from numbers to positions between 0 and 1, and the labels.

const axisKinds = { linear: "linear", log: "log", both: "both" };

// Logarithmic if the range spans decades: on both sides of 0, or down to 0 if relevant ends are there.
function mapAxis(low, high, ends) {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const sizes = ends.map(Math.abs).filter((size) => size > most * 1e-20 && size < most);
  const least = Math.min(...sizes, most);
  if (low > 0 || high < 0) {
    const near = Math.min(Math.abs(low), Math.abs(high));
    return axisWith(most / near > 100 ? axisKinds.log : axisKinds.linear, low, high, near);
  }
  return axisWith(most / least > 1000 ? axisKinds.both : axisKinds.linear, low, high, least);
}

function axisWith(kind, low, high, least) {
  // Around 0, a stretch as wide as a decade on each side is linear.
  const bent = {
    linear: (x) => x,
    log: (x) => Math.sign(x) * Math.log10(Math.abs(x) / least),
    both: (x) => (Math.abs(x) <= least ? x / least : Math.sign(x) * (1 + Math.log10(Math.abs(x) / least))),
  }[kind];
  const straight = {
    linear: (y) => y,
    log: (y) => (low > 0 ? 1 : -1) * least * 10 ** Math.abs(y),
    both: (y) => (Math.abs(y) <= 1 ? y * least : Math.sign(y) * least * 10 ** (Math.abs(y) - 1)),
  }[kind];
  const from = bent(low), to = bent(high);
  const width = to - from || 1;
  return {
    kind,
    low,
    high,
    at: (x) => (bent(Math.min(Math.max(x, low), high)) - from) / width,
    value: (place) => straight(from + place * width),
    ticks: (most) => (kind === axisKinds.linear ? linearTicks(low, high, most) : decadeTicks(low, high, least, kind, most)),
  };
}

function linearTicks(low, high, most) {
  const raw = (high - low) / most;
  if (!(raw > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size >= raw);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step)
    ticks.push(Math.abs(tick) < step * 1e-9 ? 0 : Number(tick.toPrecision(12)));
  return ticks;
}

function decadeTicks(low, high, least, kind, most) {
  const exponents = (from, to) => {
    const all = [];
    for (let e = Math.ceil(Math.log10(from) - 1e-9); e <= Math.floor(Math.log10(to) + 1e-9); e++) all.push(e);
    return all;
  };
  const above = high > 0 ? exponents(Math.max(low, least), high) : [];
  const below = low < 0 ? exponents(Math.max(-high, least), -low) : [];
  const every = Math.max(1, Math.ceil((above.length + below.length) / most));
  const power = (e) => Number(`1e${e}`);
  return [
    ...below.filter((e) => (e - below[below.length - 1]) % every === 0).map((e) => -power(e)),
    ...(kind === axisKinds.both ? [0] : []),
    ...above.filter((e) => (e - above[above.length - 1]) % every === 0).map(power),
  ];
}

function tickText(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential().replace("e+", "e") : String(x);
}

// Makes an element of a drawing.
function drawn(tag, properties, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

const pictureEdges = { left: 74, right: 16, top: 12, bottom: 44 };

// Draws lines, numbers and names at the edges of a picture of this size.
function axesOf(across, up, names, width, height) {
  const { left, right, top, bottom } = pictureEdges;
  const inner = { width: width - left - right, height: height - top - bottom };
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const tick of across.ticks(Math.max(2, Math.floor(inner.width / 85)))) {
    const x = left + across.at(tick) * inner.width;
    svg.append(drawn("line", { class: "axis", x1: x, x2: x, y1: height - bottom, y2: height - bottom + 5 }));
    svg.append(drawn("text", { x, y: height - bottom + 18, "text-anchor": "middle" }, tickText(tick)));
  }
  for (const tick of up.ticks(Math.max(2, Math.floor(inner.height / 45)))) {
    const y = height - bottom - up.at(tick) * inner.height;
    svg.append(drawn("line", { class: "axis", x1: left - 5, x2: left, y1: y, y2: y }));
    svg.append(drawn("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, tickText(tick)));
  }
  svg.append(
    drawn("path", { class: "axis", fill: "none", d: `M${left} ${top}V${height - bottom}H${width - right}` }),
    drawn("text", { class: "name", x: left + inner.width / 2, y: height - 6, "text-anchor": "middle" }, names[0]),
    drawn(
      "text",
      { class: "name", x: 14, y: top + inner.height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${top + inner.height / 2})` },
      names[1],
    ),
  );
  return svg;
}
