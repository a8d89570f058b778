// The first view of the page: the number of problems of each tier, for a campaign its state, all problems, and the
// functions.

const mostRows = 60; // per tier, before a button shows the others, so that the page appears at once

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

// Counts exceptions after which the result is right: those counted by the program, and findings without a problem.
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
  const functions = data.report.targets.length > 0 ? new FunctionTable(data, problems) : null;
  const campaign = data.campaign ? campaignParts(data, problems, functions) : { head: [], tail: [] };
  return [
    element("h1", { class: "offscreen" }, "Overview"),
    tierTiles(problems),
    ...campaign.head,
    ...problemGroups(problems),
    !problems.length &&
      element("p", { class: "empty" }, "Nothing was found. A search is not a proof: this budget found nothing."),
    functions && functions.node(),
    folded > 0 &&
      element(
        "p",
        { class: "note" },
        `${counted(folded, "exception")} after which the result is right: not among the problems.`,
      ),
    ...campaign.tail,
  ].filter(Boolean);
}
