// The functions: the largest errors seen, problems, and for a campaign its effort; sorted by any column, filtered by
// words, state, outcome, tier and file.

const relativeOf = (largest) =>
  largest && largest.error && typeof largest.error.relative === "number" ? largest.error.relative : -1;

const withoutProblems = "no problems";

function functionRows(data, problems) {
  const counts = new Map();
  for (const entry of problems)
    for (const name of entry.functions) {
      if (!counts.has(name)) counts.set(name, { error: 0, warning: 0, note: 0 });
      ++counts.get(name)[tierOf(entry)];
    }
  const campaign = data.campaign ? data.campaign.targets : null;
  return data.report.targets.map((target, i) => {
    const row = {
      target,
      name: target.function || "",
      file: target.file || "",
      counts: counts.get(target.function) || { error: 0, warning: 0, note: 0 },
      everyday: relativeOf(target.largest_everyday),
      anywhere: relativeOf(target.largest),
      seconds: typeof target.total_seconds === "number" ? target.total_seconds : target.seconds || 0,
      outcome: target.outcome || "",
      sites: target.sites || 0,
    };
    if (campaign) {
      for (const column of Object.keys(campaign)) row[column] = campaign[column][i];
      if (!row.rounds && row.state !== "refused") row.outcome = "not looked at";
    }
    row.worst = Object.keys(tiers).find((tier) => row.counts[tier]) || withoutProblems;
    // findings that are not in the report do not count
    if (row.outcome === "found" && row.worst === withoutProblems) row.outcome = "none";
    row.words = `${row.name} ${row.file}`.toLowerCase();
    return row;
  });
}

// All errors of 1 or more are equal: no digit is right.
const byWorst = (a, b) =>
  b.counts.error - a.counts.error ||
  b.counts.warning - a.counts.warning ||
  inOrder(Math.min(b.everyday, 1), Math.min(a.everyday, 1)) ||
  inOrder(b.anywhere, a.anywhere);

const measure = (relative) => (relative < 0 ? "–" : measureText(relative));

function nameCell({ target, name, counts }) {
  const total = counts.error + counts.warning + counts.note;
  return element(
    "th",
    { scope: "row" },
    total ? element("a", { href: "#function=" + encodeURIComponent(name) }, name) : element("span", {}, name),
    element("small", { title: locationText(target) }, shortLocation(locationText(target))),
  );
}

function placeCell({ target }) {
  const largest = target.largest_everyday || target.largest;
  return element(
    "td",
    { class: "input", title: largest ? inputText(largest.input) : null },
    largest ? inputText(largest.input, 6) : "",
  );
}

function problemsCell({ counts }) {
  const parts = Object.keys(tiers)
    .filter((tier) => counts[tier])
    .map((tier) => element("span", { class: "count-of tier-" + tier }, counted(counts[tier], tier)));
  return element("td", {}, parts.length ? parts : element("span", { class: "note" }, "none"));
}

// The part of an outcome that a count of problems does not show.
function outcomeOf({ target, outcome, state }) {
  return [
    ["found", "none"].includes(outcome) ? "" : outcome,
    state === "known" && "has changed",
    target.cut && "cut off by the clock",
    target.note,
  ]
    .filter(Boolean)
    .join("; ");
}

const amount = (text) => (row) => element("td", { class: "amount" }, text(row));

const functionColumns = [
  { name: "function", cell: nameCell, order: (a, b) => byName(a.name, b.name) },
  {
    name: "worst everyday",
    amount: true,
    width: 118,
    cell: amount((row) => measure(row.everyday)),
    order: (a, b) => inOrder(b.everyday, a.everyday),
  },
  { name: "at", width: 130, huntWidth: 210, cell: placeCell },
  {
    name: "worst anywhere",
    amount: true,
    width: 122,
    cell: amount((row) => measure(row.anywhere)),
    order: (a, b) => inOrder(b.anywhere, a.anywhere),
  },
  { name: "problems", width: 140, cell: problemsCell, order: byWorst },
  {
    name: "sites reached",
    ofCampaign: true,
    amount: true,
    width: 104,
    cell: amount((row) => (row.sites ? `${countText(row.reached)} of ${countText(row.sites)}` : "–")),
    order: (a, b) => a.reached / (a.sites || 1) - b.reached / (b.sites || 1),
  },
  {
    name: "rounds",
    ofCampaign: true,
    amount: true,
    width: 70,
    cell: amount((row) => countText(row.rounds)),
    order: (a, b) => b.rounds - a.rounds,
  },
  {
    name: "seconds",
    amount: true,
    width: 76,
    cell: amount((row) => row.seconds.toFixed(1)),
    order: (a, b) => b.seconds - a.seconds,
  },
  {
    name: "outcome",
    width: 112,
    huntWidth: 230,
    cell: (row) => {
      const text = outcomeOf(row);
      return element("td", { class: "outcome-text", title: text || null }, text);
    },
    order: (a, b) => inOrder(a.outcome, b.outcome) || inOrder(outcomeOf(a), outcomeOf(b)),
  },
];

