// Opens an HTML report in a browser and does what a reader does: html_test.py runs it with the name of a scenario and a
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

const [scenario, file] = process.argv.slice(2);
const address = "file://" + file;

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

const rows = (page) => page.locator("#list > li[role=option]");
const title = (page) => page.locator("#detail h1").textContent();
const selected = (page) => page.locator("#list > li[aria-selected=true]");

const scenarios = {
  async reads(browser) {
    const page = await open(browser);
    const all = await rows(page).count();
    assert.ok(all > 3);
    assert.equal(await page.locator(".count").textContent(), `${all} findings`);
    const largestFirst = await rows(page).first().textContent();
    await page.selectOption("#order", "smallest error");
    assert.notEqual(await rows(page).first().textContent(), largestFirst);

    await page.keyboard.press("/");
    await page.keyboard.type("inaccuracy one_minus_cos");
    assert.equal(await page.locator(".count").textContent(), `1 of ${all} findings`);
    await page.keyboard.press("Enter");
    assert.match(await title(page), /relative error 1\.00 in one_minus_cos/);
    const detail = await page.locator("#detail").innerText();
    for (const part of [
      /one_minus_cos\.c:10:27/,
      /Avoidable/,
      /faultline (replay|explain)/,
      /double difference = 1\.0 - cos\(x\);/,
      /0x1\./,
    ])
      assert.match(detail, part);
    assert.equal(await page.locator("mark.wrong").first().textContent(), "0", "no digit of the result is right");

    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    assert.equal(await rows(page).count(), all, "the filter is cleared");
    return page;
  },

  async walks(browser) {
    const page = await open(browser);
    const first = await title(page);
    await page.keyboard.press("j");
    const hash = await page.evaluate(() => location.hash);
    assert.equal(await rows(page).nth(1).getAttribute("aria-selected"), "true");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    assert.equal(await title(page), first);
    assert.equal(await selected(page).count(), 1);
    const sent = await open(browser, {}, hash);
    assert.equal(await rows(sent).nth(1).getAttribute("aria-selected"), "true", "the address names the finding");
    await rows(page).last().click();
    assert.equal(await rows(page).last().getAttribute("aria-selected"), "true");
    assert.deepEqual(sent.complaints, []);
    return page;
  },

  async draws(browser) {
    const page = await open(browser);
    await page.fill("#filter", "inaccuracy one_minus_cos");
    await rows(page).first().click();
    await page.waitForSelector(".plot canvas");
    assert.equal(await page.locator(".plot canvas").count(), 2, "around the input, and the whole range");
    const plot = page.locator(".plot .u-over").nth(1);
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
    const tip = page.locator(".tip:visible");
    assert.match(await tip.innerText(), /^x = \S+\n[\d.,e]+ floats? (above|below)\n(relative error|exact)/);
    const before = await tip.innerText();
    await page.mouse.move(box.x + (3 * box.width) / 4, box.y + box.height / 2);
    assert.notEqual(await tip.innerText(), before, "it follows the mouse");
    assert.match(
      await page.locator(".plot").first().getAttribute("aria-label"),
      /Relative error at \d+ values of x/,
    );
    await page.locator(".numbers summary").first().click();
    await page.waitForSelector(".numbers tbody tr");
    assert.ok((await page.locator(".numbers tbody tr").count()) > 50);
    return page;
  },

  async changesColours(browser) {
    const page = await open(browser, { colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.click("#theme"); // light
    const light = await background();
    assert.notEqual(light, dark);
    // The browser writes its storage when it finds the time: a reload may come before that.
    for (let tries = 0; tries === 0 || (tries < 5 && (await background()) !== light); ++tries) {
      await page.waitForTimeout(200 * tries);
      await page.reload();
      await page.waitForSelector("body.ready");
    }
    assert.equal(await background(), light, "it is remembered");
    await page.click("#theme"); // dark
    assert.equal(await background(), dark);
    return page;
  },

  async fitsAPhone(browser) {
    const page = await open(browser, { viewport: { width: 360, height: 740 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await width(), 360);
    assert.ok(!(await page.locator("#detail").isVisible()), "the list comes first");
    await rows(page).first().click();
    assert.ok(await page.locator("#detail h1").isVisible());
    assert.equal(await width(), 360, "nothing sticks out");
    await page.click(".back");
    assert.ok(await page.locator("#list").isVisible());
    return page;
  },

  async staysInert(browser) {
    const page = await open(browser);
    for (let i = 0; i < (await rows(page).count()); ++i) await rows(page).nth(i).click();
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("#detail img, #detail script, #list img, #top img").count(), 0);
    assert.match(
      await page.locator("#list").innerText(),
      /<img src=x onerror="window\.broken=1">/,
      "it is shown as it is",
    );
    assert.match(await page.locator(".source").innerText(), /<\/script><script>window\.broken=1<\/script>/);
    return page;
  },

  async showsWhatThereIs(browser) {
    const page = await open(browser);
    const count = await rows(page).count();
    for (let i = 0; i < count; ++i) {
      await rows(page).nth(i).click();
      assert.ok((await title(page)).length > 0);
    }
    return page;
  },

  async marksTheDiagnosis(browser) {
    const page = await open(browser);
    const detail = await page.locator("#detail").innerText();
    for (const part of [
      /Cancels 47 of 53 bits\./,
      /Write 2 \* sin\(x \/ 2\)\^2 for 1 - cos\(x\)\./,
      /1\.10e-16/,
      /2 operations left out/,
      /Simplest: relative error 7\.99e-4/,
    ])
      assert.match(detail, part);
    assert.equal(await page.locator(".chain > li:not(.skipped)").count(), 3);
    assert.equal(await page.locator("tr.cause .heat").textContent(), "100 %", "in words too, not in colour alone");
    assert.match(await page.locator("tr.cause .caret").textContent(), /^ {26}\^ fsub$/);
    await page.locator(".chain button.link").last().click();
    assert.equal(await page.locator("tr.flash .line").textContent(), "11");
    return page;
  },

  async saysWhyThereAreNoPlots(browser) {
    const page = await open(browser);
    assert.match(await page.locator("#top").innerText(), /Without plots: /);
    return page;
  },

  async opensManyFindings(browser) {
    const begin = Date.now();
    const page = await open(browser);
    const opened = Date.now() - begin;
    assert.equal(await rows(page).count(), 1000);
    const steps = Date.now();
    for (let i = 0; i < 20; ++i) await page.keyboard.press("j");
    console.log(JSON.stringify({ open_ms: opened, step_ms: (Date.now() - steps) / 20 }));
    await page.fill("#filter", "00000000000003e7");
    assert.equal(await rows(page).count(), 1, "the last one is there too");
    return page;
  },
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
