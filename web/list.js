// The list of findings: one cheap row each, made once; filtering hides rows and sorting moves them.

// What stands in place of an error.
const symbols = {
  overflow: "∞",
  underflow: "→ 0",
  invalid: "NaN",
  "divide-by-zero": "÷ 0",
  crash: "crash",
  timeout: "timeout",
  "branch-flip": "branch",
};

function rowOf(entry, index, select) {
  const badge =
    entry.relative !== null && entry.relative > 0
      ? measureText(entry.relative)
      : symbols[entry.finding.kind] || "?";
  const row = element(
    "li",
    { role: "option", id: "finding-" + index, "aria-selected": "false", onclick: () => select(entry, true) },
    element(
      "span",
      {
        class: "badge" + (entry.relative > 0 ? "" : " plain"),
        title: entry.relative > 0 ? "relative error" : null,
      },
      badge,
    ),
    element("span", { class: "name" }, entry.headline),
    element(
      "span",
      { class: "verdict-word " + (verdictTone[entry.verdict] || "plain") },
      entry.mark ? `${entry.mark} · ` : "",
      entry.verdict === "unknown" ? "" : entry.verdict,
    ),
    element(
      "span",
      { class: "sub" },
      element("b", {}, entry.target.function),
      " ",
      element("span", { title: entry.where }, shortLocation(entry.where)),
    ),
  );
  row.style.setProperty("--severity", severity(entry.relative).toFixed(3));
  return row;
}

// A choice among the values that occur; none if there is nothing to choose.
function chooser(label, values, onchange, fewest = 2) {
  if (values.length < fewest) return null;
  return element(
    "label",
    {},
    element("span", { class: "offscreen" }, label),
    element(
      "select",
      { "aria-label": label, onchange: (event) => onchange(event.target.value) },
      element("option", { value: "" }, label),
      values.map((value) => element("option", { value }, value)),
    ),
  );
}

class FindingList {
  constructor(entries, onselect) {
    this.entries = entries;
    this.onselect = onselect;
    this.filter = { text: "", rule: "", verdict: "", place: "", mark: "" };
    this.order = "largest error";
    this.selected = null;
    this.rows = new Map(
      entries.map((entry, index) => [entry, rowOf(entry, index, (chosen) => this.select(chosen))]),
    );
    this.list = element("ul", { role: "listbox", tabindex: 0, "aria-label": "Findings", id: "list" });
    this.count = element("p", { class: "count", role: "status" });
    this.search = element("input", {
      type: "search",
      id: "filter",
      placeholder: "Filter   ( / )",
      "aria-label": "Filter findings by text",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.search.addEventListener("input", () => this.refine({ text: this.search.value }));
    this.search.addEventListener("keydown", (event) => this.searchKey(event));
  }

  node() {
    const values = (field) => [...new Set(this.entries.map((entry) => entry[field]))].filter(Boolean).sort();
    const marks = values("mark");
    if (this.entries.some(isSetAside)) marks.unshift("not set aside");
    return [
      element(
        "div",
        { class: "tools" },
        this.search,
        element(
          "div",
          { class: "choosers" },
          chooser("All classes", values("rule"), (rule) => this.refine({ rule })),
          chooser("All verdicts", values("verdict"), (verdict) => this.refine({ verdict })),
          chooser("All functions", values("place"), (place) => this.refine({ place })),
          chooser("New and known", marks, (mark) => this.refine({ mark }), 1),
          element(
            "label",
            {},
            element("span", { class: "offscreen" }, "Sort"),
            element(
              "select",
              { "aria-label": "Sort by", id: "order", onchange: (event) => this.sort(event.target.value) },
              Object.keys(orders).map((name) => element("option", { value: name }, "Sort: " + name)),
            ),
          ),
        ),
      ),
      this.count,
      this.list,
    ];
  }

  refine(change) {
    Object.assign(this.filter, change);
    this.show();
  }

  sort(order) {
    this.order = order;
    this.show();
  }

  show() {
    this.visible = this.entries.filter((entry) => matches(entry, this.filter)).sort(orders[this.order]);
    this.list.replaceChildren(...this.visible.map((entry) => this.rows.get(entry)));
    const all = this.entries.length,
      some = this.visible.length;
    this.count.textContent =
      some === all ? counted(all, "finding") : `${some} of ${all} findings`;
    if (!some && all)
      this.list.append(
        element("li", { class: "empty", role: "presentation" }, "No finding matches. Esc clears the filter."),
      );
  }

  select(entry, reveal = true) {
    if (this.selected) this.rows.get(this.selected).setAttribute("aria-selected", "false");
    this.selected = entry;
    const row = this.rows.get(entry);
    row.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", row.id);
    if (reveal) row.scrollIntoView({ block: "nearest" });
    this.onselect(entry);
  }

  step(by) {
    if (!this.visible.length) return;
    const at = this.visible.indexOf(this.selected);
    const next = at < 0 ? 0 : Math.min(this.visible.length - 1, Math.max(0, at + by));
    this.select(this.visible[next]);
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
