// One finding: the failure, its cause, the remedy, the input, the place, the path of the error, and how the error
// depends on the input. Parts that the report lacks are left out.

const verdictTone = { avoidable: "bad", "ill-conditioned": "plain", inherent: "plain", unknown: "plain" };

function titleText(entry) {
  const { headline, relative, target } = entry;
  return relative !== null && relative > 0
    ? `${headline}: relative error ${measureText(relative)} in ${target.function}`
    : `${headline} in ${target.function}`;
}

function verdictLine(entry) {
  const words = entry.extra.verdict || (entry.verdict !== "unknown" ? entry.verdict : "");
  if (!words) return null;
  const [verdict, ...meaning] = words.split(": ");
  return element(
    "p",
    { class: "verdict " + (verdictTone[entry.verdict] || "plain") },
    element("b", {}, verdict),
    meaning.length > 0 && " — " + meaning.join(": "),
  );
}

function heading(entry) {
  const { finding } = entry;
  const why = finding.diagnosis && finding.diagnosis.why;
  return element(
    "header",
    { class: "heading" },
    entry.of ? backTo(entry.of.headline, "#" + hashOf(entry.of)) : backTo("Overview", "#"),
    element("h1", {}, titleText(entry)),
    entry.where &&
      element("p", { class: "where" }, element("code", {}, entry.where), copyButton(entry.where, "the location")),
    why && element("p", { class: "why" }, typedNumber(why)),
    finding.detail && element("p", { class: why ? "note" : "why" }, typedNumber(finding.detail)),
    verdictLine(entry),
    finding.seen &&
      element(
        "p",
        { class: "note" },
        (finding.seen === "outside" ? "outside of" : finding.seen) + " what the recorded runs use",
      ),
    finding.built && element("p", { class: "note" }, finding.built),
    setAsideLine(finding),
  );
}

function setAsideLine(finding) {
  const by = finding.suppressed;
  if (by)
    return element("p", { class: "note" }, `Suppressed at ${locationText(by)}${by.reason ? ": " + by.reason : ""}`);
  return finding.baseline === "known"
    ? element("p", { class: "note" }, "Known: it was in the findings of the baseline.")
    : null;
}

// "Tried on 4,000 inputs".
function triedText(remedy) {
  return remedy.tried > 0 ? `Tried on ${remedy.tried.toLocaleString("en")} inputs` : "Tried out";
}

function remedyCard(entry) {
  const remedy = entry.finding.diagnosis && entry.finding.diagnosis.remedy;
  if (!remedy) return null;
  const bar = (label, relative, tone) => {
    const fill = element("span", { class: "fill " + tone });
    fill.style.width = Math.max(1, 100 * severity(relative)) + "%";
    return element(
      "div",
      { class: "compare" },
      element("span", {}, label),
      element("span", { class: "track" }, fill),
      element("span", { class: "number" }, measureText(relative)),
    );
  };
  return element(
    "section",
    { class: "card remedy" },
    element("h2", {}, "Remedy"),
    element("p", { class: "why" }, typedNumber(remedy.advice || remedy.name || "")),
    entry.relative !== null &&
      typeof remedy.relative === "number" && [
        element("p", { class: "note" }, `${triedText(remedy)}. Relative error of the output on this one:`),
        bar("now", entry.relative, "bad"),
        bar("with it", remedy.relative, "good"),
      ],
  );
}

function stepItem(step) {
  const known = typeof step.relative === "number";
  const fill = element("span", { class: "fill bad" });
  fill.style.width = Math.max(1, 100 * severity(step.relative)) + "%";
  return [
    step.skipped > 0 &&
      element(
        "li",
        { class: "skipped" },
        `⋮ ${countText(step.skipped)} ${step.skipped === 1 ? "operation" : "operations"} left out`,
      ),
    element(
      "li",
      {},
      element("code", { class: "step" }, typedNumber(step.text || step.operation || "")),
      element(
        "div",
        { class: "compare" },
        element(
          "button",
          {
            type: "button",
            class: "link",
            onclick: () => showLine(step.file, step.line),
            title: locationText(step),
          },
          shortLocation(locationText(step)),
        ),
        element(
          "span",
          {
            class: "track",
            role: "img",
            "aria-label": known ? `relative error ${measureText(step.relative)}` : "error unknown",
          },
          fill,
        ),
        element("span", { class: "number" }, measureText(step.relative)),
      ),
      step.reference &&
        element(
          "p",
          { class: "note" },
          "exactly ",
          element("span", { class: "number" }, typedNumber(step.reference)),
        ),
    ),
  ];
}

function chainCard(entry) {
  const chain = (entry.finding.diagnosis && entry.finding.diagnosis.chain) || [];
  if (!chain.length) return null;
  return card(
    "How the error grew",
    element(
      "p",
      { class: "note" },
      "The operations that the error passed through. " +
        "Bars: relative error of each result, on a logarithmic scale from 1e-16 to 1.",
    ),
    element("ol", { class: "chain" }, chain.flatMap(stepItem)),
  );
}

function exceptionCard(entry) {
  const { finding, extra } = entry;
  if (finding.reaches_output === undefined) return null;
  const swallowed = finding.swallowed_at;
  const facts = [
    [
      "reaches the output",
      finding.reaches_output
        ? "yes"
        : swallowed
          ? `no: ended by ${swallowed.operation || "an operation"} at ${locationText(swallowed)}`
          : "no",
    ],
    ["reported", extra.reported || (finding.silent ? "by nothing: silent" : "yes")],
    finding.consequence && ["follows from", "an earlier infinity or NaN"],
  ];
  return card(
    "What became of it",
    factList(facts),
  );
}

function reproduceCard(entry) {
  const { finding } = entry;
  const cause = finding.cause;
  const command = typedNumber(finding.replay || "");
  const facts = [
    ["finding", finding.id],
    ["kind", finding.kind],
    [
      "cause",
      cause &&
        cause.operation &&
        (cause.source || cause.operation) +
          (cause.function ? " in " + cause.function : "") +
          (cause.condition ? ", condition " + measureText(cause.condition) : ""),
    ],
    ["judged by", entry.extra.oracle || finding.oracle],
    ["found by", [finding.strategy, finding.found_by].filter(Boolean).join(", ")],
  ];
  return card(
    "Run it again",
    command &&
      element("div", { class: "command" }, element("code", {}, command), copyButton(command, "the command")),
    element(
      "dl",
      { class: "facts" },
      facts
        .filter(([, value]) => value)
        .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    ),
  );
}

function detailOf(entry, data) {
  forgetPlots();
  return [
    heading(entry),
    remedyCard(entry),
    element("div", { class: "pair" }, inputCard(entry), resultCard(entry)),
    exceptionCard(entry),
    sourceCard(entry, data.sources || {}),
    chainCard(entry),
    plotCard(entry, data),
    reproduceCard(entry),
  ].filter(Boolean);
}
