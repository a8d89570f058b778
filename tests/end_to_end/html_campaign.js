// The page of a campaign: the library at a glance, what is new, and thousands of functions.
const assert = require("node:assert");
const { open, eventually, title, hash } = require("./html_parts.js");

const functions = (page) => page.locator("#functions tbody tr:not(.room)");
const functionCount = (page) => page.locator(".function-tools [role=status]").textContent();
const news = (page) => page.locator("#news a.problem");

async function sumOfLegends(page, bar) {
  const counts = await page.locator(`.bar-of >> nth=${bar}`).locator(".legend b").allTextContents();
  return counts.map((text) => Number(text.replace(/,/g, ""))).reduce((a, b) => a + b);
}

module.exports = {
  async showsTheLibrary(browser) {
    const page = await open(browser);
    assert.match(await page.locator("#top").innerText(), /campaign c<b>/);
    assert.match(await page.title(), /Faultline campaign$/);
    const tiles = (await page.locator(".tile b").allTextContents()).map(Number);
    assert.equal(tiles[0], 1, "an error");
    for (const bar of [0, 1])
      assert.equal(await sumOfLegends(page, bar), 2, "every function has a state and an outcome");
    const glance = await page.locator(".glance").innerText();
    assert.match(glance, /Sites reached\s+100 %\s+\d+ of \d+/);
    assert.match(glance, /evaluations\s+[\d,]+/);
    assert.match(glance, /(More time|Too early)/);
    assert.equal(await page.locator(".yield path.edge").count(), 2, "errors and warnings over time");
    assert.match(await page.locator(".yield").getAttribute("aria-label"), /1 error, \d+ warnings? after/);
    const drawn = () => page.locator(".yield path.edge").first().getAttribute("d");
    const overTime = await drawn();
    await page.click('[data-choice="evaluations"]');
    assert.notEqual(await drawn(), overTime);
    assert.match(await page.locator("#news").innerText(), /All of it/);
    await page.locator("#runs summary").click();
    assert.match(await page.locator("#runs tbody").innerText(), /evaluations\s+\d+\s+<img src=x/);
    assert.equal(await page.locator("img, b b").count(), 0, "names are no markup");

    await page.locator("#functions tbody a", { hasText: "half_angle" }).click();
    await eventually(async () => assert.match(await title(page), /cancels/));
    assert.match(await page.locator(".fact-first-seen").innerText(), /^first seen\s+run 1, \d{4}-\d\d-\d\d/);
    return page;
  },

  async tellsWhatIsNew(browser) {
    const page = await open(browser);
    const select = page.locator("#news select");
    const choices = await select.locator("option").allTextContents();
    assert.match(choices[0], /^since the last page, \d{4}-/);
    assert.match(choices[1], /^since run 1, .*commit first/);
    for (const choice of [0, 1]) {
      await select.selectOption({ index: choice });
      const titles = await news(page).allTextContents();
      assert.ok(titles.length > 0 && titles.every((text) => /napier\.c:6/.test(text)), titles.join("\n"));
    }
    await select.selectOption({ index: 0 });
    await page.locator("#news details summary").click();
    assert.match(await page.locator("#news .gone").innerText(), /error\s+cancellation\s+napier\.c:3 in half_angle/);
    await news(page).first().click();
    assert.match(await hash(page), /^#problem=/);
    assert.match(await page.locator("#detail .labels").innerText(), /new/);
    return page;
  },

  async filtersThousands(browser) {
    const begin = Date.now();
    const page = await open(browser);
    const opened = Date.now() - begin;
    assert.equal(await functionCount(page), "5,000 functions");
    assert.ok((await functions(page).count()) < 500, "invisible rows are not made");
    await page.keyboard.press("f");
    const typing = Date.now();
    await page.keyboard.type("half_angle_12");
    assert.equal(await functionCount(page), "111 of 5,000 functions");
    const filtering = (Date.now() - typing) / "half_angle_12".length;
    assert.match(await functions(page).first().locator("th a").textContent(), /^half_angle_12/);
    await page.keyboard.press("Escape");
    assert.equal(await functionCount(page), "5,000 functions");
    await page.selectOption('[aria-label="All tiers"]', "error");
    assert.equal(await functionCount(page), "2,500 of 5,000 functions");
    await page.selectOption('[aria-label="All files"]', "part7.c");
    assert.equal(await functionCount(page), "250 of 5,000 functions");
    await page.click('.legend:has-text("without findings")');
    assert.match(await functionCount(page), /^2,500 of/, "a part of the bar shows its functions");
    assert.equal(await page.locator('[aria-label="All files"]').inputValue(), "", "and no other filter");
    await page.selectOption('[aria-label="All outcomes"]', "");
    await page.click("#functions thead button:has-text('function')");
    assert.equal(await functions(page).first().locator("th").innerText(), "doubled\npart0.c:5");
    await page.locator("#functions tbody").last().scrollIntoViewIfNeeded();
    await eventually(async () =>
      assert.match(
        await functions(page).last().locator("th").innerText(),
        /half_angle_2499/,
        "the last one is there",
      ),
    );
    assert.ok((await functions(page).count()) < 1000, "and the first ones are gone again");
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await functions(page).count(), 5000, "on paper all are there");
    await page.locator("#functions thead button").first().waitFor();
    console.log(JSON.stringify({ open_ms: opened, filter_ms: filtering }));
    return page;
  },

  async campaignFitsAPhone(browser) {
    const page = await open(browser, { viewport: { width: 360, height: 740 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await width(), 360);
    const cards = await page.locator(".glance .card").evaluateAll((all) => all.map((card) => card.offsetWidth));
    assert.ok(
      cards.every((size) => size > 300),
      "cards below each other",
    );
    await page.click(".jumps >> text=Functions");
    await page.locator("#functions tbody a").first().click();
    await page.locator("#detail h1").waitFor();
    assert.equal(await width(), 360);
    return page;
  },
};
