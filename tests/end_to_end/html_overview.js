// What the page opens on: problems, functions, and the way from there to one of them.
const assert = require("node:assert");
const { open, eventually, rows, title, selected, links, hash, listed } = require("./html_parts.js");

module.exports = {
  async opensOnTheOverview(browser) {
    const page = await open(browser);
    await page.locator("#overview").waitFor();
    assert.ok(!(await page.locator("#list").isVisible()));
    const counts = (await page.locator(".tile b").allTextContents()).map(Number);
    assert.equal(
      counts.reduce((a, b) => a + b),
      await links(page).count(),
      "the tiles count what is listed",
    );
    const badges = await links(page).locator(".tier").allTextContents();
    const order = ["error", "warning", "note"];
    assert.deepEqual(
      badges,
      [...badges].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
      "what matters first",
    );
    assert.ok(badges.includes("error") && badges.includes("note"));
    const first = await links(page).first().innerText();
    for (const part of [
      /cancellation/,
      /one_minus_cos\.c:10:27|quadratic\.cpp:16:17/,
      /try .*=/,
      /gives .*, exact/,
      /(1 in \S+|% of) everyday inputs/,
    ])
      assert.match(first, part);
    assert.doesNotMatch(first, /^[A-Z]/m, "no capital: it may be code");

    const name = await links(page).first().locator(".title").textContent();
    await links(page).first().click();
    await eventually(async () => assert.equal(await title(page), name));
    assert.match(await hash(page), /^#problem=[0-9a-f]{16}$/);
    await page.goBack();
    await eventually(async () => assert.ok(await page.locator("#overview").isVisible(), "back to the overview"));
    return page;
  },

  async sortsFunctions(browser) {
    const page = await open(browser);
    const names = () => page.locator("#functions tbody th a, #functions tbody th > span").allTextContents();
    const header = (name) => page.locator("#functions thead th", { hasText: name });
    const byWorst = await names();
    assert.equal(byWorst.at(-1), "quadratic_root_stable", "the one without an error comes last");
    assert.equal(await header("problems").getAttribute("aria-sort"), "descending");
    await header("function").locator("button").click();
    assert.deepEqual(await names(), [...byWorst].sort());
    await header("function").locator("button").click();
    assert.deepEqual(await names(), [...byWorst].sort().reverse());
    assert.equal(await header("function").getAttribute("aria-sort"), "ascending");
    const errors = () => page.locator("#functions tbody tr td:nth-child(2)").allTextContents();
    await header("worst everyday").locator("button").click();
    const sorted = (await errors()).map((text) => (text === "∞" ? Infinity : Number(text)));
    assert.deepEqual(
      sorted,
      [...sorted].sort((a, b) => b - a),
    );

    await page.click("#functions >> text=quadratic_root_stable");
    assert.equal(await hash(page), "#function=quadratic_root_stable");
    let all;
    await eventually(async () => {
      all = await rows(page).count();
      assert.ok(all > 0);
      assert.match(await page.locator(".count").textContent(), new RegExp(`^${all} of \\d+ problems$`));
    });
    await page.goBack();
    await eventually(async () => assert.ok(await page.locator("#overview").isVisible()));
    await page.keyboard.press("j");
    await eventually(async () => assert.ok((await rows(page).count()) > all, "the overview forgets the filter"));
    return page;
  },

  async tellsAProblem(browser) {
    const page = await open(browser);
    await links(page).filter({ hasText: "quadratic.cpp:16" }).first().click();
    const detail = page.locator("#detail");
    assert.equal(await detail.locator(".underlined").textContent(), "-b_ + root");
    const facts = await detail.locator(".problem-facts dt").allTextContents();
    for (const fact of ["try", "why", "when", "how often", "fix", "worst"]) assert.ok(facts.includes(fact), fact);
    assert.match(await detail.locator(".fact-try").innerText(), /quadratic_root\w*\(.*\)[\s\S]*computed .* exact /);
    assert.match(await detail.locator(".fact-fix").innerText(), /^fix\s+.*write .*\s+tried on \S+ inputs; .*relative error .* → .*e-1\d$/);
    assert.match(await detail.locator(".fact-why").innerText(), /^why\s+[^A-Z]/, "no capital: it may be code");

    const address = await hash(page);
    await detail.locator("table.rows a").last().click();
    assert.match(await hash(page), /^#finding=/);
    await eventually(async () => assert.match(await title(page), / in quadratic_root/));
    await detail.locator(".inputs").first().waitFor();
    assert.equal(await selected(page).count(), 1, "its problem stays marked");
    await page.click(".back");
    assert.equal(await hash(page), address);
    for (const link of [address, await detail.locator("table.rows a").first().getAttribute("href")]) {
      const sent = await open(browser, {}, link);
      await sent.locator("#detail h1").waitFor();
      assert.deepEqual(sent.complaints, []);
    }
    return page;
  },

  async fitsAPhone(browser) {
    const page = await open(browser, { viewport: { width: 360, height: 740 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await width(), 360);
    assert.ok(!(await page.locator("#detail").isVisible()), "the overview comes first");
    await links(page).first().click();
    await page.locator("#detail h1").waitFor();
    assert.equal(await width(), 360, "nothing sticks out");
    await page.locator("#detail table.rows a").first().click();
    assert.equal(await width(), 360, "nothing sticks out of a finding");
    await page.click(".back");
    await page.click(".back");
    await page.locator("#overview").waitFor();
    return page;
  },

  async opensManyFindings(browser) {
    const begin = Date.now();
    const page = await open(browser);
    const opened = Date.now() - begin;
    await page.keyboard.press("j");
    await listed(page, "findings");
    assert.equal(await rows(page).count(), 1000);
    const steps = Date.now();
    for (let i = 0; i < 20; ++i) await page.keyboard.press("j");
    console.log(JSON.stringify({ open_ms: opened, step_ms: (Date.now() - steps) / 20 }));
    await page.fill("#filter", "00000000000003e7");
    assert.equal(await rows(page).count(), 1, "the last one is there too");
    return page;
  },
};
