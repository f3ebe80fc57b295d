// The playground: each text of the editor is a question to the program, which is compiled to WebAssembly and runs in a worker.
// After loading nothing is requested, and nothing is stored.

const DOCUMENT = "peering.yaml";
const WAIT = 60; // milliseconds without a keystroke
const LARGEST = 64 * 1024; // bytes of a document, and of what a link may unpack to

/** What a worker does: one instance of the program for each question, with the question on its standard input. */
function work() {
  const ok = 0, badf = 8, nosys = 52;
  /** The answer of the program; an error if it stops. */
  function run(module, question) {
    const input = new TextEncoder().encode(question);
    const output = [];
    let memory, read = 0;
    const view = () => new DataView(memory.buffer);
    const buffers = (at, count) =>
      Array.from({ length: count }, (_, i) =>
        new Uint8Array(memory.buffer, view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));
    const sum = (at, sizes) => (view().setUint32(at, sizes.reduce((one, other) => one + other, 0), true), ok);
    // wasi_snapshot_preview1: there is standard input and output, and no file, no variable, no clock
    const system = {
      fd_read: (_fd, at, count, size) => sum(size, buffers(at, count).map((buffer) => {
        const part = input.subarray(read, read + buffer.length);
        buffer.set(part);
        read += part.length;
        return part.length;
      })),
      fd_write: (fd, at, count, size) => sum(size, buffers(at, count).map((buffer) => {
        if (fd === 1) output.push(buffer.slice());
        return buffer.length;
      })),
      environ_sizes_get: (count, size) => (sum(count, []), sum(size, [])),
      environ_get: () => ok,
      fd_prestat_get: () => badf,
      // for the order inside of hash tables; no key is made here
      random_get: (at, size) => (new Uint8Array(memory.buffer, at, size).fill(0), ok),
      proc_exit: (code) => { throw new Error(`exit code ${code}`); },
    };
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    const imports = Object.fromEntries(names.map((name) => [name, system[name] ?? (() => nosys)]));
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
    memory = instance.exports.memory;
    instance.exports._start();
    return new Blob(output).text();
  }
  self.onmessage = async ({ data: { module, question, number } }) => {
    let answer = null;
    try {
      answer = await run(module, question);
    } catch {
      // the program says nothing else of itself
    }
    self.postMessage({ number, answer });
  };
}

const find = (id) => document.getElementById(id);
const editor = find("document");
const script = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
let module, worker, busy = false, number = 0, timer, before = "", chosen = "", begun = 0, levels = new Map();

/** Asks the program about the text as it is now. A question that is still open is cancelled. */
function ask() {
  clearTimeout(timer);
  if (busy || !worker) {
    worker?.terminate();
    worker = new Worker(script);
    worker.onmessage = ({ data }) => hear(data);
  }
  busy = true;
  number += 1;
  begun = performance.now();
  const question = JSON.stringify({ name: DOCUMENT, document: editor.value, before });
  worker.postMessage({ module, question, number });
}

function hear({ number: answered, answer }) {
  if (answered !== number) return;
  busy = false;
  const milliseconds = Math.round(performance.now() - begun);
  if (answer === null) {
    show({ report: '{"findings":[]}', screen: "the program stopped; this is a bug, please report it\n", secrets: [], consumer: "", provider: "", diff: "" });
    say("The program stopped.");
    find("link").disabled = true;
    return;
  }
  const told = JSON.parse(answer);
  show(told);
  const { findings } = JSON.parse(told.report);
  const errors = findings.filter(({ level }) => level === "error").length;
  const notes = findings.length - errors;
  const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const right = told.secrets.length ? "A secret is in this text" : "Nothing is wrong";
  say(`${errors ? count(errors, "error") : right}${notes ? `, ${count(notes, "note")}` : ""} (${milliseconds} ms)`);
  document.body.dataset.answered = String(answered);
}

function say(text) {
  find("said").textContent = text;
}

function show({ report, screen, secrets, consumer, provider, diff }) {
  const { findings } = JSON.parse(report);
  find("secrets").hidden = secrets.length === 0;
  find("secrets").textContent = secrets.length === 0 ? "" :
    `This text has ${secrets.join(", and ")} in clear. It did not leave this page. Remove it, and replace it if it was ever committed.`;
  find("link").disabled = secrets.length > 0;
  find("list").replaceChildren(...findings.map(finding));
  find("screen").textContent = screen;
  // what the list has is not said twice
  find("screen").hidden = findings.length > 0;
  const way = secrets.length ? "Remove the secret first." : "Correct the errors first.";
  for (const [id, text] of [["consumer", consumer], ["provider", provider], ["diff", diff]]) {
    paint(find(id).querySelector("pre"), text);
    find(id).querySelector(".empty").textContent = text ? "" : way;
    find(`tab-${id}`).classList.toggle("stale", !text);
  }
  mark(findings);
}

