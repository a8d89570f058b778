// The list next to the detail: one small row per entry, made once. Filtering hides rows and sorting moves them. While
// the overview is shown, no rows are made, because a library has thousands.

// Shown instead of an error.
const symbols = {
  overflow: "∞",
  underflow: "→ 0",
  invalid: "NaN",
  "divide-by-zero": "÷ 0",
  crash: "crash",
  exception: "throw",
  timeout: "timeout",
  "branch-flip": "branch",
};

// Returns the badge at the left of a row: the tier of a problem, the error of a finding.
function badgeOf(entry) {
  if (entry.isProblem) return tierBadge(entry.tier);
  const hasError = entry.relative > 0;
  const badge = element(
    "span",
    { class: "badge" + (hasError ? "" : " plain"), title: hasError ? "relative error" : null },
    hasError ? measureText(entry.relative) : symbols[entry.finding.kind] || "?",
  );
  badge.style.setProperty("--severity", severity(entry.relative).toFixed(3));
  return badge;
}

function rowOf(entry, index, select) {
  return element(
    "li",
    { role: "option", id: "row-" + index, "aria-selected": "false", onclick: () => select(entry) },
    badgeOf(entry),
    element("span", { class: "name" }, entry.headline),
    element(
      "span",
      { class: "verdict-word " + (verdictTone[entry.verdict] || "plain") },
      [entry.mark, entry.verdict === "unknown" ? "" : entry.verdict].filter(Boolean).join(" · "),
    ),
    element(
      "span",
      { class: "sub" },
      element("b", {}, entry.functions[0] || ""),
      entry.functions.length > 1 ? ` +${entry.functions.length - 1} ` : " ",
      element("span", { title: entry.where }, shortLocation(entry.where)),
    ),
  );
}

// Returns a choice among the values that occur; null if there are too few.
function chooser(label, values, onchange, fewest = 2, textOf = (value) => value) {
  if (values.length < fewest) return null;
  return element(
    "label",
    {},
    element("span", { class: "offscreen" }, label),
    element(
      "select",
      { "aria-label": label, onchange: (event) => onchange(event.target.value) },
      element("option", { value: "" }, label),
      values.map((value) => element("option", { value }, textOf(value))),
    ),
  );
}

const listedAtOnce = 1000; // rows that are made without a noticeable delay

