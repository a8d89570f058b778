// New problems: since the last page of the campaign, or since a selected run.

function pastRow(problem) {
  return element(
    "li",
    {},
    tierBadge(problem.tier),
    " ",
    element("span", { class: "class" }, problem.class),
    " ",
    element("code", {}, locationText(problem)),
    " in ",
    element("code", {}, problem.function),
  );
}

function goneList(gone) {
  if (!gone.length) return null;
  const list = element("ul", { class: "gone" }, gone.slice(0, mostRows).map(pastRow));
  return element(
    "details",
    { class: "past" },
    element("summary", {}, `${counted(gone.length, "problem")} of then ${gone.length === 1 ? "is" : "are"} gone`),
    list,
    gone.length > mostRows &&
      moreButton(gone.length - mostRows, () => list.append(...gone.slice(mostRows).map(pastRow))),
  );
}

// The choices of a starting point: their names, and the problems that are new since then.
function newsChoices(campaign, problems) {
  const choices = [];
  if (campaign.news) {
    const fresh = new Set(campaign.news.fresh);
    choices.push({
      label: `since the last page, ${timeText(campaign.news.written)}`,
      fresh: problems.filter((entry) => fresh.has(entry.key)),
      gone: campaign.news.gone,
    });
  }
  const most = 20; // runs offered for selection
  for (const run of campaign.runs.slice(0, -1).reverse().slice(0, most))
    choices.push({
      label: `since ${runText(campaign, run.id)}`,
      fresh: problems.filter((entry) => campaign.first_runs[entry.key] > run.id),
      gone: [],
    });
  return choices;
}

function newsGroup(campaign, problems) {
  const counting = problems.filter((entry) => !entry.problem.set_aside);
  const choices = newsChoices(campaign, counting);
  const section = element("section", { class: "group", id: "news" });
  if (!choices.length) {
    section.append(
      element("h2", {}, "New"),
      element(
        "p",
        { class: "note" },
        "All of it: this is the first page, of the first run. The next page shows what is new since then.",
      ),
    );
    return section;
  }
  const shown = element("div");
  const show = (choice) => {
    const { fresh, gone } = choice;
    const list = element("ol", { class: "problems" }, fresh.slice(0, mostRows).map(problemRow));
    const parts = Object.keys(tiers)
      .map((tier) => [tier, fresh.filter((entry) => tierOf(entry) === tier).length])
      .filter(([, count]) => count)
      .map(([tier, count]) => element("span", { class: "count-of tier-" + tier }, counted(count, tier)));
    shown.replaceChildren(
      ...[
        element("p", { class: "new-counts", role: "status" }, parts.length ? parts : "Nothing is new."),
        fresh.length > 0 && list,
        fresh.length > mostRows &&
          moreButton(fresh.length - mostRows, () => list.append(...fresh.slice(mostRows).map(problemRow))),
        goneList(gone),
      ].filter(Boolean),
    );
  };
  const select = element(
    "select",
    { "aria-label": "New since", onchange: () => show(choices[select.selectedIndex]) },
    choices.map((choice) => element("option", {}, choice.label)),
  );
  section.append(element("h2", {}, "New ", select), shown);
  show(choices[0]);
  return section;
}
