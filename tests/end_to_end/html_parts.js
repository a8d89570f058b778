// The parts of the page that scenarios speak of, and how it is opened.
const address = "file://" + process.argv[3];

async function open(browser, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => page.complaints.push("console: " + message.text()));
  page.on("pageerror", (error) => page.complaints.push("error: " + error.message));
  page.on("dialog", (dialog) => page.complaints.push("dialog: " + dialog.message()));
  page.on(
    "request",
    (request) => request.url().split("#")[0] !== address && page.complaints.push("request: " + request.url()),
  );
  await page.goto(address + hash);
  await page.waitForSelector("body.ready");
  return page;
}

// The browser tells the page of a new address when it finds the time.
async function eventually(holds) {
  const end = Date.now() + 10_000; // a wrong page fails late, a slow machine never
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const rows = (page) => page.locator("#list > li[role=option]");
const title = (page) => page.locator("#detail h1").textContent();
const selected = (page) => page.locator("#list > li[aria-selected=true]");
const links = (page) => page.locator("#overview a.problem");
const hash = (page) => page.evaluate(() => location.hash);
const choose = (page, what) => page.click(`[data-choice="${what}"] >> visible=true`);
const listed = (page, mode) => page.click(`.tools [data-choice="${mode}"]`);

module.exports = { open, eventually, rows, title, selected, links, hash, choose, listed };
