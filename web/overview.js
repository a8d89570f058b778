// What the page opens on: how many problems there are of each tier, all of them, and the functions.

const mostRows = 60; // of a tier, and of functions, before a button shows the rest: a page that is there at once

function tierTiles(problems) {
  return element(
    "ul",
    { class: "tiles" },
    Object.entries(tiers).map(([tier, meaning]) => {
      const count = problems.filter((entry) => tierOf(entry) === tier && !entry.problem.set_aside).length;
      return element(
        "li",
        { class: "tile tier-" + tier },
        element("b", {}, countText(count)),
        element("span", {}, element("strong", {}, tier + (count === 1 ? "" : "s")), " ", meaning),
      );
    }),
  );
}

function problemRow(entry) {
  const { computed, exact } = comparedTexts(entry.problem.output, entry.relative);
  const others = entry.functions.length - 2;
  const functions = entry.functions.slice(0, 2).join(", ") + (others > 0 ? ` and ${others} more` : "");
  return element(
    "li",
    {},
    element(
      "a",
      { href: "#" + hashOf(entry), class: "problem" },
      tierBadge(entry.tier),
      element(
        "span",
        { class: "what" },
        element("span", { class: "title" }, entry.headline),
        " ",
        element("span", { class: "class" }, entry.rule),
        entry.mark && [" ", element("span", { class: "class" }, entry.mark)],
        element("span", { class: "place" }, entry.where),
        element(
          "span",
          { class: "try" },
          element("i", {}, "try "),
          `${entry.extra.try || ""}`,
          computed && element("span", { class: "got" }, ` gives ${computed}${exact ? `, exact ${exact}` : ""}`),
        ),
      ),
      element(
        "span",
        { class: "often" },
        entry.extra.share && element("span", {}, entry.extra.share),
        entry.tier === "note" && element("span", {}, reasonText(entry)),
        element("span", { class: "functions-of" }, functions),
      ),
    ),
  );
}

function problemGroup(title, meaning, entries) {
  if (!entries.length) return null;
  const list = element("ol", { class: "problems" }, entries.slice(0, mostRows).map(problemRow));
  return element(
    "section",
    { class: "group" },
    element("h2", {}, title, " ", element("small", {}, meaning)),
    list,
    entries.length > mostRows &&
      moreButton(entries.length - mostRows, () => list.append(...entries.slice(mostRows).map(problemRow))),
  );
}

function problemGroups(problems) {
  const isAside = (entry) => Boolean(entry.problem.set_aside);
  const groups = Object.entries(tiers).map(([tier, meaning]) => {
    const entries = problems.filter((entry) => tierOf(entry) === tier && !isAside(entry));
    return problemGroup(counted(entries.length, tier), meaning, entries);
  });
  const aside = problems.filter(isAside);
  return [
    ...groups,
    problemGroup(`${countText(aside.length)} set aside`, "suppressed, or known before", aside),
  ].filter(Boolean);
}

const relativeOf = (largest) =>
  largest && largest.error && typeof largest.error.relative === "number" ? largest.error.relative : -1;

function functionRows(data, problems) {
  const counts = new Map();
  for (const entry of problems)
    for (const name of entry.functions) {
      if (!counts.has(name)) counts.set(name, { error: 0, warning: 0, note: 0 });
      ++counts.get(name)[tierOf(entry)];
    }
  return data.report.targets.map((target) => ({
    target,
    name: target.function || "",
    counts: counts.get(target.function) || { error: 0, warning: 0, note: 0 },
    everyday: relativeOf(target.largest_everyday),
    anywhere: relativeOf(target.largest),
    seconds: typeof target.total_seconds === "number" ? target.total_seconds : target.seconds || 0,
  }));
}

// All errors of 1 or more are alike: no digit is right.
const byWorst = (a, b) =>
  b.counts.error - a.counts.error ||
  b.counts.warning - a.counts.warning ||
  inOrder(Math.min(b.everyday, 1), Math.min(a.everyday, 1)) ||
  inOrder(b.anywhere, a.anywhere);

const functionColumns = [
  { name: "function", order: (a, b) => a.name.localeCompare(b.name, "en", { numeric: true }) },
  { name: "worst everyday", amount: true, order: (a, b) => inOrder(b.everyday, a.everyday) },
  { name: "at" },
  { name: "worst anywhere", amount: true, order: (a, b) => inOrder(b.anywhere, a.anywhere) },
  { name: "problems", order: byWorst },
  { name: "seconds", amount: true, order: (a, b) => b.seconds - a.seconds },
  { name: "outcome", order: (a, b) => inOrder(a.target.outcome || "", b.target.outcome || "") },
];

