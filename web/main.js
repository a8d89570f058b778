// The page: the overview, or the list with a problem or a finding next to it. The address selects the view, so that it
// can be shared: #problem=ID, #finding=ID, #function=NAME; the overview has none.

const data = readData();
const findings = entriesOf(data);
const problems = problemEntriesOf(data, findings);
const overview = document.getElementById("overview");
const detail = document.getElementById("detail");

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

// Lines about the baseline and about suppressing comments.
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
    data.campaign && `campaign ${data.campaign.folder}`,
    `${counted(problems.length, "problem")} in ${affected} of ${counted(report.targets.length, "function")}`,
    counted(findings.length, "finding"),
    report.seed !== undefined && `seed ${report.seed}`,
    report.faultline && `version ${report.faultline}`,
  ];
  return [
    element(
      "div",
      { class: "bar" },
      element("a", { class: "brand", href: "#", title: "Overview", onclick: showOverview }, "Faultline"),
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
    ),
    ...noiseLines(report),
    data.without_plots && element("p", { class: "note warning" }, "Without plots: " + data.without_plots),
  ].filter(Boolean);
}

// Selects the visible part; a phone has room for only one.
function look(at) {
  document.body.classList.toggle("overviewing", at === "overview");
  document.body.classList.toggle("reading", at === "detail");
  list.see(at !== "overview");
}

function showOverview() {
  look("overview");
  forgetPlots();
  list.onlyFunction(""); // removes the filter
  if (!overview.children.length) overview.append(...overviewOf(data, problems));
  document.title = data.campaign ? `${data.campaign.folder} · Faultline campaign` : "Faultline report";
}

function showList() {
  look("list");
  list.list.focus();
}

function showDetail(entry) {
  look("detail");
  detail.replaceChildren(...(entry.isProblem ? problemDetail(entry, data) : detailOf(entry, data)));
  detail.scrollTop = 0;
  if (matchMedia("(max-width: 820px)").matches) scrollTo(0, 0);
  document.title = (entry.isProblem ? entry.headline : titleText(entry)) + " · Faultline";
}

// Steps through the list replace the address, so that going back leads to the page before the list.
const list = new EntryList(problems, findings, (entry) => {
  const wanted = "#" + hashOf(entry);
  if (!document.body.classList.contains("overviewing")) history.replaceState(null, "", wanted);
  else history.pushState(null, "", wanted);
  showDetail(entry);
});

function addressed() {
  const [, name, value] = /^#(?:(\w+)=)?(.*)$/s.exec(location.hash) || [null, "", ""];
  try {
    return [name, decodeURIComponent(value)];
  } catch (malformed) {
    return ["", ""];
  }
}

function follow() {
  const [name, value] = addressed();
  const byKey = (entry) => entry.key === value;
  const entry = name === "problem" ? problems.find(byKey) : findings.find(byKey); // a bare key is one of a finding
  if (name === "function") {
    list.onlyFunction(value);
    look("detail");
    if (list.visible.length) {
      list.mark(list.visible[0]);
      showDetail(list.visible[0]);
    } else showList();
  } else if (entry) {
    showDetail(entry);
    list.mark(entry);
  } else showOverview();
}

function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
    return;
  const inList = event.target === list.list || event.target === document.body;
  const overviewing = document.body.classList.contains("overviewing");
  const step = {
    j: 1,
    k: -1,
    ...(inList && !overviewing
      ? { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }
      : {}),
  }[event.key];
  if (step) list.step(step);
  else if (event.key === "/") {
    if (overviewing || document.body.classList.contains("reading")) look(overviewing ? "list" : "detail");
    if (!list.search.offsetParent) look("list"); // on a phone that shows a problem
    list.search.focus();
  } else if (event.key === "f" && overviewing && document.getElementById("function-filter")) {
    document.getElementById("functions").scrollIntoView({ block: "start" });
    document.getElementById("function-filter").focus({ preventScroll: true });
  } else if (event.key === "Enter" && event.target === list.list && list.selected) list.open(list.selected);
  else if (event.key === "Escape" && document.body.classList.contains("reading")) location.hash = "";
  else return;
  event.preventDefault();
}

document.getElementById("top").append(...header());
document.getElementById("findings").append(...list.node().filter(Boolean));
document.addEventListener("keydown", key);
addEventListener("hashchange", follow);
follow();
document.body.classList.add("ready");
