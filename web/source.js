// The source around a finding, as far as the report contains it, with each line's share of the error.

function sharesOf(finding) {
  const shares = new Map();
  for (const line of (finding.diagnosis && finding.diagnosis.lines) || [])
    shares.set(`${line.file}:${line.line}`, line);
  return shares;
}

function sourceRow(number, text, place, share, cause) {
  const heat = share ? Math.min(1, Math.abs(share.share)) : 0;
  const here = cause && cause.file === place && cause.line === number;
  const label = share ? `line ${number}, ${percentText(share.share)} of the error` : `line ${number}`;
  const row = element(
    "tr",
    { class: here ? "cause" : null, "data-line": `${place}:${number}` },
    element(
      "td",
      { class: "heat" + (share ? " hot" : ""), "aria-label": share ? label : null },
      share ? percentText(share.share) : "",
    ),
    element("td", { class: "line" }, String(number)),
    element("td", { class: "code" }, element("code", {}, text || " ")),
  );
  row.firstChild.style.setProperty("--share", heat.toFixed(3));
  if (here && cause.column > 0 && cause.column <= text.length + 1) row.lastChild.append(caret(text, cause));
  return row;
}

// The compiler counts bytes. Tabs are kept, so that the caret is below the column.
function caret(text, cause) {
  const bytes = new TextEncoder().encode(text).slice(0, cause.column - 1);
  const before = new TextDecoder().decode(bytes).replace(/[^\t]/g, " ");
  return element(
    "code",
    { class: "caret", "aria-label": `column ${cause.column}: ${cause.source || cause.operation || "the cause"}` },
    before + "^ " + (cause.source || cause.operation || ""),
  );
}

function sourceTable(finding, spans, sources) {
  const shares = sharesOf(finding);
  const body = element("tbody");
  let file = null;
  for (const [name, first, last] of spans) {
    const lines = sources[name] || {};
    if (name !== file)
      body.append(element("tr", { class: "file" }, element("th", { colspan: 3, scope: "rowgroup" }, name)));
    else
      body.append(
        element("tr", { class: "gap" }, element("td", { colspan: 3, "aria-label": "lines left out" }, "⋯")),
      );
    file = name;
    for (let number = first; number <= last; ++number)
      body.append(sourceRow(number, lines[number] || "", name, shares.get(`${name}:${number}`), finding.cause));
  }
  return element(
    "table",
    { class: shares.size ? "source" : "source cold", "aria-label": "source, with each line's share of the error" },
    body,
  );
}

function sourceCard(entry, sources) {
  const spans = entry.extra.source || [];
  if (!spans.length) return null;
  const lines = (entry.finding.diagnosis && entry.finding.diagnosis.lines) || [];
  return card(
    "Source",
    lines.length > 0 &&
      element("p", { class: "note" }, "The margin shows each line's share of the output's error."),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "source" },
      sourceTable(entry.finding, spans, sources),
    ),
  );
}

// Goes from a step of the chain to its line.
function showLine(file, line) {
  const row = [...document.querySelectorAll("tr[data-line]")].find((tr) => tr.dataset.line === `${file}:${line}`);
  if (!row) return;
  row.scrollIntoView({
    block: "center",
    behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
  });
  row.classList.remove("flash");
  void row.offsetWidth; // restarts the animation
  row.classList.add("flash");
}