// What a count of problems does not say.
function outcomeOf(target) {
  const usual = { found: "", none: "" }[target.outcome];
  return [usual === undefined ? target.outcome : usual, target.cut && "cut off by the clock", target.note]
    .filter(Boolean)
    .join("; ");
}

function functionRow(row) {
  const { target, counts } = row;
  const total = counts.error + counts.warning + counts.note;
  const largest = target.largest_everyday || target.largest;
  const measure = (relative) => (relative < 0 ? "–" : measureText(relative));
  const told = Object.keys(tiers)
    .filter((tier) => counts[tier])
    .map((tier) => element("span", { class: "count-of tier-" + tier }, counted(counts[tier], tier)));
  const outcome = outcomeOf(target);
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row" },
      total
        ? element("a", { href: "#function=" + encodeURIComponent(row.name) }, row.name)
        : element("span", {}, row.name),
      element("small", {}, shortLocation(locationText(target))),
    ),
    element("td", { class: "amount" }, measure(row.everyday)),
    element(
      "td",
      { class: "input", title: largest ? inputText(largest.input) : null },
      largest ? inputText(largest.input, 6) : "",
    ),
    element("td", { class: "amount" }, measure(row.anywhere)),
    element("td", {}, told.length ? told : element("span", { class: "note" }, "none")),
    element("td", { class: "amount" }, row.seconds.toFixed(1)),
    outcome && element("td", {}, outcome),
  );
}

const columnsWith = (rows) =>
  rows.some((row) => outcomeOf(row.target)) ? functionColumns : functionColumns.slice(0, -1);

function functionTable(data, problems) {
  const rows = functionRows(data, problems);
  const body = element("tbody");
  const rest = element("div");
  const fill = (order, backwards) => {
    const sorted = [...rows].sort((a, b) => (backwards ? order(b, a) : order(a, b)) || byWorst(a, b));
    body.replaceChildren(...sorted.slice(0, mostRows).map(functionRow));
    rest.replaceChildren(
      ...(sorted.length > mostRows
        ? [moreButton(sorted.length - mostRows, () => body.append(...sorted.slice(mostRows).map(functionRow)))]
        : []),
    );
  };
  const columns = columnsWith(rows);
  const headers = columns.map((column) => {
    const header = element("th", { scope: "col", class: column.amount ? "amount" : null });
    if (!column.order) header.append(column.name);
    else
      header.append(
        element(
          "button",
          {
            type: "button",
            class: "sort",
            onclick: () => {
              const backwards = header.getAttribute("aria-sort") === "descending";
              headers.forEach((other) => other.removeAttribute("aria-sort"));
              header.setAttribute("aria-sort", backwards ? "ascending" : "descending");
              fill(column.order, backwards);
            },
          },
          column.name,
        ),
      );
    return header;
  });
  headers[columns.findIndex((column) => column.order === byWorst)].setAttribute("aria-sort", "descending");
  fill(byWorst, false);
  return element(
    "section",
    { class: "group", id: "functions" },
    element(
      "h2",
      {},
      counted(rows.length, "function"),
      " ",
      element("small", {}, "the largest relative errors seen, and problems"),
    ),
    element(
      "div",
      { class: "scroll card", tabindex: 0, role: "region", "aria-label": "functions" },
      element("table", { class: "rows" }, element("thead", {}, element("tr", {}, headers)), body),
    ),
    rest,
  );
}

// Exceptions that nobody needs to hear of: counted, or among the findings but no problem.
function foldedCount(data) {
  const isFolded = (finding) => finding.result === "right" || finding.harmless;
  const shown = new Set((data.report.problems || []).flatMap((problem) => problem.findings || []));
  return data.report.targets.reduce(
    (sum, target) =>
      sum +
      (target.folded || 0) +
      (target.findings || []).filter((finding) => isFolded(finding) && !shown.has(finding.id)).length,
    0,
  );
}

function overviewOf(data, problems) {
  const folded = foldedCount(data);
  return [
    element("h1", { class: "offscreen" }, "Overview"),
    tierTiles(problems),
    ...problemGroups(problems),
    !problems.length &&
      element("p", { class: "empty" }, "Nothing was found. A search is not a proof: this budget found nothing."),
    data.report.targets.length > 0 && functionTable(data, problems),
    folded > 0 &&
      element(
        "p",
        { class: "note" },
        `${counted(folded, "exception")} after which the result is right: not among the problems.`,
      ),
  ].filter(Boolean);
}
