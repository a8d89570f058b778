// The findings of the report as one list, with filters and orders. Missing fields are allowed, since reports may be
// written by older and newer versions of faultline.

function readData() {
  const data = JSON.parse(document.getElementById("data").textContent);
  data.report = data.report || {};
  data.report.targets = data.report.targets || [];
  return data;
}

function locationText(place) {
  if (!place || !place.file) return "";
  return place.file + (place.line ? ":" + place.line + (place.column ? ":" + place.column : "") : "");
}

const shortLocation = (location) => location.replace(/^.*\//, "");

// `entry.words` is the text that the filter searches. It is made on first use, because a library has thousands of
// entries.
function withWords(entry, words) {
  let text = null;
  const get = () => (text ??= words().filter(Boolean).join(" ").toLowerCase());
  return Object.defineProperty(entry, "words", { get });
}

// Makes the list entry of a finding.
function entryOf(target, finding, extra, key) {
  const cause = finding.cause || {};
  const rule = extra.rule || (finding.diagnosis && finding.diagnosis.class) || finding.kind || "finding";
  const relative = finding.error && typeof finding.error.relative === "number" ? finding.error.relative : null;
  const entry = {
    key,
    target,
    finding,
    extra,
    rule,
    relative,
    headline: extra.headline || rule,
    verdict: finding.verdict || "unknown",
    functions: [target.function || ""],
    where: locationText(cause.file ? cause : target),
    mark: finding.suppressed
      ? "suppressed"
      : finding.baseline === "new" || finding.baseline === "known"
        ? finding.baseline
        : "",
  };
  return withWords(entry, () => [
    finding.id,
    finding.kind,
    rule,
    entry.headline,
    target.function,
    cause.function,
    entry.where,
    entry.verdict,
    finding.detail,
    cause.operation,
    finding.diagnosis && finding.diagnosis.why,
  ]);
}

// Returns the address of an entry in the page.
const hashOf = (entry) => (entry.isProblem ? "problem=" : "finding=") + encodeURIComponent(entry.key);

function entriesOf(data) {
  const entries = [];
  const keys = new Set();
  data.report.targets.forEach((target, t) =>
    (target.findings || []).forEach((finding, f) => {
      const extra = ((data.extras || [])[t] || [])[f] || {};
      let key = finding.id || `${t}.${f}`;
      if (keys.has(key)) key += `-${t}.${f}`;
      keys.add(key);
      entries.push(entryOf(target, finding, extra, key));
    }),
  );
  return entries;
}

// An error of zero (such as of an overflow) counts as no error.
const magnitude = (entry) => (entry.relative === null ? -1 : entry.relative);

const byName = new Intl.Collator("en", { numeric: true }).compare;

const inOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// Problems are in the order of the report, and findings in that of their problems.
const importance = (entry) => (entry.isProblem ? entry.order : entry.of ? entry.of.order : Infinity);

const orders = {
  "most important": (a, b) => inOrder(importance(a), importance(b)) || magnitude(b) - magnitude(a),
  "largest error": (a, b) => magnitude(b) - magnitude(a),
  "smallest error": (a, b) => magnitude(a) - magnitude(b),
  place: (a, b) => byName(a.where, b.where),
  class: (a, b) => a.rule.localeCompare(b.rule) || magnitude(b) - magnitude(a),
  "as found": () => 0,
};

// True for entries that are suppressed in the source or known from an earlier hunt.
const isSetAside = (entry) => ["suppressed", "known", "set aside"].includes(entry.mark);

function matches(entry, filter) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    words.every((word) => entry.words.includes(word)) &&
    (!filter.rule || entry.rule === filter.rule) &&
    (!filter.verdict || entry.verdict === filter.verdict) &&
    (!filter.function || entry.functions.includes(filter.function)) &&
    (!filter.mark || (filter.mark === "not set aside" ? !isSetAside(entry) : entry.mark === filter.mark))
  );
}

// Returns 0 to 1 for colours and bars: from an error of one unit in the last place to no correct digit.
function severity(relative) {
  if (relative === null || relative === undefined) return 0;
  if (isInfinite(relative)) return 1;
  return relative > 0 ? Math.min(1, Math.max(0, 1 + Math.log10(relative) / 16)) : 0;
}