/** Shows a text with colours: the keys and comments of YAML, and the lines of changes. A long text has none. */
function paint(place, text) {
  const classes = { "+": "added", "-": "removed", "~": "changed" };
  if (text.length > LARGEST) {
    place.textContent = text;
    return;
  }
  const span = (name, part) => Object.assign(document.createElement("span"), { className: name, textContent: part });
  const parts = text.split(/(?<=\n)/).flatMap((line) => {
    const key = /^(\s*(?:- )?)("?[\w./-]+"?:)/.exec(line);
    if (/^\s*#/.test(line)) return [span("comment", line)];
    if (key) return [key[1], span("key", key[2]), line.slice(key[0].length)];
    return /^[+~-] /.test(line) ? [span(classes[line[0]], line)] : [line];
  });
  place.replaceChildren(...parts);
}

/** One finding: its code leads to the page of the code, its place into the text. */
function finding({ code, level, message, help, range }) {
  const item = document.createElement("li");
  item.className = level;
  const head = document.createElement("p");
  const page = document.createElement("a");
  page.href = `../codes/${encodeURIComponent(code)}.html`;
  page.target = "_blank";
  page.rel = "noopener";
  page.textContent = `${level}[${code}]`;
  head.append(page, ` ${message} `);
  if (range) {
    const place = document.createElement("button");
    place.type = "button";
    place.textContent = `line ${range.line}`;
    place.onclick = () => select(range);
    head.append(place);
  }
  item.append(head);
  if (help) {
    const way = document.createElement("p");
    way.textContent = `help: ${help}`;
    item.append(way);
  }
  return item;
}

/** Selects a range of the text; its columns are in characters. */
function select({ line, column, endLine, endColumn }) {
  const lines = editor.value.split("\n");
  const place = (number, characters) =>
    lines.slice(0, number - 1).reduce((sum, text) => sum + text.length + 1, 0) +
    Array.from(lines[number - 1] ?? "").slice(0, characters - 1).join("").length;
  editor.focus();
  editor.setSelectionRange(place(line, column), place(endLine, endColumn));
  const height = parseFloat(getComputedStyle(editor).lineHeight);
  editor.scrollTop = Math.max(0, (line - 4) * height);
}

/** Marks the lines of findings. */
function mark(findings = []) {
  levels = new Map();
  for (const { level, range } of findings) {
    if (range && levels.get(range.line) !== "error") levels.set(range.line, level);
  }
  follow();
}

/** Shows the numbers of the lines that are seen: a document can have 65,536 lines. */
function follow() {
  const lines = find("lines");
  const { lineHeight, paddingTop } = getComputedStyle(editor);
  const height = parseFloat(lineHeight);
  const first = Math.max(0, Math.floor((editor.scrollTop - parseFloat(paddingTop)) / height));
  const seen = Math.ceil(editor.clientHeight / height) + 2;
  const last = Math.min(first + seen, editor.value.split("\n").length);
  const numbers = [];
  for (let line = first + 1; line <= last; line += 1) {
    const number = document.createElement("span");
    const level = levels.get(line);
    if (level) number.className = level;
    number.textContent = level ? `● ${line}\n` : `${line}\n`;
    numbers.push(number);
  }
  lines.replaceChildren(...numbers);
  lines.scrollTop = editor.scrollTop - first * height;
}

/** Whether what was typed may be replaced. */
function mayLeave() {
  return editor.value === chosen || confirm("Replace the text that you have changed?");
}

/** Takes a text as the one that later ones are compared with. */
function begin(text) {
  editor.value = text;
  before = chosen = editor.value;
  ask();
}

/** Makes one mistake in the first document, so that a reader sees a finding, and then what its correction changes. */
function mistake() {
  editor.value = editor.value.replace(/nodePort: \d+/, "nodePort: 8080");
  ask();
}

const packed = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** A text in a fragment: its UTF-8 compressed (RFC 1951), in base64url (RFC 4648). */
async function fragment(text) {
  const bytes = await packed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#document=${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The text of a fragment, if it has one of at most the largest size. */
async function linked(hash) {
  const base64 = /^#document=([A-Za-z0-9_-]{1,131072})$/.exec(hash)?.[1];
  if (!base64) return null;
  try {
    const bytes = Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > LARGEST) return null;
      parts.push(value);
    }
    return await new Blob(parts).text();
  } catch {
    return null;
  }
}

function choose(tab) {
  for (const other of document.querySelectorAll("[role=tab]")) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    find(other.getAttribute("aria-controls")).hidden = !chosen;
  }
}

function listen() {
  editor.addEventListener("input", () => {
    // a link has the whole text, and what is secret in it is not known yet
    find("link").disabled = true;
    mark();
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT);
  });
  editor.addEventListener("scroll", follow);
  new ResizeObserver(follow).observe(editor);
  const tabs = Array.from(document.querySelectorAll("[role=tab]"));
  for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
  find("tab-findings").parentElement.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const at = tabs.indexOf(document.activeElement);
    const next = { Home: 0, End: tabs.length - 1 }[event.key] ?? (at + (steps[event.key] ?? 0) + tabs.length) % tabs.length;
    if (at < 0 || next === at) return;
    event.preventDefault();
    choose(tabs[next]);
    tabs[next].focus();
  });
  find("baseline").addEventListener("click", () => {
    before = editor.value;
    ask();
  });
  find("link").addEventListener("click", async () => {
    history.replaceState(null, "", await fragment(editor.value));
    chosen = editor.value;
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is in the clipboard. It has the document in it.");
    } catch {
      say("The link is the page's address. It has the document in it.");
    }
  });
}

async function load() {
  const [compiled, examples] = await Promise.all([
    WebAssembly.compileStreaming(fetch("playground.wasm")),
    fetch("examples.json").then((response) => response.json()),
  ]);
  module = compiled;
  const choice = find("example");
  choice.append(...examples.map(({ name }) => new Option(name)));
  let shownExample = examples.findIndex(({ name }) => name === "quickstart");
  choice.addEventListener("change", () => {
    if (mayLeave()) {
      shownExample = choice.selectedIndex;
      begin(examples[shownExample].document);
    } else {
      choice.selectedIndex = shownExample;
    }
  });
  choice.selectedIndex = shownExample;
  listen();
  for (const element of [editor, choice, find("baseline"), find("link")]) element.disabled = false;
  const open = async () => {
    const text = await linked(location.hash);
    begin(text ?? examples[choice.selectedIndex].document);
    if (text === null && !location.hash) mistake();
  };
  addEventListener("hashchange", open);
  await open();
}

load().catch(() => say("The program could not be loaded. It needs WebAssembly, and this page over HTTP."));
