// Pictures of a map: along one input under the error's plot, and over two inputs as boxes.

const mapColours = ["safe", "open", "unsafe"]; // later ones are drawn on top
const colourWords = {
  safe: "safe: no error counts (proved)",
  unsafe: "unsafe: an error was found that counts",
  open: "open: neither proved nor found",
};

function legendOf(map, ...more) {
  return element(
    "p",
    { class: "legend" },
    mapColours
      .filter((colour) => map && map[colour].length)
      .map((colour) => element("span", {}, element("i", { class: colour }), colourWords[colour])),
    more,
  );
}

// Returns all boxes as { colour, box, bound, witness }.
function boxesOf(map) {
  return mapColours.flatMap((colour) =>
    map[colour].map((box, i) => ({
      colour,
      box,
      bound: map.bounds[colour][i],
      witness: colour === "unsafe" ? map.witnesses[i] : null,
    })),
  );
}

const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const isUseless = (bound) => bound === null || !(bound < 1e100);

// Rounds up to three digits: a printed bound is a bound.
function provenText(bound) {
  if (isUseless(bound)) return "none";
  let text = bound.toPrecision(3);
  for (let nudged = bound; Number(text) < bound; text = nudged.toPrecision(3)) nudged *= 1 + 2 ** -9;
  return Number(text) === 0 ? "0" : text.replace("e+", "e");
}

function boxText({ colour, box, bound, witness }) {
  const sides = Object.entries(box)
    .map(([name, [low, high]]) => (low === high ? `${name} = ${low}` : `${name} in [${low}, ${high}]`))
    .join(", ");
  const parts = [`${colour}: ${sides}`];
  parts.push(isUseless(bound) ? "no bound is proved" : `no error above ${provenText(bound)} (proved)`);
  if (witness)
    parts.push(
      `${witness.error.toPrecision(3)} at ` +
        Object.entries(witness.input)
          .map(([name, value]) => `${name}=${value.decimal}`)
          .join(" "),
    );
  return parts.join("; ");
}

// Pictures that are drawn again when their width or the colours change.
const drawnPictures = [];
function picture(height, label, paint, readout) {
  const canvas = element("canvas", { role: "img", "aria-label": label });
  const figure = element("div", { class: "picture" }, canvas);
  const under = element("p", { class: "under-pointer", "aria-live": "polite" });
  let at = null;
  const draw = () => {
    const width = figure.clientWidth;
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const { left, right, top, bottom } = pictureEdges;
    const area = { left, top, width: width - left - right, height: height - top - bottom };
    const painted = paint(pen, area);
    at = painted.at;
    figure.querySelector("svg")?.remove();
    figure.append(axesOf(painted.across, painted.up, painted.names, width, height));
  };
  canvas.addEventListener("mousemove", (event) => {
    const place = canvas.getBoundingClientRect();
    under.textContent = at ? at(event.clientX - place.left, event.clientY - place.top) || "" : "";
  });
  canvas.addEventListener("mouseleave", () => (under.textContent = readout));
  under.textContent = readout;
  drawnPictures.push(draw);
  new ResizeObserver(draw).observe(figure);
  return element("div", {}, figure, under);
}

function redrawPlots() {
  drawnPictures.forEach((draw) => draw());
}

function axisFor(name, ranges, boxes) {
  const [low, high] = ranges[name];
  return mapAxis(low, high, boxes.flatMap(({ box }) => box[name]));
}

// The map over two inputs. Boxes that differ only in other inputs overlap, with the worst on top.
function boxPicture(map, ranges, [x, y]) {
  const boxes = boxesOf(map);
  const across = axisFor(x, ranges, boxes), up = axisFor(y, ranges, boxes);
  const paint = (pen, area) => {
    const rectangles = boxes.map((one) => {
      const left = area.left + across.at(one.box[x][0]) * area.width;
      const right = area.left + across.at(one.box[x][1]) * area.width;
      const bottom = area.top + (1 - up.at(one.box[y][0])) * area.height;
      const top = area.top + (1 - up.at(one.box[y][1])) * area.height;
      return { one, left, top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) };
    });
    pen.fillStyle = cssColour("--map-open");
    pen.fillRect(area.left, area.top, area.width, area.height);
    for (const { one, left, top, width, height } of rectangles) {
      pen.fillStyle = cssColour(`--map-${one.colour}`);
      pen.fillRect(left, top, width + 0.3, height + 0.3);
    }
    pen.lineWidth = 0.5;
    pen.strokeStyle = cssColour("--page");
    for (const { left, top, width, height } of rectangles)
      if (width > 4 && height > 4) pen.strokeRect(left, top, width, height);
    pen.fillStyle = cssColour("--error");
    for (const { one } of rectangles) {
      if (!one.witness || rectangles.length > 1500) continue;
      const at = (name) => Number(one.witness.input[name].decimal);
      pen.beginPath();
      pen.arc(area.left + across.at(at(x)) * area.width, area.top + (1 - up.at(at(y))) * area.height, 2, 0, 7);
      pen.fill();
    }
    const at = (px, py) => {
      const hit = rectangles.findLast(
        ({ left, top, width, height }) => px >= left && px <= left + width && py >= top && py <= top + height,
      );
      return hit ? boxText(hit.one) : "";
    };
    return { across, up, names: [x, y], at };
  };
  return picture(420, `map over ${x} and ${y}`, paint, "Point at a box for details.");
}
