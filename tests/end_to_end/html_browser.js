// Opens an HTML report in a browser and does what a reader does: browser_case.py runs it with the name of a scenario and a
// file. It fails with an assertion, and prints what it measured as JSON. Whatever the page asks of the network, and
// whatever it says on the console, is a failure.
const assert = require("node:assert");
const path = require("node:path");
const { chromium } = require(path.join(process.env.FAULTLINE_WEB, "node_modules", "playwright-core"));

const quiet = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const [scenario] = process.argv.slice(2);
const scenarios = {
  ...require("./html_bounds.js"),
  ...require("./html_campaign.js"),
  ...require("./html_overview.js"),
  ...require("./html_plots.js"),
  ...require("./html_reading.js"),
};

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: quiet });
  try {
    const page = await scenarios[scenario](browser);
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