// The list of problems or of findings.
class EntryList {
  constructor(problems, findings, onselect) {
    this.sets = { problems, findings };
    this.onselect = onselect;
    this.filter = { text: "", rule: "", verdict: "", function: "", mark: "" };
    this.order = "most important";
    this.selected = null;
    this.isSeen = false;
    this.rows = new Map(); // made when they are first shown, because a thousand of them take time
    this.atEnd = new IntersectionObserver((seen) => seen.some((row) => row.isIntersecting) && this.listMore());
    this.list = element("ul", { role: "listbox", tabindex: 0, "aria-label": "Problems", id: "list" });
    this.count = element("p", { class: "count", role: "status" });
    this.search = element("input", {
      type: "search",
      id: "filter",
      placeholder: "Filter   ( / )",
      "aria-label": "Filter by text",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.search.addEventListener("input", () => this.refine({ text: this.search.value }));
    this.search.addEventListener("keydown", (event) => this.searchKey(event));
    this.choosers = element("div", { class: "choosers" });
    this.modes = switchOf(
      "what is listed",
      [
        ["problems", counted(problems.length, "problem")],
        ["findings", counted(findings.length, "finding")],
      ],
      "problems",
      (mode) => this.choose(mode),
    );
    this.choose(problems.length ? "problems" : "findings");
  }

  node() {
    return [element("div", { class: "tools" }, this.modes, this.search, this.choosers), this.count, this.list];
  }

  get entries() {
    return this.sets[this.mode];
  }

  choose(mode) {
    this.mode = mode;
    for (const button of this.modes.children)
      button.setAttribute("aria-pressed", String(button.dataset.choice === mode));
    Object.assign(this.filter, { rule: "", verdict: "", mark: "" });
    this.hasChoosers = false;
    this.show();
  }

  fillChoosers() {
    const values = (field) => [...new Set(this.entries.map((entry) => entry[field]))].filter(Boolean).sort();
    const functions = [...new Set(this.entries.flatMap((entry) => entry.functions))].sort();
    const marks = values("mark");
    if (this.entries.some(isSetAside)) marks.unshift("not set aside");
    const order = element(
      "select",
      { "aria-label": "Sort by", id: "order", onchange: (event) => this.sort(event.target.value) },
      Object.keys(orders).map((name) =>
        element("option", { value: name, selected: name === this.order }, "Sort: " + name),
      ),
    );
    this.functionChooser = chooser("All functions", functions, (name) => this.refine({ function: name }));
    this.choosers.replaceChildren(
      ...[
        chooser("All classes", values("rule"), (rule) => this.refine({ rule })),
        chooser("All verdicts", values("verdict"), (verdict) => this.refine({ verdict })),
        this.functionChooser,
        chooser("New and known", marks, (mark) => this.refine({ mark }), 1),
        element("label", {}, element("span", { class: "offscreen" }, "Sort"), order),
      ].filter(Boolean),
    );
    this.hasChoosers = true;
    const select = this.functionChooser && this.functionChooser.querySelector("select");
    if (select) select.value = this.filter.function;
  }

  // Shows only the problems of a function; all if the name is empty.
  onlyFunction(name) {
    this.search.value = "";
    this.filter = { text: "", rule: "", verdict: "", function: name, mark: "" };
    const has = (entry) => !name || entry.functions.includes(name);
    this.choose(this.sets.problems.some(has) ? "problems" : "findings");
  }

  refine(change) {
    Object.assign(this.filter, change);
    this.show();
  }

  sort(order) {
    this.order = order;
    this.show();
  }

  rowFor(entry) {
    if (!this.rows.has(entry))
      this.rows.set(
        entry,
        rowOf(entry, this.rows.size, (chosen) => this.open(chosen)),
      );
    return this.rows.get(entry);
  }

  show() {
    this.visible = this.entries.filter((entry) => matches(entry, this.filter)).sort(orders[this.order]);
    this.isStale = true;
    if (this.isSeen) this.fill();
  }

  // Sets whether the list is on the screen.
  see(isSeen) {
    this.isSeen = isSeen;
    if (isSeen && this.isStale) this.fill();
  }

  fill() {
    this.isStale = false;
    if (!this.hasChoosers) this.fillChoosers();
    this.list.replaceChildren();
    this.listed = 0;
    this.listMore();
    const all = this.entries.length,
      some = this.visible.length,
      things = this.mode.slice(0, -1);
    this.count.textContent = some === all ? counted(all, things) : `${some} of ${counted(all, things)}`;
    if (!some && all)
      this.list.append(
        element("li", { class: "empty", role: "presentation" }, `No ${things} matches. Esc clears the filter.`),
      );
  }

  // Adds rows near the end of the visible ones, because thousands of them take time.
  listMore() {
    const more = this.visible.slice(this.listed, this.listed + listedAtOnce);
    this.listed += more.length;
    this.list.append(...more.map((entry) => this.rowFor(entry)));
    this.atEnd.disconnect();
    if (this.listed < this.visible.length) this.atEnd.observe(this.list.lastElementChild);
  }

  // Returns the row that represents an entry: its own, or that of its problem.
  representativeOf(entry) {
    if (this.entries.includes(entry)) return entry;
    if (this.mode === "problems" && entry.of) return entry.of;
    this.choose(entry.isProblem ? "problems" : "findings");
    return entry;
  }

  mark(entry) {
    const representative = this.representativeOf(entry);
    if (this.selected) this.rowFor(this.selected).setAttribute("aria-selected", "false");
    this.selected = representative;
    while (this.isSeen && this.listed <= this.visible.indexOf(representative)) this.listMore();
    const row = this.rowFor(representative);
    row.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", row.id);
    row.scrollIntoView({ block: "nearest" });
  }

  open(entry) {
    this.mark(entry);
    this.onselect(entry);
  }

  step(by) {
    if (!this.visible.length) return;
    const at = this.visible.indexOf(this.selected);
    const next = at < 0 ? 0 : Math.min(this.visible.length - 1, Math.max(0, at + by));
    this.open(this.visible[next]);
  }

  searchKey(event) {
    if (event.key === "Escape") {
      this.search.value = "";
      this.refine({ text: "" });
      this.list.focus();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      this.list.focus();
      if (!this.visible.includes(this.selected)) this.step(1);
    }
  }
}
