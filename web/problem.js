// One problem: the fault and its place, an input to try, the reason, conditions, frequency, remedy, the worst input,
// and its findings.

const tierBadge = (tier) => element("span", { class: `tier tier-${tier in tiers ? tier : "note"}` }, tier);

function backTo(label, hash) {
  return element("a", { class: "back", href: hash }, "← " + label);
}

function excerptNode(entry, sources) {
  const [span] = entry.extra.excerpt || [];
  if (!span) return null;
  const [file, first, last] = span,
    { line, column } = entry.problem;
  const rows = [];
  for (let number = first; number <= last; ++number) {
    const text = (sources[file] || {})[number] || "";
    rows.push(
      element(
        "tr",
        { class: number === line ? "cause" : null },
        element("td", { class: "line" }, String(number)),
        element(
          "td",
          { class: "code" },
          number === line ? underlinedCode(text, column, entry.extra.underlined) : element("code", {}, text || " "),
        ),
      ),
    );
  }
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "source" },
    element("table", { class: "source excerpt" }, element("tbody", {}, rows)),
  );
}

// The compiler counts bytes from 1.
function underlinedCode(text, column, expression) {
  const bytes = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(bytes.slice(from, to));
  const [first, end] = expression || [column, column + 1];
  if (!(first >= 1) || first > bytes.length) return element("code", {}, text || " ");
  return element(
    "code",
    {},
    part(0, first - 1),
    element("span", { class: "underlined" }, part(first - 1, end - 1)),
    part(end - 1, bytes.length),
  );
}

function tryNode(entry) {
  const { problem, representative } = entry;
  const finding = representative ? representative.finding : {};
  const { output } = problem;
  const call = `${entry.functions[0] || ""}(${entry.extra.try || ""})`;
  const exact = output && output.reference;
  return [
    element("div", { class: "command" }, element("code", {}, call), copyButton(entry.extra.try || "", "the input")),
    output && output.computed
      ? element(
          "p",
          { class: "outcome" },
          output.name && output.name !== "return" && element("code", {}, output.name + " "),
          "computed ",
          exact
            ? markedNumber(output.computed.decimal, exact.decimal, entry.relative)
            : element("span", { class: "number" }, output.computed.decimal),
          exact && [" exact ", element("span", { class: "number" }, shortReference(exact.decimal))],
        )
      : element("p", { class: "outcome" }, finding.detail || ""),
  ];
}

// Limits a reference to the digits of a double.
const shortReference = (text) => text.replace(/(\d\.\d{17})\d+/, "$1");

function fixNode(entry) {
  const remedy = entry.problem.remedy;
  if (!remedy) return null;
  return [
    element("p", {}, typedNumber(remedy.text || "")),
    entry.relative !== null &&
      typeof remedy.error === "number" &&
      element(
        "p",
        { class: "note" },
        `tried on ${(remedy.tried || 1).toLocaleString("en")} inputs; on this one: relative error `,
        element("b", { class: "bad" }, measureText(entry.relative)),
        " → ",
        element("b", { class: "good" }, measureText(remedy.error)),
      ),
  ];
}

function worstNode(entry) {
  const { worst } = entry.problem;
  const largest = worst && worst.error && worst.error.relative;
  if (typeof largest !== "number" || !(entry.relative === null || largest > entry.relative)) return null;
  const where = entry.functions.length > 1 && entry.extra.worst_function ? ` in ${entry.extra.worst_function}` : "";
  return element(
    "p",
    {},
    `relative error ${measureText(largest)} at `,
    element(
      "a",
      { href: "#finding=" + encodeURIComponent(entry.extra.worst_finding || "") },
      entry.extra.worst || "an input",
    ),
    where,
  );
}

