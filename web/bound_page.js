// The page of faultline bound.

const page = JSON.parse(document.getElementById("data").textContent);
const target = page.bound.targets[0];
const ranges = Object.fromEntries(target.inputs.map(({ name, low, high }) => [name, [Number(low), Number(high)]]));
const freeInputs = target.inputs.map(({ name }) => name).filter((name) => ranges[name][0] !== ranges[name][1]);

function inputText(input) {
  return Object.entries(input)
    .map(([name, value]) => `${name}=${value.decimal}`)
    .join(" ");
}

// The numbers are formatted by the program, which rounds bounds outwards as on the terminal.
function sidesTable() {
  const rows = target.outputs.flatMap((output, i) =>
    measureNames.map((measure, k) => {
      const sides = output[measure];
      const [found, proven, ratio] = page.words[i][k];
      return element(
        "tr",
        {},
        element("td", {}, k === 0 ? output.name : ""),
        element("td", {}, measure),
        element("td", { class: "amount", title: String(sides.found) }, found),
        element("td", { class: "amount", title: String(sides.proven ?? sides.proven_elsewhere ?? "") }, proven),
        element("td", { class: "amount" }, ratio),
        element("td", { class: "where" }, inputText(sides.input)),
      );
    }),
  );
  const head = ["output", "error", "found", target.unproven ? "proven elsewhere" : "proven", "ratio", "found at"].map((name, i) =>
    element("th", { class: i >= 2 && i <= 4 ? "amount" : null }, name),
  );
  return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
}

function plotCard() {
  const place = element("div", {});
  const show = (measure) =>
    place.replaceChildren(
      errorPlot(page.curve, target.map, freeInputs[0], ranges[freeInputs[0]], measure, measure === page.measure ? page.threshold : null),
    );
  const first = page.threshold === undefined ? "relative" : page.measure;
  show(first);
  const keys = [
    element("span", {}, element("i", { class: "line", style: "background: var(--good)" }), "proven bound"),
    element("span", {}, element("i", { class: "dot", style: "background: var(--plot)" }), "error of a run, estimated"),
  ];
  return [switchOf("what is drawn", measureNames.map((name) => [name, name]), first, show), legendOf(target.map, keys), place];
}

function pairChoice() {
  const place = element("div", {});
  const pairs = freeInputs.flatMap((x, i) => freeInputs.slice(i + 1).map((y) => [x, y]));
  const show = (index) => place.replaceChildren(boxPicture(target.map, ranges, pairs[index]));
  const menu = element(
    "select",
    { "aria-label": "inputs that are shown", onchange: () => show(Number(menu.value)) },
    pairs.map(([x, y], i) => element("option", { value: i }, `${x} and ${y}`)),
  );
  show(0);
  const note = "A place is safe if it is safe for all values of the other inputs.";
  return [pairs.length > 1 ? element("p", {}, menu, " ", element("span", { class: "note" }, note)) : null, legendOf(target.map), place];
}

function shareText() {
  const { safe, unsafe, open } = target.map.shares;
  const percent = (share) =>
    share > 0 && share < 0.001 ? "< 0.1 %" : share < 1 && share > 0.999 ? "> 99.9 %" : `${(100 * share).toFixed(1)} %`;
  return `Of the range's volume: ${percent(safe)} safe, ${percent(unsafe)} unsafe, ${percent(open)} open.`;
}

function mapCard() {
  const pictures = freeInputs.length === 1 ? plotCard() : freeInputs.length > 1 ? pairChoice() : [];
  const about = page.threshold === undefined ? "The error over the range" : `Where the ${page.measure} error is above ${tickText(page.threshold)}`;
  return card(
    about,
    page.summary ? element("p", { class: "words", id: "summary" }, page.summary) : null,
    pictures,
    target.map ? element("p", { class: "note" }, shareText()) : null,
  );
}

function aroundCard() {
  const { point, box, bound } = target.around;
  const where = Object.entries(point).map(([name, value]) => `${name} = ${value}`).join(", ");
  const words = box
    ? Object.entries(box).map(([name, [low, high]]) => [name, low === high ? String(low) : `from ${low} to ${high}`])
    : [["", "not even the point is proved to be safe"]];
  return card(`The safe box around ${where}`, factList(words), box ? element("p", { class: "note" }, `No error above ${provenText(bound)} in it (proved).`) : null);
}

const rangesText = (box) =>
  Object.entries(box)
    .map(([name, [low, high]]) => `${name} in [${low}, ${high}]`)
    .join(", ");

function openCard() {
  const { open } = target.outputs[0];
  return card(
    `Not proved: ${target.unproven} box${target.unproven === 1 ? "" : "es"}`,
    element("p", { class: "where" }, `all within ${rangesText(target.unproven_within)}`),
    element("p", { class: "note" }, "What is proven holds outside of them. The largest:"),
    open.map(({ box, reason }) =>
      element("p", { class: "where" }, `${rangesText(box)}: ${reason}`),
    ),
  );
}

document.title = `${target.function}: the largest error`;
document.getElementById("top").append(element("h1", {}, "Faultline"), element("span", { class: "note" }, `${target.function}, ${target.file}:${target.line}`), themeButton());
document.getElementById("bounds").append(
  ...[
    card(
      `How large the error of ${target.function} can be`,
      element(
        "p",
        { class: "note" },
        "For every float of ",
        target.inputs.map(({ name, low, high }) => (low === high ? `${name} = ${low}` : `${name} in [${low}, ${high}]`)).join(", "),
        target.unproven
          ? ". Proven elsewhere: outside of the boxes below that are not proved, no error is larger. Found: an input whose error is this large."
          : ". Proven: no error is larger. Found: an input whose error is this large.",
      ),
      sidesTable(),
    ),
    target.map || page.curve.points.length ? mapCard() : null,
    target.around ? aroundCard() : null,
    target.unproven ? openCard() : null,
    element("p", { class: "note" }, page.closing),
  ].filter(Boolean),
);
document.body.classList.add("ready");