function columnsFor(rows, isCampaign) {
  // A hunt has fewer columns.
  const widthOf = (column) => (isCampaign ? column.width : (column.huntWidth ?? column.width));
  return functionColumns
    .filter(
      (column) =>
        (!column.ofCampaign || isCampaign) && (column.name !== "outcome" || rows.some((row) => outcomeOf(row))),
    )
    .map((column) => ({ ...column, width: widthOf(column) }));
}

// The filters by field name, with the texts of their values (campaign.js).
const functionFilters = [
  ["state", "All states", (value) => wordsFor(stateWords, value)[0]],
  ["outcome", "All outcomes", (value) => wordsFor(outcomeWords, value)[0]],
  ["worst", "All tiers"],
  ["file", "All files"],
];

class FunctionTable {
  constructor(data, problems) {
    this.rows = functionRows(data, problems);
    this.filter = {};
    this.sort(byWorst);
    this.columns = columnsFor(this.rows, Boolean(data.campaign));
    this.headers = this.columns.map((column) => this.headerOf(column));
    this.headers[this.columns.findIndex((column) => column.order === byWorst)].setAttribute(
      "aria-sort",
      "descending",
    );
    this.count = element("p", { class: "note", role: "status" });
    const isLong = this.rows.length > parcelSize;
    this.table = element(
      "table",
      { class: isLong ? "rows many" : "rows" },
      element(
        "colgroup",
        {},
        this.columns.map((column) => element("col", { style: column.width ? `width: ${column.width}px` : null })),
      ),
      element("thead", {}, element("tr", {}, this.headers)),
    );
    const rowOf = (row) =>
      element(
        "tr",
        {},
        this.columns.map((column) => column.cell(row)),
      );
    this.lazy = new LazyRows(this.table, rowOf, this.columns.length, 46);
    this.show();
  }

  headerOf(column) {
    const header = element("th", { scope: "col", class: column.amount ? "amount" : null });
    if (!column.order) header.append(column.name);
    else {
      const onclick = () => {
        const backwards = header.getAttribute("aria-sort") === "descending";
        this.headers.forEach((other) => other.removeAttribute("aria-sort"));
        header.setAttribute("aria-sort", backwards ? "ascending" : "descending");
        this.sort(backwards ? (a, b) => column.order(b, a) : column.order);
        this.show();
      };
      header.append(element("button", { type: "button", class: "sort", onclick }, column.name));
    }
    return header;
  }

  matches(row, words) {
    return (
      words.every((word) => row.words.includes(word)) &&
      functionFilters.every(([field]) => !this.filter[field] || row[field] === this.filter[field])
    );
  }

  sort(order) {
    this.rows.sort((a, b) => order(a, b) || byWorst(a, b));
  }

  show() {
    const words = (this.filter.text || "").toLowerCase().split(/\s+/).filter(Boolean);
    const shown = this.rows.filter((row) => this.matches(row, words));
    const all = this.rows.length;
    this.count.textContent =
      shown.length === all ? counted(all, "function") : `${countText(shown.length)} of ${counted(all, "function")}`;
    this.lazy.show(shown);
  }

  refine(change) {
    Object.assign(this.filter, change);
    this.show();
  }

  // Called from other parts of the page: shows only the functions with this value, and sets the filter to it.
  only(field, value) {
    this.filter = { [field]: value };
    this.search.value = "";
    for (const [name, select] of this.choosers) select.value = name === field ? value : "";
    this.show();
    this.section.scrollIntoView({ block: "start" });
    this.search.focus({ preventScroll: true });
  }

  tools() {
    this.search = element("input", {
      type: "search",
      id: "function-filter",
      placeholder: "Filter functions   ( f )",
      "aria-label": "Filter functions by name or file",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.search.addEventListener("input", () => this.refine({ text: this.search.value }));
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.search.value = "";
      this.refine({ text: "" });
    });
    const labels = functionFilters.map(([field, label, textOf]) => {
      const values = [...new Set(this.rows.map((row) => row[field]))].filter(Boolean).sort();
      return [field, chooser(label, values, (value) => this.refine({ [field]: value }), 2, textOf)];
    });
    const used = labels.filter(([, label]) => label);
    this.choosers = new Map(used.map(([field, label]) => [field, label.querySelector("select")]));
    return element(
      "div",
      { class: "function-tools" },
      this.search,
      used.map(([, label]) => label),
      this.count,
    );
  }

  node() {
    const few = 12; // rows that are visible at once and need no filter
    const tools = this.tools();
    this.section = element(
      "section",
      { class: "group", id: "functions" },
      element(
        "h2",
        {},
        counted(this.rows.length, "function"),
        " ",
        element("small", {}, "the largest relative errors seen, and problems"),
      ),
      this.rows.length > few && tools,
      element("div", { class: "scroll card", tabindex: 0, role: "region", "aria-label": "functions" }, this.table),
    );
    return this.section;
  }
}