function problemFacts(entry, campaign) {
  const { problem } = entry;
  const firstRun = campaign && campaign.first_runs[entry.key];
  const finding = entry.representative ? entry.representative.finding : {};
  // The title is not repeated.
  const detail = [entry.headline, "it reaches the output"].includes(finding.detail) ? "" : finding.detail;
  const why = (finding.diagnosis && finding.diagnosis.why) || detail;
  const verdict =
    entry.tier === "note" ? reasonText(entry) : entry.representative && entry.representative.extra.verdict;
  const rows = [
    ["try", tryNode(entry)],
    ["why", why && typedNumber(why)],
    ["verdict", verdict],
    ["when", problem.when && element("code", {}, problem.when)],
    ["how often", entry.extra.share],
    ["fix", fixNode(entry)],
    ["worst", worstNode(entry)],
    ["first seen", firstRun && runText(campaign, firstRun)],
  ];
  return element(
    "section",
    { class: "card" },
    element(
      "dl",
      { class: "facts problem-facts" },
      rows
        .filter(([, value]) => value)
        .map(([name, value]) =>
          element(
            "div",
            { class: "fact-" + name.replace(" ", "-") },
            element("dt", {}, name),
            element("dd", {}, value),
          ),
        ),
    ),
  );
}

// `digits` limits the number of digits, if given.
function inputText(input, digits) {
  const short = (decimal) => {
    const value = Number(decimal);
    return digits && Number.isFinite(value) && value !== 0 ? String(Number(value.toPrecision(digits))) : decimal;
  };
  return Object.entries(input || {})
    .map(
      ([name, value]) =>
        `${name}=${Array.isArray(value) ? `[${value.length} values]` : typedNumber(short(value.decimal || ""))}`,
    )
    .join(", ");
}

function findingsCard(entry) {
  const most = 100;
  const rowsOf = (findings) =>
    findings.map((found) =>
      element(
        "tr",
        {},
        element("td", {}, element("a", { href: "#" + hashOf(found) }, found.headline)),
        element("td", {}, element("code", {}, found.target.function)),
        element("td", { class: "input" }, inputText(found.finding.input)),
        element(
          "td",
          { class: "amount" },
          found.relative > 0 ? measureText(found.relative) : symbols[found.finding.kind] || "",
        ),
        element("td", {}, found.verdict === "unknown" ? "" : found.verdict),
      ),
    );
  const body = element("tbody", {}, rowsOf(entry.findings.slice(0, most)));
  return card(
    counted(entry.findings.length, "finding") + " of this problem",
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "findings" },
      element(
        "table",
        { class: "rows" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            ["finding", "function", "input", "relative error", "verdict"].map((name) =>
              element("th", { scope: "col", class: name === "relative error" ? "amount" : null }, name),
            ),
          ),
        ),
        body,
      ),
    ),
    entry.findings.length > most &&
      moreButton(entry.findings.length - most, () => body.append(...rowsOf(entry.findings.slice(most)))),
  );
}

function moreButton(count, onclick) {
  const button = element(
    "button",
    {
      type: "button",
      class: "more",
      onclick: () => {
        onclick();
        button.remove();
      },
    },
    `show ${countText(count)} more`,
  );
  return button;
}

function problemDetail(entry, data) {
  forgetPlots();
  const { representative } = entry;
  return [
    element(
      "header",
      { class: "heading" },
      backTo("Overview", "#"),
      element(
        "p",
        { class: "labels" },
        tierBadge(entry.tier),
        element("span", { class: "class" }, entry.rule),
        entry.mark && element("span", { class: "class" }, entry.mark),
      ),
      element("h1", {}, entry.headline),
      entry.where &&
        element("p", { class: "where" }, element("code", {}, entry.where), copyButton(entry.where, "the location")),
    ),
    entry.extra.excerpt &&
      entry.extra.excerpt.length > 0 &&
      element("section", { class: "card" }, excerptNode(entry, data.sources || {})),
    problemFacts(entry, data.campaign),
    representative && plotCard(representative, data),
    representative && chainCard(representative),
    representative && sourceCard(representative, data.sources || {}),
    findingsCard(entry),
    representative && reproduceCard(representative),
  ].filter(Boolean);
}
