// Problems: what people read. Each groups findings of one place and class; the first is its representative.

const tiers = {
  error: "avoidable failures at everyday inputs",
  warning: "avoidable failures elsewhere, and half of the digits lost",
  note: "ill-conditioned, inherent, reported to the caller, or without effect",
};

const tierOf = (entry) => (entry.tier in tiers ? entry.tier : "note");

function problemEntryOf(problem, extra, findings, index) {
  const representative = findings[0] || null;
  const first = representative ? representative.finding : {};
  const entry = {
    key: problem.id || String(index),
    isProblem: true,
    problem,
    extra,
    findings,
    representative,
    tier: problem.tier || "note",
    rule: problem.class || "problem",
    headline: extra.title || problem.class || "problem",
    relative: problem.error && typeof problem.error.relative === "number" ? problem.error.relative : null,
    verdict: problem.verdict || "unknown",
    functions: problem.functions || [],
    where: locationText(problem),
    mark: problem.set_aside ? "set aside" : first.baseline === "new" ? "new" : "",
    order: index,
  };
  for (const finding of findings) finding.of = entry;
  return withWords(entry, () => [
    problem.id,
    entry.tier,
    entry.rule,
    entry.headline,
    ...entry.functions,
    entry.where,
    entry.verdict,
    extra.try,
    first.detail,
    first.diagnosis && first.diagnosis.why,
  ]);
}

function problemEntriesOf(data, findings) {
  const byId = new Map(findings.map((entry) => [entry.finding.id, entry]));
  const entries = (data.report.problems || []).map((problem, index) =>
    problemEntryOf(
      problem,
      (data.problems || {})[problem.id] || {},
      (problem.findings || []).map((id) => byId.get(id)).filter(Boolean),
      index,
    ),
  );
  const fresh = new Set(data.campaign && data.campaign.news ? data.campaign.news.fresh : []);
  for (const entry of entries) if (fresh.has(entry.key) && !entry.mark) entry.mark = "new";
  return entries;
}

// The reason why a note is not a warning.
function reasonText(entry) {
  const finding = entry.representative ? entry.representative.finding : {};
  if (finding.built) return finding.built;
  if (finding.reaches_output !== undefined) {
    if (!finding.silent) return "reported " + (entry.representative.extra.reported || "to the caller");
    if (finding.result === "right" || finding.harmless) return "the result is right";
    if (!finding.reaches_output && finding.result !== "wrong") return "no known effect on an output";
  }
  return entry.verdict === "unknown" ? "it is unknown whether it is avoidable" : entry.verdict;
}

// Formats the numbers with enough digits to distinguish them.
function comparedTexts(output, relative) {
  const digits = Math.min(17, Math.max(3, Math.ceil(-Math.log10(relative > 0 ? relative : 1)) + 2));
  const short = (number) => {
    const value = Number(number.decimal);
    const isExact = Number.isFinite(value) && !(value === 0 && /[1-9]/.test(number.decimal.replace(/e.*/, "")));
    return typedNumber(isExact ? String(Number(value.toPrecision(digits))) : number.decimal);
  };
  return {
    computed: output && output.computed ? short(output.computed) : "",
    exact: output && output.reference ? short(output.reference) : "",
  };
}
