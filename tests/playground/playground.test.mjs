// The site's playground in a real Chromium, as a person uses it. `.ci/run playground` builds the site and the questions.
//
//   SITE=FOLDER QUESTIONS=FILE node --test tests/playground/playground.test.mjs

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const site = resolve(process.env.SITE);
const questions = JSON.parse(await readFile(process.env.QUESTIONS, "utf8"));
const quickstart = questions.find(({ name }) => name === "quickstart").document;
const program = await readFile(join(site, "playground/playground.wasm"));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };

const LIMIT = { timeout: 180_000 };
let server, browser, address;
const requests = [];

before(async () => {
  server = createServer(async (request, response) => {
    requests.push(request.url);
    const path = normalize(join(site, decodeURIComponent(new URL(request.url, "http://x").pathname)));
    try {
      if (!path.startsWith(site)) throw new Error("outside");
      const bytes = await readFile(path);
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/playground/index.html`;
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** The page with an answer; what goes wrong in it fails the test. */
async function open({ fragment = "", ...options } = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.wrong = [];
  page.on("pageerror", (error) => page.wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.wrong.push(message.text()));
  await page.goto(address + fragment);
  await answered(page);
  return page;
}

const answered = (page, more = 0) =>
  page.waitForFunction((last) => Number(document.body.dataset.answered ?? 0) > last, more);

/** Types a whole text, and waits for its answer. Milliseconds from the keystroke. */
async function type(page, text) {
  return page.evaluate(async (text) => {
    const last = Number(document.body.dataset.answered);
    const editor = document.getElementById("document");
    const begin = performance.now();
    editor.value = text;
    editor.dispatchEvent(new Event("input"));
    while (Number(document.body.dataset.answered) <= last) await new Promise((done) => setTimeout(done, 2));
    return performance.now() - begin;
  }, text);
}

const shown = (page) => page.evaluate(() => {
  const text = (id) => document.querySelector(id).textContent;
  return {
    screen: text("#screen"), consumer: text("#consumer pre"), provider: text("#provider pre"), diff: text("#diff pre"),
    findings: Array.from(document.querySelectorAll("#list a"), (it) => it.textContent),
  };
});

const choose = async (page, example) => {
  const last = Number(await page.evaluate(() => document.body.dataset.answered));
  await page.selectOption("#example", example);
  await answered(page, last);
};

test("the program imports no file, no clock and no process, and is at most 1 MiB compressed", () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(program)).map(({ name }) => name).sort();
  // the last two ask about a path that a message names; the page has no file system that could answer
  assert.deepEqual(imports, ["environ_get", "environ_sizes_get", "fd_prestat_dir_name", "fd_prestat_get", "fd_read", "fd_write",
    "path_filestat_get", "path_readlink", "proc_exit", "random_get"]);
  const size = gzipSync(program, { level: 9 }).length;
  assert.ok(size <= 1 << 20, `${size} bytes`);
  console.log(`playground.wasm: ${program.length} bytes, ${size} with gzip`);
});

test("every example and every wrong document is shown as the native program answers", LIMIT, async () => {
  const page = await open();
  assert.ok(questions.length > 200, `${questions.length} questions`);
  for (const { name, document, answer } of questions.filter(({ name }) => !name.startsWith("worst: "))) {
    await type(page, document);
    const { findings, ...texts } = await shown(page);
    for (const [part, text] of Object.entries(texts)) assert.equal(text, answer[part], `${name}: ${part}`);
    assert.deepEqual(findings, JSON.parse(answer.report).findings.map(({ level, code }) => `${level}[${code}]`), name);
  }
  assert.deepEqual(page.wrong, []);
});

test("the worst documents of 64 KiB do not freeze the page, and the next keystroke cancels them", LIMIT, async () => {
  const page = await open();
  let longest = 0, last = "";
  for (const { name, document, answer } of questions.filter(({ name }) => name.startsWith("worst: "))) {
    const took = await type(page, document);
    if (took > longest) [longest, last] = [took, name];
    assert.equal((await shown(page)).screen, answer.screen, name);
  }
  console.log(`the longest answer: ${Math.round(longest)} ms (${last})`);
  const worst = questions.find(({ name }) => name === last).document;
  const first = questions.find(({ name }) => name === "quickstart");
  const slowest = await page.evaluate(async ([worst, first]) => {
    const editor = document.getElementById("document");
    let slowest = 0, at = performance.now(), on = true;
    const watch = () => {
      slowest = Math.max(slowest, performance.now() - at);
      at = performance.now();
      if (on) setTimeout(watch, 0);
    };
    watch();
    for (const text of [worst, `${worst}#`, first.document]) {
      editor.value = text;
      editor.dispatchEvent(new Event("input"));
      await new Promise((done) => setTimeout(done, 100));
    }
    const screen = document.getElementById("screen");
    for (let i = 0; i < 2000 && screen.textContent !== first.answer.screen; i += 1) await new Promise((done) => setTimeout(done, 5));
    on = false;
    return slowest;
  }, [worst, first]);
  assert.equal((await shown(page)).screen, first.answer.screen);
  console.log(`the page's own thread stood still for ${Math.round(slowest)} ms at most`);
  assert.deepEqual(page.wrong, []);
});

