// The page of faultline run: problems, printed numbers, watched variables, and the source as a map of lost digits.

const page = JSON.parse(document.getElementById("data").textContent);
const mostDigits = 16;
function redrawPlots() {} // theme.js; the colours of these pictures follow the style sheet

function placeText(place) {
  return place && place.line ? `${place.file}:${place.line}` : "an unknown place";
}

function digitsText(digits) {
  return digits === null ? "unknown" : digits.toFixed(1);
}

function problemCards() {
  return page.problems.map((problem) =>
    element(
      "div",
      { class: `problem of-${problem.tier}` },
      element("h3", {}, element("span", { class: `tier ${problem.tier}` }, problem.tier), `: ${problem.title} `, element("span", { class: "unsure" }, `[${problem.class}]${problem.confirmed ? "" : " not confirmed"}`)),
      element("div", { class: "place" }, `${placeText(problem)}${problem.functions[0] ? ` in ${problem.functions[0]}` : ""}`),
      element("div", {}, problem.seen),
    ),
  );
}

const svgNames = "http://www.w3.org/2000/svg";
function shape(tag, properties, text) {
  const node = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(properties)) node.setAttribute(name, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

// Right digits over something that grows: points of [x, digits]. Unknown digits leave a gap.
function digitsPicture(points, label, joined) {
  const width = 1000, height = 180, left = 30, bottom = 20;
  const first = points[0][0], last = Math.max(points[points.length - 1][0], first + 1);
  const x = (value) => left + ((value - first) / (last - first)) * (width - left - 10);
  const y = (digits) => 8 + (1 - digits / mostDigits) * (height - bottom - 16);
  const picture = shape("svg", { class: "timeline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const digits of [0, 4, 8, 12, 16]) {
    picture.append(shape("line", { class: "grid", x1: left, x2: width - 10, y1: y(digits), y2: y(digits) }));
    picture.append(shape("text", { x: 4, y: y(digits) + 4 }, String(digits)));
  }
  picture.append(shape("text", { x: left, y: height - 4 }, String(first)));
  picture.append(shape("text", { x: width - 10, y: height - 4, "text-anchor": "end" }, String(last)));
  let run = [];
  const finish = () => {
    if (joined && run.length > 1) picture.append(shape("polyline", { points: run.join(" ") }));
    run = [];
  };
  for (const [at, digits, title] of points) {
    if (digits === null) {
      finish();
      continue;
    }
    run.push(`${x(at).toFixed(1)},${y(digits).toFixed(1)}`);
    if (!joined || points.length < 60) {
      const point = shape("circle", { cx: x(at).toFixed(1), cy: y(digits).toFixed(1), r: 2.2 });
      point.append(shape("title", {}, title));
      picture.append(point);
    }
  }
  finish();
  return picture;
}

function printedCard() {
  const { outputs } = page;
  if (outputs.length === 0) return null;
  const most = 2000, listed = 12;
  const step = Math.ceil(outputs.length / most);
  const points = outputs.map((output, i) => [i + 1, output.digits, `${output.text}: ${digitsText(output.digits)} right digits`]).filter((point, i) => i % step === 0);
  const worst = outputs.map((output, i) => [output, i + 1]).sort(([a], [b]) => (a.digits ?? -1) - (b.digits ?? -1)).slice(0, listed);
  const rows = worst.map(([output, number]) =>
    element(
      "tr",
      {},
      element("td", { class: "amount" }, number),
      element("td", { class: "text" }, output.text),
      element("td", { class: "amount" }, digitsText(output.digits)),
      element("td", { class: "where" }, output.line ? `line ${output.line} of standard output, ${placeText(output.printed)}` : placeText(output.printed)),
      element("td", { class: "where" }, output.cause ? placeText(output.cause) : ""),
    ),
  );
  const head = ["number", "printed", "right digits", "where", "digits lost at"].map((name) => element("th", {}, name));
  return card(
    `Right digits of ${page.run.printed} printed numbers, in their order`,
    digitsPicture(points, "right digits of printed numbers", false),
    element("p", {}, `Those with the fewest digits${outputs.length > listed ? `: ${listed} of ${outputs.length}` : ""}`),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))),
  );
}

function watchCard(watch) {
  if (watch.samples.length === 0) return card(`Watched: ${watch.name}`, element("p", {}, "It was never assigned, or no variable of floats has this name."));
  const points = watch.samples.map(([event, value, digits]) => [event, digits, `${value}: ${digitsText(digits)} right digits`]);
  const what = watch.elements > 1 ? `of the norm of ${watch.elements} elements, after each sweep` : "after each assignment";
  return card(
    `Watched: ${watch.name}`,
    element("p", {}, `Right digits ${what}: ${digitsText(watch.samples[0][2])} at first, ${digitsText(watch.last[2])} at last, ${digitsText(watch.worst[2])} at worst (number ${watch.worst[0]}). ${watch.places.map(placeText).join(", ")}`),
    digitsPicture(points, `right digits of ${watch.name} over time`, true),
  );
}

function eventsText(line) {
  const count = (number, word) => (number ? `${number} ${word}` : null);
  return [count(line.flips, "flips"), count(line.nans, "NaN born"), count(line.nan_ends, "NaN taken"), count(line.infinities, "infinities born")].filter(Boolean).join(", ");
}

function sourceCard(file) {
  let before = 0;
  const rows = file.lines.flatMap((line) => {
    const gap = before && line.number > before + 1 ? [element("div", { class: "gap" }, "…")] : [];
    before = line.number;
    const heat = line.loss ? `background: rgb(var(--heat) / ${(0.1 + (0.6 * Math.min(line.loss, mostDigits)) / mostDigits).toFixed(2)})` : null;
    const events = eventsText(line);
    const title = [line.loss ? `${line.losses} of ${line.executions} executions lose 3 digits or more, ${line.loss.toFixed(1)} at worst` : null, events || null].filter(Boolean).join("; ");
    const mark = [line.nans && "NaN", line.nan_ends && "ends NaN", line.infinities && "inf", line.flips && "flip", line.loss && `-${line.loss.toFixed(1)}`].filter(Boolean).join(" ");
    return [
      ...gap,
      element("div", { class: "line", style: heat, title: title || null }, element("span", { class: "number" }, line.number), element("span", { class: "lost" }, mark), element("span", {}, line.text)),
    ];
  });
  return card(file.file, element("pre", { class: "code" }, rows));
}

function fill() {
  const { run } = page;
  document.getElementById("top").append(element("h1", {}, `faultline run: ${run.command.join(" ")}`), themeButton());
  const state = run.signal ? `ended by signal ${run.signal}` : `exit status ${run.status}`;
  const facts = factList([
    ["the program", state],
    ["processor time of the twin", `${run.seconds.toFixed(2)} s`],
    ["confirmed", run.repeated ? `by ${run.runs - 1} further runs` : `no: ${run.unconfirmed || "there was no further run"}`],
    run.not_instrumented.length > 0 && ["not instrumented", run.not_instrumented.join("; ")],
  ]);
  const parts = [
    card(page.problems.length === 0 ? "No problem" : "Problems", problemCards(), facts),
    printedCard(),
    page.watched.map(watchCard),
    page.source.length > 0 && element("p", { class: "words" }, "Digits lost by line: the largest loss of one execution, by cancellation. Marked: comparisons that rounding flips, where a NaN or an infinity is born, and where a NaN ends. The pointer shows the figures."),
    page.source.map(sourceCard),
  ];
  document.getElementById("bounds").append(...parts.flat(Infinity).filter(Boolean));
  applyTheme(rememberedTheme());
  document.body.classList.add("ready");
}

fill();
