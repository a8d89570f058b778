// The page of faultline bound.
const assert = require("node:assert");
const { open, choose } = require("./html_parts.js");

const below = (page) => page.locator(".under-pointer").innerText();

// The picture as it is painted.
const painted = (page) => page.evaluate(() => document.querySelector(".picture canvas").toDataURL());

module.exports = {
  async readsAMapOfOneInput(browser) {
    const page = await open(browser);
    assert.match(await page.locator("#summary").innerText(), /safe for \|x\| >= .*\(proved\); wrong by up to/);
    assert.match(await page.locator(".legend").innerText(), /safe: .*unsafe: /s);
    const box = await page.locator(".picture canvas").boundingBox();
    await page.mouse.move(box.x + box.width - 40, box.y + box.height / 2);
    assert.match(await below(page), /^x = 0\.\d+; safe: x in \[.*no error above/);
    await page.mouse.move(box.x + box.width * 0.64, box.y + box.height / 2);
    assert.match(await below(page), /unsafe: x in .* at x=/);
    const relative = await painted(page);
    await choose(page, "ulps");
    await page.waitForTimeout(200);
    assert.notEqual(await painted(page), relative);
    return page;
  },

  async readsAMapOfThreeInputs(browser) {
    const page = await open(browser, { colorScheme: "dark" });
    assert.equal(await page.locator("#bounds select option").count(), 3, "pairs of inputs");
    const first = await painted(page);
    await page.locator("#bounds select").selectOption("2");
    await page.waitForTimeout(200);
    assert.notEqual(await painted(page), first);
    const box = await page.locator(".picture canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await below(page), /(safe|open|unsafe): x in \[.*y in \[.*z in \[/);
    assert.match(await page.locator("#bounds").innerText(), /The safe box around x = 1\.5, y = 0\.5/);
    const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.click("#theme");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), light);
    return page;
  },

  async showsTheMapUnderPlots(browser) {
    const page = await open(browser);
    await page.locator("#overview a.problem").first().click();
    await page.waitForSelector(".plot canvas");
    assert.match(await page.locator(".key").innerText(), /safe \(proved\)\s+an error was found/);
    return page;
  },
};
