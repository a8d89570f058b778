// Plots: what they say under the mouse, how they zoom, what they can show.
const assert = require("node:assert");
const { open, links, choose } = require("./html_parts.js");

// From one fraction of the plot's width to another.
async function drag(page, plot, from, to) {
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + to) / 2), box.y + box.height / 2);
  await page.mouse.move(box.x + box.width * to, box.y + box.height / 2);
  await page.mouse.up();
}

// The input under the mouse, at a fraction of the plot's width.
async function inputAt(page, plot, fraction) {
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * fraction, box.y + box.height / 2);
  const text = await page.locator(".tip:visible b").textContent();
  return Number(text.split(" = ")[1]);
}

module.exports = {
  async draws(browser) {
    const page = await open(browser);
    await links(page).filter({ hasText: "cancellation" }).first().click();
    await page.waitForSelector(".plot canvas");
    assert.equal(await page.locator(".plot canvas").count(), 2, "the range, and around the input");
    const plot = page.locator(".plot .u-over").first();
    const left = await inputAt(page, plot, 0.1);
    const tip = page.locator(".tip:visible");
    assert.match(
      await tip.innerText(),
      /^x = \S+\n[\d.,e]+ floats? (above|below)\n(relative error \S+|exact).*\ncomputed \S+, exact \S+\nwith the remedy \S+/,
    );
    const right = await inputAt(page, plot, 0.9);
    assert.ok(left < 0 && right > 0, "it follows the mouse");
    assert.ok(Math.abs(left) <= 1e9 && Math.abs(right) <= 1e9, "everyday numbers first");

    await drag(page, plot, 0.5, 0.9);
    assert.ok((await inputAt(page, plot, 0.02)) > left, "dragging zooms in");
    await plot.dblclick();
    assert.equal(await inputAt(page, plot, 0.1), left, "a double click shows all");
    await choose(page, "whole");
    const whole = page.locator(".plot .u-over").first();
    assert.ok((await inputAt(page, whole, 0.99)) > 1e100, "all that was searched");

    assert.match(
      await page.locator(".plot").first().getAttribute("aria-label"),
      /Relative error at \d+ values of x/,
    );
    await page.locator(".numbers summary").first().click();
    await page.waitForSelector(".numbers tbody tr");
    assert.ok((await page.locator(".numbers tbody tr").count()) > 50);
    return page;
  },

  async changesUnits(browser) {
    const page = await open(browser);
    await links(page).filter({ hasText: "cancellation" }).first().click();
    await page.waitForSelector(".plot canvas");
    const picture = () =>
      page
        .locator(".plot canvas")
        .first()
        .evaluate((canvas) => canvas.toDataURL());
    const key = () => page.locator(".key").innerText();
    const relative = await picture();
    assert.match(await key(), /now\s+with the remedy/);
    await choose(page, "ulps");
    const ulps = await picture();
    assert.notEqual(ulps, relative);
    await choose(page, "values");
    assert.notEqual(await picture(), ulps);
    assert.match(await key(), /exact\s+computed/);
    await choose(page, "relative");
    assert.equal(await picture(), relative, "and back");
    return page;
  },

  async drawsExceptions(browser) {
    const page = await open(browser);
    const link = links(page)
      .filter({ hasText: /the result is (-?inf|nan)/ })
      .first();
    await link.click();
    await page.waitForSelector(".plot canvas");
    assert.equal(await page.locator('[data-choice="values"]').getAttribute("aria-pressed"), "true", "values first");
    assert.match(await page.locator(".key").innerText(), /exact\s+computed/);
    await page.locator(".numbers summary").first().click();
    await page.waitForSelector(".numbers tbody tr");
    const texts = await page.locator(".numbers tbody tr td:nth-child(5)").allTextContents();
    assert.ok(
      texts.some((text) => /inf|nan/.test(text)),
      "where it overflows",
    );
    assert.ok(
      texts.some((text) => /^-?[\d.]/.test(text)),
      "and where it does not",
    );
    return page;
  },

  async saysWhyThereAreNoPlots(browser) {
    const page = await open(browser);
    assert.match(await page.locator("#top").innerText(), /Without plots: /);
    return page;
  },
};
