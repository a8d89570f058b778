// The numbers of a finding: its input, and the result with its error.

// Lists the cells of an array one by one, and only the first few of a long one.
function inputRows(name, value) {
  if (!Array.isArray(value)) return [inputRow(name, value)];
  const most = 8;
  const rows = value.slice(0, most).map((cell, i) => inputRow(`${name}[${i}]`, cell));
  const all = (field) => value.map((cell) => cell[field]).join(",");
  const rest = element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    element(
      "td",
      { colspan: 2 },
      `${value.length} values `,
      copyButton(all("decimal"), `all of ${name} in decimal`, "decimal"),
      " ",
      copyButton(all("hex"), `all of ${name} in hex`, "hex"),
    ),
  );
  return value.length > 1 ? [...rows, rest] : rows;
}

function inputRow(name, value) {
  const cell = (text, how) =>
    element("td", {}, element("span", { class: "number" }, text), " ", copyButton(text, `${name} in ${how}`));
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    cell(value.decimal || "", "decimal"),
    value.hex && value.hex !== value.decimal ? cell(value.hex, "hex") : element("td"),
  );
}

function inputTable(label, input) {
  return element(
    "div",
    { class: "scroll" },
    element(
      "table",
      { class: "inputs", "aria-label": label },
      element(
        "thead",
        { class: "offscreen" },
        element("tr", {}, ...["input", "decimal", "hex"].map((name) => element("th", { scope: "col" }, name))),
      ),
      element(
        "tbody",
        {},
        Object.entries(input || {}).flatMap(([name, value]) => inputRows(name, value)),
      ),
    ),
  );
}

function inputCard(entry) {
  const { finding } = entry;
  if (!finding.input || !Object.keys(finding.input).length) return null;
  return card(
    "Input",
    inputTable("input", finding.input),
    finding.merged > 0 &&
      element(
        "p",
        { class: "note" },
        `${countText(finding.merged)} more ${finding.merged === 1 ? "input shows" : "inputs show"} the same.`,
      ),
  );
}

function resultCard(entry) {
  const { finding } = entry;
  const output = finding.output;
  const error = finding.error && finding.error.relative !== 0 ? finding.error : null;
  if (!output && !error) return null;
  const number = (label, node, value) =>
    element(
      "div",
      { class: "result" },
      element("dt", {}, label),
      element(
        "dd",
        {},
        node,
        " ",
        copyButton(value.decimal, `${label} in decimal`),
        value.hex && value.hex !== value.decimal && copyButton(value.hex, `${label} in hex`, "hex"),
      ),
    );
  const measures = error && [
    ["relative", measureText(error.relative)],
    ["absolute", measureText(error.absolute)],
    ["ulps", countText(error.ulps)],
    [
      "bits lost",
      typeof error.bits === "number" && !isInfinite(error.bits) ? error.bits.toFixed(1) : measureText(error.bits),
    ],
  ];
  return card(
    output && output.name && output.name !== "return" ? `Result: ${output.name}` : "Result",
    output &&
      element(
        "dl",
        {},
        output.computed &&
          number(
            "computed",
            output.reference
              ? markedNumber(output.computed.decimal, output.reference.decimal, entry.relative)
              : element("span", { class: "number" }, output.computed.decimal),
            output.computed,
          ),
        output.reference &&
          number("exact", element("span", { class: "number" }, output.reference.decimal), output.reference),
      ),
    output &&
      output.reference &&
      element(
        "p",
        { class: "note" },
        "Underlined digits are wrong. ",
        entry.extra.oracle && `The exact value is by ${entry.extra.oracle}.`,
      ),
    measures &&
      element(
        "ul",
        { class: "measures", "aria-label": "error" },
        measures.map(([name, value]) => element("li", {}, element("b", {}, value), element("span", {}, name))),
      ),
  );
}
