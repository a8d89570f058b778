// A campaign at a glance: its yield, its functions by state and outcome, the reached sites, the time spent and whether
// more is likely to find more; and, below, its runs.

function timeText(seconds) {
  const [date, time] = new Date(seconds * 1000).toISOString().split("T");
  return `${date} ${time.slice(0, 5)} UTC`;
}

const runNamed = (campaign, id) => campaign.runs.find((run) => run.id === id);

// "run 3, 2026-11-18 02:32 UTC, commit 52fa9417df15"
function runText(campaign, id) {
  const run = runNamed(campaign, id);
  if (!run) return `run ${id}`;
  return [`run ${id}`, timeText(run.started), run.commit && `commit ${run.commit.slice(0, 12)}`]
    .filter(Boolean)
    .join(", ");
}

// The meaning of the store's words, and their colours.
const stateWords = {
  open: ["open", "to be searched further", "plot"],
  known: ["has changed", "their known findings are tried again first", "exact"],
  refused: ["refused", "they cannot be tested", "faint"],
};
const outcomeWords = {
  found: ["with findings", "something was found", "error"],
  none: ["without findings", "nothing was found yet", "good"],
  proved: ["proved", "a proof shows that there is nothing to find", "good"],
  "not looked at": ["not looked at", "not searched yet", "faint"],
};

const wordsFor = (words, value) => (Object.hasOwn(words, value) ? words[value] : [value, "", "exact"]);

function countsBy(rows, field) {
  const counts = new Map();
  for (const row of rows) counts.set(row[field], (counts.get(row[field]) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

// A bar of parts, with a button per part that shows only its functions.
function barOf(label, counts, words, onchoose) {
  const wordsOf = (value) => wordsFor(words, value);
  const parts = counts.map(([value, count]) => {
    const part = element("span", { class: "part", title: `${wordsOf(value)[0]}: ${countText(count)}` });
    part.style.flexGrow = count;
    part.style.background = `var(--${wordsOf(value)[2]})`;
    return part;
  });
  const buttons = counts.map(([value, count]) => {
    const [name, meaning, tone] = wordsOf(value);
    const swatch = element("i", { "aria-hidden": "true" });
    swatch.style.background = `var(--${tone})`;
    const properties = { type: "button", class: "legend", title: meaning || null, onclick: () => onchoose(value) };
    return element("button", properties, swatch, element("b", {}, countText(count)), " ", name);
  });
  return element(
    "div",
    { class: "bar-of" },
    element("h3", {}, label),
    element("div", { class: "stack", "aria-hidden": "true" }, parts),
    element("div", { class: "legends" }, buttons),
  );
}

function functionsCard(campaign, functions) {
  const { rows } = functions; // in any order
  const only = (field) => (value) => functions.only(field, value);
  return card(
    counted(campaign.functions, "function"),
    barOf("by state", countsBy(rows, "state"), stateWords, only("state")),
    barOf("by outcome", countsBy(rows, "outcome"), outcomeWords, only("outcome")),
    campaign.gone > 0 &&
      element(
        "p",
        { class: "note" },
        `${counted(campaign.gone, "function")} of earlier runs ${campaign.gone === 1 ? "is" : "are"} gone.`,
      ),
  );
}

function sitesCard(campaign, functions) {
  const { sites, reached } = campaign;
  const share = sites ? reached / sites : 0;
  const partly = functions.rows.filter((row) => row.rounds && row.reached < row.sites).length;
  const meter = element("div", {
    class: "stack",
    role: "img",
    "aria-label": `${percentText(share)} of the sites reached`,
  });
  const fill = element("span", { class: "part" });
  fill.style.flexGrow = share;
  fill.style.background = "var(--good)";
  const rest = element("span", { class: "part" });
  rest.style.flexGrow = 1 - share;
  meter.append(fill, rest);
  return card(
    "Sites reached",
    element(
      "p",
      { class: "figure" },
      element("b", {}, percentText(share)),
      ` ${countText(reached)} of ${countText(sites)}`,
    ),
    meter,
    element(
      "p",
      { class: "note" },
      `Operations in functions that have been looked at; ${counted(partly, "function")} ` +
        `${partly === 1 ? "has" : "have"} some that no input has reached.`,
    ),
  );
}

function timeCard(campaign) {
  const [verdict, ...reasons] = campaign.outlook.split(": ");
  const facts = [
    ["time of all workers", durationText(campaign.seconds)],
    ["jobs", countText(campaign.jobs)],
    ["evaluations", countText(campaign.evaluations)],
    campaign.cut > 0 && ["cut off by the clock", counted(campaign.cut, "job")],
    ["runs", countText(campaign.runs.length) + (campaign.running ? ", one under way" : "")],
  ];
  return card(
    "Time spent, and what is left",
    factList(facts),
    element("p", { class: "outlook" }, element("b", {}, verdict), reasons.length > 0 && ": " + reasons.join(": ")),
  );
}

// Links to distant parts of a long page.
function jumps(parts) {
  const button = ([label, id]) => {
    const onclick = () => {
      const part = document.getElementById(id);
      part.scrollIntoView({ block: "start" });
      const first = part.querySelector("input, select, a, button, summary");
      if (first) first.focus({ preventScroll: true });
    };
    return element("button", { type: "button", class: "link", onclick }, label);
  };
  return element("nav", { class: "jumps", "aria-label": "parts of this page" }, parts.filter(Boolean).map(button));
}

function runsGroup(campaign) {
  const fresh = new Map();
  for (const run of Object.values(campaign.first_runs)) fresh.set(run, (fresh.get(run) || 0) + 1);
  const rows = [...campaign.runs]
    .reverse()
    .map((run, i) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, String(run.id)),
        element("td", {}, timeText(run.started)),
        element("td", { class: "amount" }, run.ended ? durationText(run.ended - run.started) : ""),
        element("td", {}, run.ended ? run.ending : i === 0 && campaign.running ? "under way" : "killed"),
        element("td", { class: "amount" }, countText(fresh.get(run.id) || 0)),
        element("td", {}, element("code", {}, run.commit.slice(0, 12))),
      ),
    );
  const titles = ["run", "begun", "took", "ended by", "problems first seen", "commit"];
  return element(
    "section",
    { class: "group", id: "runs" },
    element(
      "details",
      {},
      element("summary", {}, counted(campaign.runs.length, "run")),
      element(
        "div",
        { class: "scroll card" },
        element(
          "table",
          { class: "rows" },
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              titles.map((title, i) =>
                element("th", { scope: "col", class: i === 2 || i === 4 ? "amount" : null }, title),
              ),
            ),
          ),
          element("tbody", {}, rows),
        ),
      ),
    ),
  );
}

// The parts above the problems and below the functions.
function campaignParts(data, problems, functions) {
  const { campaign } = data;
  const cards = functions
    ? [functionsCard(campaign, functions), sitesCard(campaign, functions), timeCard(campaign)]
    : [timeCard(campaign)];
  return {
    head: [
      jumps([["New", "news"], functions && ["Functions", "functions"], campaign.runs.length && ["Runs", "runs"]]),
      element(
        "section",
        { class: "glance", "aria-label": "The campaign at a glance" },
        campaign.curve.seconds.length > 1 &&
          element("div", { class: "card yield-card" }, new YieldChart(campaign).node()),
        cards,
      ),
      newsGroup(campaign, problems),
    ],
    tail: [campaign.runs.length > 0 && runsGroup(campaign)],
  };
}