test("nothing is requested after loading, and nothing is stored", LIMIT, async () => {
  const page = await open();
  const before = requests.length;
  const secret = `${questions[0].document}\n# AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}\n`;
  const isOff = await page.evaluate((text) => {
    const editor = document.getElementById("document");
    editor.value = text;
    editor.dispatchEvent(new Event("input"));
    return document.getElementById("link").disabled;
  }, secret);
  assert.ok(isOff, "a link before the answer would have the secret in it");
  await page.waitForSelector("#secrets:not([hidden])");
  assert.match(await page.textContent("#secrets"), /an age identity in clear/);
  assert.ok(await page.isDisabled("#link"), "a link would have the secret in it");
  assert.match(await page.textContent("#said"), /A secret is in this text/);
  for (const tab of ["consumer", "provider", "diff"]) await page.click(`#tab-${tab}`);
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.selectOption("#example", "everything");
  assert.equal(await page.inputValue("#document"), secret);
  page.once("dialog", (dialog) => dialog.accept());
  await choose(page, "everything");
  await page.click("#baseline");
  await page.click("#link");
  await page.waitForFunction(() => location.hash.startsWith("#document="));
  const fetched = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => "sent", () => "refused"));
  assert.equal(fetched, "refused");
  assert.deepEqual(requests.slice(before), []);
  const stored = await page.evaluate(async () => [localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length]);
  assert.deepEqual(stored, [0, 0, "", 0]);
});

test("a link has the document, and one that is damaged or too large is left alone", LIMIT, async () => {
  const page = await open();
  const text = `${questions[0].document}# Zürich — 東京\n`;
  await type(page, text);
  await page.click("#link");
  await page.waitForFunction(() => location.hash.startsWith("#document="));
  const fragment = new URL(page.url()).hash;
  const other = await open({ fragment });
  assert.equal(await other.inputValue("#document"), text);
  const bomb = await page.evaluate(async () => {
    const stream = new Blob([new Uint8Array(50 << 20)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return `#document=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  });
  for (const wrong of ["#document=AAAA", "#document=<script>", bomb]) {
    const left = await open({ fragment: wrong });
    assert.equal(await left.inputValue("#document"), quickstart);
    assert.deepEqual(left.wrong, []);
  }
});

test("a change is compared with the document that was chosen, then with the one that was marked", LIMIT, async () => {
  const page = await open();
  const text = quickstart;
  await type(page, text.replace("10.42.0.0/16", "10.43.0.0/16"));
  assert.match((await shown(page)).diff, /[Ii]nterrupts traffic/);
  const last = Number(await page.evaluate(() => document.body.dataset.answered));
  await page.click("#baseline");
  await answered(page, last);
  assert.match((await shown(page)).diff, /No object changes/);
});

test("each finding is shown once", LIMIT, async () => {
  const page = await open();
  assert.equal((await shown(page)).findings.length, 1, "the first document has one mistake");
  assert.equal(await page.textContent("#consumer .empty"), "Correct the errors first.");
  const text = quickstart;
  await type(page, text);
  assert.deepEqual((await shown(page)).findings, [], "its correction has none");
  assert.equal(await page.textContent("#consumer .empty"), "");
  assert.ok((await page.locator("#consumer .key").count()) > 0, "keys have a colour");
  await type(page, text.replace("podCIDRs: [10.42.0.0/16]", "podCIDR: [10.42.0.0/16]"));
  assert.ok(await page.isHidden("#screen"));
  await type(page, text.replace("10.42.0.0/16", "10.43.0.0/16"));
  await page.click("#tab-diff");
  const [wide, room] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.getElementById("diff");
    return [scrollWidth, clientWidth];
  });
  assert.ok(wide <= room, `${wide} of ${room} pixels`);
});

test("a finding leads to its page and to its place", LIMIT, async () => {
  const page = await open();
  const text = quickstart;
  await type(page, text.replace("kind: Peering", "kind: Pairing"));
  const link = await page.getAttribute("#list a", "href");
  const code = await browser.newPage();
  assert.equal((await code.goto(new URL(link, address).href)).status(), 200);
  await page.click("#list button");
  const selected = await page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.getElementById("document");
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(selected, "Pairing");
  const line = text.slice(0, text.indexOf("kind: Peering")).split("\n").length;
  assert.equal((await page.textContent("#lines .error")).trim(), `● ${line}`);
});

test("the keyboard reaches everything, and a telephone shows it", LIMIT, async () => {
  const page = await open();
  await page.focus("#tab-findings");
  for (const tab of ["consumer", "provider", "diff", "findings"]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${tab}`);
    assert.ok(await page.isVisible(`#${tab}`));
  }
  await page.focus("#example");
  const reached = [];
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.id));
  }
  assert.deepEqual(reached, ["baseline", "link", "document", "tab-findings", "findings", reached[5]]);
  const unnamed = await page.evaluate(() => Array.from(document.querySelectorAll("button, select, textarea"),
    (it) => it.labels?.length || it.textContent.trim() || it.getAttribute("aria-label") ? "" : it.outerHTML).filter(Boolean));
  assert.deepEqual(unnamed, []);
  for (const colorScheme of ["light", "dark"]) {
    const telephone = await open({ viewport: { width: 360, height: 740 }, colorScheme });
    const [wide, ground, text] = await telephone.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [document.documentElement.scrollWidth, backgroundColor, color];
    });
    assert.ok(wide <= 360, `${wide} pixels wide`);
    assert.equal(ground === "rgb(255, 255, 255)", colorScheme === "light", `${ground} ${text}`);
    if (process.env.SCREENSHOTS) await telephone.screenshot({ path: join(process.env.SCREENSHOTS, `telephone-${colorScheme}.png`) });
  }
  if (process.env.SCREENSHOTS) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.screenshot({ path: join(process.env.SCREENSHOTS, "findings.png") });
    for (const tab of ["consumer", "diff"]) {
      await page.click(`#tab-${tab}`);
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${tab}.png`) });
    }
  }
});
