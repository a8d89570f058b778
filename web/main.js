// The page: header, list, the finding that is selected. The address keeps the selection: it can be sent to others.

const data = readData();
const entries = entriesOf(data);
const detail = document.getElementById("detail");

function showList() {
  document.body.classList.remove("reading");
  list.list.focus();
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function outcomeTable() {
  const targets = data.report.targets;
  const rows = targets.map((target) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, target.function || ""),
      element("td", {}, locationText(target)),
      element("td", {}, target.outcome || ""),
      element("td", {}, String((target.findings || []).length)),
      element("td", {}, countText(target.evaluations)),
      element("td", {}, target.note || ""),
    ),
  );
  return element(
    "details",
    { class: "functions" },
    element("summary", {}, counted(targets.length, "function")),
    element(
      "div",
      { class: "scroll" },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            ["function", "place", "outcome", "findings", "runs", "note"].map((name) =>
              element("th", { scope: "col" }, name),
            ),
          ),
        ),
        element("tbody", {}, rows),
      ),
    ),
  );
}

// What an earlier hunt and comments in the source have to say.
function noiseLines(report) {
  const { baseline, remarks } = report;
  const gone = baseline && baseline.gone > 0 ? `, ${countText(baseline.gone)} of its findings are gone` : "";
  return [baseline && `Compared with ${baseline.file}${gone}`, ...(remarks || [])]
    .filter(Boolean)
    .map((text) => element("p", { class: "note" }, text));
}

function header() {
  const { report } = data;
  const affected = report.targets.filter((target) => (target.findings || []).length).length;
  const command = "faultline " + (report.command || []).map(quoted).join(" ");
  const facts = [
    `${counted(entries.length, "finding")} in ${affected} of ${counted(report.targets.length, "function")}`,
    report.seed !== undefined && `seed ${report.seed}`,
    report.faultline && `version ${report.faultline}`,
  ];
  return [
    element(
      "div",
      { class: "bar" },
      element("span", { class: "brand" }, "Faultline"),
      element(
        "ul",
        { class: "facts-line" },
        facts.filter(Boolean).map((fact) => element("li", {}, fact)),
      ),
      themeButton(),
    ),
    element(
      "div",
      { class: "made" },
      element("div", { class: "command" }, element("code", {}, command), copyButton(command, "the command")),
      outcomeTable(),
    ),
    ...noiseLines(report),
    data.without_plots && element("p", { class: "note warning" }, "Without plots: " + data.without_plots),
  ].filter(Boolean);
}

const list = new FindingList(entries, (entry) => {
  detail.replaceChildren(...detailOf(entry, data));
  detail.scrollTop = 0;
  document.title = titleText(entry) + " · Faultline";
  if (decodeURIComponent(location.hash.slice(1)) !== entry.key)
    history.replaceState(null, "", "#" + encodeURIComponent(entry.key));
});

function selectFromAddress(fallback) {
  let key = "";
  try {
    key = decodeURIComponent(location.hash.slice(1));
  } catch (malformed) {
    key = "";
  }
  const entry = entries.find((candidate) => candidate.key === key);
  if (entry) document.body.classList.add("reading");
  if (entry || fallback) list.select(entry || fallback, Boolean(entry));
}

function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
    return;
  const inList = event.target === list.list || event.target === document.body;
  const step = {
    j: 1,
    k: -1,
    ...(inList ? { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 } : {}),
  }[event.key];
  if (step) list.step(step);
  else if (event.key === "/") list.search.focus();
  else if (event.key === "Enter" && event.target === list.list) document.body.classList.add("reading");
  else if (event.key === "Escape" && document.body.classList.contains("reading")) showList();
  else return;
  event.preventDefault();
}

document.getElementById("top").append(...header());
document.getElementById("findings").append(...list.node().filter(Boolean));
list.list.addEventListener("click", () => document.body.classList.add("reading"));
list.show();
if (entries.length) selectFromAddress(list.visible[0]);
else
  detail.append(
    element("p", { class: "empty" }, "Nothing was found. A search is not a proof: this budget found nothing."),
  );
document.addEventListener("keydown", key);
addEventListener("hashchange", () => selectFromAddress(null));
document.body.classList.add("ready");
