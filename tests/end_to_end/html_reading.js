// Reading: the list, the keys, a finding, colours, and names that are not what they should be.
const assert = require("node:assert");
const { open, rows, title, selected, hash, listed } = require("./html_parts.js");

module.exports = {
  async reads(browser) {
    const page = await open(browser);
    await page.keyboard.press("/");
    await listed(page, "findings");
    const all = await rows(page).count();
    assert.ok(all > 3);
    assert.equal(await page.locator(".count").textContent(), `${all} findings`);
    await page.selectOption("#order", "largest error");
    const largestFirst = await rows(page).first().textContent();
    await page.selectOption("#order", "smallest error");
    assert.notEqual(await rows(page).first().textContent(), largestFirst);

    await page.locator("#list").focus();
    await page.keyboard.press("/");
    await page.keyboard.type("inaccuracy one_minus_cos 10:27");
    assert.match(await page.locator(".count").textContent(), new RegExp(`^\\d+ of ${all} findings$`));
    await page.keyboard.press("Enter");
    assert.match(await title(page), /^cancellation: relative error .* in one_minus_cos/);
    const detail = await page.locator("#detail").innerText();
    for (const part of [
      /one_minus_cos\.c:10:27/,
      /avoidable/,
      /faultline (replay|explain)/,
      /double difference = 1\.0 - cos\(x\);/,
      /0x1/,
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
    await page.keyboard.press("j");
    const first = await title(page);
    await page.keyboard.press("j");
    const address = await hash(page);
    assert.match(address, /^#problem=/);
    assert.equal(await rows(page).nth(1).getAttribute("aria-selected"), "true");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    assert.equal(await title(page), first);
    assert.equal(await selected(page).count(), 1);
    const sent = await open(browser, {}, address);
    assert.equal(await rows(sent).nth(1).getAttribute("aria-selected"), "true", "the address names the problem");
    await rows(page).last().click();
    assert.equal(await rows(page).last().getAttribute("aria-selected"), "true");
    await page.keyboard.press("Escape");
    await page.locator("#overview").waitFor();
    assert.deepEqual(sent.complaints, []);
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

  async staysInert(browser) {
    const page = await open(browser);
    assert.match(await page.locator("#overview").innerText(), /<img src=x onerror="window\.broken=1">/);
    assert.equal(await page.locator("#overview img, #overview script").count(), 0);
    await page.locator("#functions tbody a").first().click();
    for (const mode of ["problems", "findings"]) {
      await listed(page, mode);
      for (let i = 0; i < (await rows(page).count()); ++i) await rows(page).nth(i).click();
      assert.equal(await page.locator("#detail img, #detail script, #list img, #top img").count(), 0);
    }
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.match(
      await page.locator("#list").innerText(),
      /<img src=x onerror="window\.broken=1">/,
      "it is shown as it is",
    );
    assert.match(await page.locator(".source").first().innerText(), /<\/script><script>window\.broken=1<\/script>/);
    return page;
  },

  async showsWhatThereIs(browser) {
    const page = await open(browser);
    await page.keyboard.press("j");
    for (const mode of ["problems", "findings"]) {
      await listed(page, mode);
      const count = await rows(page).count();
      for (let i = 0; i < count; ++i) {
        await rows(page).nth(i).click();
        assert.ok((await title(page)).length > 0);
      }
    }
    return page;
  },

  async marksTheDiagnosis(browser) {
    const page = await open(browser);
    await page.keyboard.press("j");
    await page.locator("#detail table.rows a").first().click();
    const detail = await page.locator("#detail").innerText();
    for (const part of [
      /cancels 47 of 53 bits/,
      /write 2 \* sin\(x \/ 2\)\^2 for 1 - cos\(x\)/,
      /1\.10e-16/,
      /2 operations left out/,
    ])
      assert.match(detail, part);
    assert.equal(await page.locator(".chain > li:not(.skipped)").count(), 3);
    assert.equal(await page.locator("tr.cause .heat").textContent(), "100 %", "in words too, not in colour alone");
    assert.match(await page.locator("tr.cause .caret").textContent(), /^ {26}\^ 1\.0 - cos\(x\)$/);
    await page.locator(".chain button.link").last().click();
    assert.equal(await page.locator("tr.flash .line").textContent(), "11");
    return page;
  },
};
