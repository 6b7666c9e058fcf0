// Opens the dashboard of a real daemon in headless Chromium: what it shows of running and ended jobs, that names from
// clients stay text, that it asks nobody but the daemon, that it fits a phone, and what it does while the daemon is away.
// Usage: node dashboard_test.mjs PROOFLINE TEST_DATA [FOLDER]; screenshots go to FOLDER. Exit status 77: no Chromium.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [binary, data, pictures] = process.argv.slice(2);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function findChromium() {
  const folders = (process.env.PATH ?? '').split(':');
  for (const name of [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean)) {
    const found = [name, ...folders.map((folder) => path.join(folder, name))]
      .find((file) => path.isAbsolute(file) && fs.existsSync(file));
    if (found) return found;
  }
  return undefined;
}

const chromium = findChromium();
if (!chromium) {
  console.log('SKIPPED: there is no Chromium; `scripts/setup.sh dashboard` installs it');
  process.exit(77);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'proofline-dashboard-'));
const socket = `unix://${folder}/socket`;
const processes = [];

/** A daemon of 2 KiB WindowPoSts; resolves to the address of its dashboard. */
async function startDaemon(listen) {
  const daemon = spawn(binary, ['daemon', '--listen', socket, '--status-listen', listen,
    '--set', `daemon.state_dir=${folder}/state`, '--set', `srs.param_cache=${data}/params`,
    '--set', `srs.circuit_cache=${folder}/circuits`, '--set', 'memory.total_budget=1GiB',
    '--set', 'synthesis.threads=1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  processes.push(daemon);
  let log = '';
  daemon.stderr.on('data', (text) => { log += text; });
  for (let i = 0; i < 600; ++i) {
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(log)?.[0];
    if (address && log.includes('serving')) return { daemon, address };
    assert.equal(daemon.exitCode, null, log);
    await pause(50);
  }
  throw new Error(`the daemon does not start:\n${log}`);
}

async function kill(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Chromium's DevTools protocol over a pipe. */
class Browser {
  constructor() {
    this.process = spawn(chromium, ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${folder}/chromium`,
      '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--hide-scrollbars',
      'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    processes.push(this.process);
    this.pending = new Map();
    this.events = [];
    this.number = 0;
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.take(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
  }
  take(message) {
    if (message.id === undefined) return this.events.push(message);
    const { resolve, reject } = this.pending.get(message.id);
    this.pending.delete(message.id);
    return message.error ? reject(new Error(message.error.message)) : resolve(message.result);
  }
  call(method, params = {}) {
    const id = ++this.number;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }
  async open(address) {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    this.session = (await this.call('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.call(`${domain}.enable`);
    await this.call('Page.navigate', { url: address });
  }
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', { expression, returnByValue: true });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return result.value;
  }
  /** The value of an expression as soon as it is true: within 30 seconds. */
  async becomes(expression) {
    for (let i = 0; i < 600; ++i) {
      const value = await this.evaluate(expression);
      if (value) return value;
      await pause(50);
    }
    const page = await this.evaluate('document.body.innerText');
    throw new Error(`never true: ${expression}\n${page}`);
  }
  async look(width, height, scheme) {
    await this.call('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile: width < 500 });
    await this.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }
  async picture(name) {
    if (!pictures) return;
    const height = await this.evaluate('document.documentElement.scrollHeight');
    const width = await this.evaluate('innerWidth');
    const { data: base64 } = await this.call('Page.captureScreenshot',
      { clip: { x: 0, y: 0, width, height: Math.min(height, 1300), scale: 1 }, captureBeyondViewport: true });
    fs.writeFileSync(path.join(pictures, name), Buffer.from(base64, 'base64'));
  }
  /** What the page complained of since the last call. */
  complaints() {
    const bad = this.events.filter((event) => event.method === 'Runtime.exceptionThrown' ||
      (event.method === 'Log.entryAdded' && event.params.entry.level !== 'info') ||
      (event.method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(event.params.type)));
    return bad.map((event) => JSON.stringify(event.params));
  }
  requested() {
    return this.events.filter((event) => event.method === 'Network.requestWillBeSent')
      .map((event) => event.params.request.url);
  }
}

// WCAG 2: 4.5 for text.
const lowContrast = `(() => {
  const style = getComputedStyle(document.documentElement);
  const channel = (value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const luminance = (name) => {
    const hex = style.getPropertyValue(name).trim().slice(1);
    const [r, g, b] = [0, 2, 4].map((at) => channel(parseInt(hex.slice(at, at + 2), 16) / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const out = [];
  for (const text of ['--text', '--quiet', '--link', '--good', '--bad', '--pause']) {
    for (const ground of ['--page', '--card']) {
      const [high, low] = [luminance(text), luminance(ground)].sort((a, b) => b - a);
      if (!((high + 0.05) / (low + 0.05) >= 4.5)) out.push(text + ' on ' + ground);
    }
  }
  return out.join(', ');
})()`;

const hostile = '<img src=x onerror=console.error(1)>';

async function test() {
  const { daemon, address } = await startDaemon('127.0.0.1:0');
  const browser = new Browser();
  await browser.open(address);
  await browser.look(1100, 800, 'light');
  await browser.becomes('document.getElementById("state").textContent === "serving"');
  assert.match(await browser.evaluate('document.getElementById("jobs").textContent'), /Nothing to do/);

  const post = path.join(folder, 'post');
  fs.cpSync(path.join(data, 'posts', 'window-2k-1'), post, { recursive: true });
  fs.renameSync(path.join(post, 'inputs.json'), path.join(post, 'post.json'));
  const submit = (id) => execFileSync(binary, ['submit', 'window-post', post,
    '--address', socket, '--request-id', id]);
  for (let i = 0; i < 8; ++i) submit(`wdpost-1000-${i}`);
  submit(hostile);
  await browser.becomes('document.querySelectorAll("#jobs .cell").length > 0');
  await browser.becomes('document.getElementById("jobs").textContent.includes("wdpost-1000-")');
  assert.match(await browser.evaluate('document.querySelector("#jobs .cells").getAttribute("aria-label")'),
    /^Partitions: \d+ /);
  await browser.becomes(`document.getElementById("jobs").textContent.includes(${JSON.stringify(hostile)})`);
  await browser.becomes('document.querySelectorAll("#recent .bar").length >= 2 &&' +
    ' document.querySelectorAll("#jobs .cell").length > 0');
  await browser.picture('dashboard.png');
  assert.equal(await browser.evaluate(lowContrast), '', 'light');

  await browser.look(390, 844, 'dark');
  await pause(1200);
  assert.ok(await browser.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'wider than a phone');
  await browser.picture('dashboard-phone.png');
  assert.equal(await browser.evaluate(lowContrast), '', 'dark');

  await browser.becomes('document.getElementById("summary").textContent.includes("9 done")');
  const recent = await browser.evaluate('document.getElementById("recent").textContent');
  assert.ok(recent.includes(hostile) && recent.includes('b in G2') && recent.includes('wpost-2k'), recent);
  assert.equal(await browser.evaluate('document.querySelectorAll("main img").length'), 0, 'a name became markup');
  assert.ok(await browser.evaluate('document.querySelectorAll("#timeline path").length > 0'));
  assert.match(await browser.evaluate('document.getElementById("circuits").textContent'), /wpost-2k(warm|hot)/);
  assert.deepEqual(browser.complaints(), []);
  const elsewhere = browser.requested().filter((url) => !url.startsWith(address) && url !== 'about:blank');
  assert.deepEqual(elsewhere, [], 'it asks others');

  await kill(daemon);
  await browser.becomes('document.getElementById("state").textContent.startsWith("does not answer since")');
  assert.ok(await browser.evaluate('document.getElementById("main").classList.contains("stale")'));
  await startDaemon(new URL(address).host);
  await browser.becomes('document.getElementById("state").textContent === "serving"');
  assert.ok(!browser.events.some((event) => event.method === 'Runtime.exceptionThrown'));
}

let failed = false;
try {
  await test();
  console.log('the dashboard is good');
} catch (error) {
  failed = true;
  console.error(error);
}
for (const child of processes) if (child.exitCode === null && child.signalCode === null) await kill(child);
fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
process.exit(failed ? 1 : 0);
