// Problems over the time spent, or over evaluations: steps, errors below warnings. Drawn without the plotting library,
// which may be missing from a build and cannot print.

function drawn(tag, properties, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

function durationText(seconds) {
  if (seconds < 100) return `${Number(seconds.toPrecision(3))} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

// The possible horizontal axes: their numbers, in a unit with short ticks.
const yieldAxes = {
  seconds: {
    label: "time",
    title: "time of all workers",
    unitOf: (most) => (most < 200 ? [1, "s"] : most < 12000 ? [60, "min"] : [3600, "h"]),
    text: durationText,
  },
  evaluations: {
    label: "evaluations",
    title: "evaluations",
    unitOf: () => [1, ""],
    text: (count) => counted(count, "evaluation"),
  },
};

class YieldChart {
  constructor(campaign) {
    this.curve = campaign.curve;
    this.unseen = campaign.unseen || null;
    this.over = "seconds";
    this.area = element("div", { class: "yield", role: "img" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.caption = element("figcaption");
    let width = 0;
    new ResizeObserver(() => {
      if (this.area.clientWidth === width) return;
      width = this.area.clientWidth;
      this.draw();
    }).observe(this.area);
    this.area.addEventListener("pointermove", (event) => this.point(event));
    this.area.addEventListener("pointerleave", () => this.leave());
  }

  get last() {
    return this.curve.seconds.length - 1;
  }

  total(i) {
    return this.curve.errors[i] + this.curve.warnings[i];
  }

  scales() {
    const width = this.area.clientWidth,
      height = 220;
    const room = { left: 46, right: 14, top: 14, bottom: 26 };
    const highest = Math.max(1, ...this.curve.errors.map((errors, i) => this.total(i)));
    // An estimate far above the number found would flatten the curve.
    const expected = this.unseen ? this.total(this.last) + this.unseen.estimate : 0;
    const top = expected <= 2 * highest ? Math.max(highest, expected) : highest;
    const most = this.curve[this.over][this.last] || 1;
    return {
      width,
      height,
      room,
      most,
      top,
      expected: expected > this.total(this.last) && expected <= 2 * highest ? expected : 0,
      x: (value) => room.left + (value / most) * (width - room.left - room.right),
      y: (count) => height - room.bottom - (count / (1.05 * top)) * (height - room.top - room.bottom),
    };
  }

  // A value holds from its point to the next.
  steps(scales, heightOf) {
    const xs = this.curve[this.over];
    return xs.map(
      (x, i) => `${i ? "H" : "M"}${scales.x(x).toFixed(1)}${i ? "V" : ","}${scales.y(heightOf(i)).toFixed(1)}`,
    );
  }

  layer(scales, tone, from, to) {
    const upper = this.steps(scales, to).join("");
    const xs = this.curve[this.over];
    const back = [];
    for (let i = xs.length - 1; i >= 0; --i) {
      back.push(`V${scales.y(from(i)).toFixed(1)}`);
      if (i) back.push(`H${scales.x(xs[i]).toFixed(1)}`);
    }
    return [
      drawn("path", { class: "area " + tone, d: upper + back.join("") + "Z" }),
      drawn("path", { class: "edge " + tone, d: upper }),
    ];
  }

  axes(scales) {
    const { room, width, height } = scales;
    const [unit, name] = yieldAxes[this.over].unitOf(scales.most);
    const across = evenSteps(0, scales.most / unit, Math.max(2, (width - 60) / 90));
    const up = evenSteps(0, 1.05 * scales.top, 6).filter((tick) => Number.isInteger(tick.at));
    return [
      ...up.flatMap((tick) => [
        drawn("line", {
          class: "grid",
          x1: room.left,
          x2: width - room.right,
          y1: scales.y(tick.at),
          y2: scales.y(tick.at),
        }),
        drawn(
          "text",
          { class: "y", x: room.left - 8, y: scales.y(tick.at) + 4 },
          tick.at ? countText(tick.at) : "0",
        ),
      ]),
      ...across.map((tick) =>
        drawn(
          "text",
          { class: "x", x: scales.x(tick.at * unit), y: height - 8 },
          tick.at ? `${unit === 1 && !name ? countText(tick.at) : tick.label} ${name}`.trim() : "0",
        ),
      ),
    ];
  }

  expectation(scales) {
    if (!scales.expected) return [];
    const y = scales.y(scales.expected);
    return [
      drawn("line", {
        class: "expected",
        x1: scales.room.left,
        x2: scales.width - scales.room.right,
        y1: y,
        y2: y,
      }),
      drawn(
        "text",
        { class: "expected", x: scales.room.left + 8, y: y + 14 },
        `about ${countText(this.unseen.estimate)} more within reach`,
      ),
    ];
  }

  draw() {
    if (!this.area.clientWidth) return;
    const scales = (this.scaled = this.scales());
    const { errors } = this.curve;
    this.cursor = drawn("line", {
      class: "cursor",
      y1: scales.room.top,
      y2: scales.height - scales.room.bottom,
      x1: -9,
      x2: -9,
    });
    this.area.replaceChildren(
      drawn(
        "svg",
        {
          width: scales.width,
          height: scales.height,
          viewBox: `0 0 ${scales.width} ${scales.height}`,
          "aria-hidden": "true",
        },
        ...this.axes(scales),
        ...this.layer(
          scales,
          "tier-warning",
          (i) => errors[i],
          (i) => this.total(i),
        ),
        ...this.layer(
          scales,
          "tier-error",
          () => 0,
          (i) => errors[i],
        ),
        ...this.expectation(scales),
        this.cursor,
      ),
      this.tip,
    );
    this.area.setAttribute("aria-label", `Problems over ${yieldAxes[this.over].title}: ${this.text(this.last)}`);
    this.caption.textContent = `errors and warnings over ${yieldAxes[this.over].title}`;
  }

  text(i) {
    const { errors, warnings, seconds, evaluations } = this.curve;
    return (
      `${counted(errors[i], "error")}, ${counted(warnings[i], "warning")} after ` +
      `${durationText(seconds[i])}, ${counted(evaluations[i], "evaluation")}`
    );
  }

  point(event) {
    if (!this.scaled) return;
    const at = event.clientX - this.area.getBoundingClientRect().left;
    const xs = this.curve[this.over].map(this.scaled.x);
    let i = xs.findIndex((x) => x > at);
    i = i < 0 ? this.last : Math.max(0, i - 1);
    this.cursor.setAttribute("x1", xs[i]);
    this.cursor.setAttribute("x2", xs[i]);
    this.tip.textContent = this.text(i);
    this.tip.hidden = false;
    const room = this.area.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = Math.max(0, Math.min(room, xs[i] - this.tip.offsetWidth / 2)) + "px";
  }

  leave() {
    this.tip.hidden = true;
    if (this.cursor) ["x1", "x2"].forEach((end) => this.cursor.setAttribute(end, -9));
  }

  node() {
    const over = Object.entries(yieldAxes).map(([name, axis]) => [name, axis.label]);
    return element(
      "figure",
      {},
      element(
        "div",
        { class: "figure-head" },
        element("h2", {}, "Yield"),
        switchOf("drawn over", over, this.over, (name) => {
          this.over = name;
          this.draw();
        }),
      ),
      element(
        "p",
        { class: "key note" },
        ["error", "warning"].map((tier) => element("span", { class: "tier-" + tier }, element("i"), tier + "s")),
      ),
      this.area,
      this.caption,
      this.numbers(),
    );
  }

  // For screen readers; made when it is opened.
  numbers() {
    const details = element("details", { class: "numbers" }, element("summary", {}, "The points as a table"));
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const columns = ["seconds", "evaluations", "errors", "warnings"];
      const rows = this.curve.seconds.map((seconds, i) =>
        element(
          "tr",
          {},
          columns.map((name) => element("td", {}, countText(this.curve[name][i]))),
        ),
      );
      details.append(
        element(
          "div",
          { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "points" },
          element(
            "table",
            {},
            element(
              "thead",
              {},
              element(
                "tr",
                {},
                columns.map((name) => element("th", { scope: "col" }, name)),
              ),
            ),
            element("tbody", {}, rows),
          ),
        ),
      );
    });
    return details;
  }
}
