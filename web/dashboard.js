// The dashboard: asks /status each second and draws what it says. Whatever comes from there goes into the page as text
// or as a number, never as markup.

const POLL_MS = 1000;
const TIMEOUT_MS = 5000;
const HISTORY_SECONDS = 300;
const STAGES = ["queued", "witness", "waiting", "device", "finish", "done"];
const STAGE_MEANING = {
  queued: "not begun",
  witness: "witness is made",
  waiting: "waits for a device",
  device: "on a device",
  finish: "is finished and verified",
  done: "done",
};
const COLOURS = 8;

const $ = (id) => document.getElementById(id);

function element(tag, {text, className, title} = {}, ...children) {
  const out = document.createElement(tag);
  if (text !== undefined) out.textContent = String(text);
  if (className) out.className = className;
  if (title) out.title = String(title);
  out.append(...children);
  return out;
}

function formatBytes(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = Number(bytes) || 0;
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) {
    value /= 1024;
    ++unit;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3)} ${units[unit]}`;
}

function formatSeconds(seconds) {
  const value = Number(seconds) || 0;
  if (value < 0.1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  const days = Math.floor(whole / 86400), hours = Math.floor(whole / 3600) % 24, minutes = Math.floor(whole / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes} min ${whole % 60} s`;
}

function formatTime(unixSeconds) {
  return new Date(unixSeconds * 1000).toLocaleTimeString();
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

/** A name that may be part of a class: only small letters and dashes. */
function token(text) {
  return String(text).toLowerCase().replace(/[^a-z]+/g, "-");
}

function legendItem(colour, text) {
  const swatch = element("span", {className: "swatch"});
  swatch.style.background = colour;
  return element("li", {}, swatch, text);
}

/** Colours by name, given out in the order in which names are first seen. */
class Palette {
  names = [];
  colour(name) {
    let at = this.names.indexOf(name);
    if (at < 0) at = this.names.push(name) - 1;
    return `var(--c${at % COLOURS})`;
  }
  legend(node, known = this.names) {
    node.replaceChildren(...known.map((name) => legendItem(this.colour(name), name)));
  }
}

const classes = new Palette();
const stages = new Palette();

/** Parts of a whole as one line: [{name, value, colour}], and what they are as text. */
function bar(parts, whole, describe, label) {
  const out = element("div", {className: "bar"});
  for (const part of parts) {
    if (!(part.value > 0) || !(whole > 0)) continue;
    const piece = element("span", {title: `${part.name}: ${describe(part.value)}`});
    piece.style.width = `${Math.min(100, part.value / whole * 100)}%`;
    piece.style.background = part.colour;
    out.append(piece);
  }
  out.setAttribute("role", "img");
  out.setAttribute("aria-label", label);
  return out;
}

function rows(table, lines) {
  $(table).tBodies[0].replaceChildren(...lines.map((cells) => element("tr", {}, ...cells)));
}

function cell(text, className) {
  return element("td", {text, className});
}

function drawQueues(status) {
  rows("queues", list(status.queues).map((queue) =>
    [cell(queue.kind), cell(queue.queued, "number"), cell(queue.running, "number")]));
}

function drawDevices(status) {
  rows("devices", list(status.devices).map((device) => {
    const partition = /partition \d+/.exec(String(device.work));
    const work = device.job ? `${device.job}${partition ? ", " + partition[0] : ""}` : device.work || (device.fallback ? "stands by" : "nothing");
    return [cell(device.lost ? `${device.name}: does not answer` : device.name, device.lost ? "lost" : ""),
      cell(work, device.work ? "" : "quiet"), cell(device.partitions, "number"),
      cell(device.failures, device.failures > 0 ? "number lost" : "number")];
  }));
}

function partitionCells(job) {
  const out = element("div", {className: "cells"});
  list(job.partitions).forEach((stage, index) => {
    const known = STAGES.includes(stage) ? stage : "queued";
    const one = element("span", {className: "cell", title: `partition ${index}: ${known}, ${STAGE_MEANING[known]}`});
    one.style.background = `var(--${known})`;
    out.append(one);
  });
  const counts = STAGES.filter((stage) => job.partitions_by_stage?.[stage] > 0)
    .map((stage) => `${job.partitions_by_stage[stage]} ${stage}`).join(", ");
  out.setAttribute("role", "img");
  out.setAttribute("aria-label", `Partitions: ${counts}`);
  return [out, element("p", {className: "quiet", text: counts})];
}

function drawJobs(status) {
  const jobs = list(status.jobs);
  const running = jobs.filter((job) => job.state === "running");
  const waiting = jobs.filter((job) => job.state !== "running");
  const nodes = running.map((job) => element("article", {className: "job"},
    element("div", {className: "head"}, element("h3", {text: job.id}),
      element("span", {className: "quiet", text: `${job.kind}, ${job.circuit}, ${job.priority} priority`})),
    ...partitionCells(job),
    element("p", {className: "quiet", text: `${job.partitions_done} of ${job.partitions_total} partitions done; ` +
      `running for ${formatSeconds(job.running_seconds)}, waited ${formatSeconds(job.waited_seconds)}`})));
  for (const job of waiting.slice(0, 20)) {
    nodes.push(element("article", {className: "job"},
      element("div", {className: "head"}, element("h3", {text: job.id}),
        element("span", {className: "quiet", text: `${job.kind}, ${job.priority} priority; waits for ` +
          formatSeconds(job.waited_seconds)}))));
  }
  if (nodes.length === 0) nodes.push(element("p", {className: "quiet", text: "Nothing to do."}));
  $("jobs").replaceChildren(...nodes);
  const more = Math.max(0, waiting.length - 20) + (status.jobs_left_out || 0);
  $("jobs-more").textContent = more > 0 ? `and ${more} more that wait` : "";
}

const history = [];

function remember(status) {
  const pool = list(status.memory?.pools)[0];
  if (!pool) return;
  history.push({time: status.time, budget: pool.budget_bytes, classes: pool.class_bytes ?? {}});
  while (history.length > 1 && history[0].time < status.time - HISTORY_SECONDS) history.shift();
}

function drawTimeline() {
  const svg = $("timeline");
  const width = 600, height = 120;
  const last = history.at(-1);
  if (!last) return;
  const most = Math.max(...history.map((one) => Object.values(one.classes).reduce((a, b) => a + b, 0)));
  // Against the budget when that is in reach; else what there is would be a line on the floor.
  const whole = most * 4 >= last.budget ? last.budget : Math.max(most * 1.25, 1);
  const x = (time) => (width - (last.time - time) / HISTORY_SECONDS * width).toFixed(1);
  const y = (bytes) => (height - Math.min(1, bytes / whole) * height).toFixed(1);
  const nodes = [];
  let below = history.map(() => 0);
  for (const name of Object.keys(last.classes)) {
    const above = history.map((one, i) => below[i] + (one.classes[name] || 0));
    if (above.some((value, i) => value > below[i])) {
      const path = document.createElementNS(svg.namespaceURI, "path");
      const top = history.map((one, i) => `${x(one.time)},${y(above[i])}`);
      const bottom = history.map((one, i) => `${x(one.time)},${y(below[i])}`).reverse();
      path.setAttribute("d", `M${top.join("L")}L${bottom.join("L")}Z`);
      path.style.fill = classes.colour(name);
      nodes.push(path);
    }
    below = above;
  }
  svg.replaceChildren(...nodes);
  $("timeline-text").textContent = `Reserved memory by class, the last ${HISTORY_SECONDS / 60} minutes that this page ` +
    `has been open; the top is ${formatBytes(whole)}${whole === last.budget ? ", the budget" : ""}, the most was ` +
    `${formatBytes(most)}.`;
}

function drawMemory(status) {
  const nodes = [];
  for (const pool of list(status.memory?.pools)) {
    const parts = Object.entries(pool.class_bytes ?? {}).map(([name, value]) =>
      ({name, value, colour: classes.colour(name)}));
    const text = `${pool.pool}: ${formatBytes(pool.reserved_bytes)} of ${formatBytes(pool.budget_bytes)} reserved, ` +
      `${formatBytes(pool.peak_bytes)} at most` +
      (pool.evictable_bytes > 0 ? `, ${formatBytes(pool.evictable_bytes)} idle` : "") +
      (pool.requests_waiting > 0 ? `; ${pool.requests_waiting} requests wait` : "");
    const used = parts.filter((part) => part.value > 0).map((part) => `${part.name} ${formatBytes(part.value)}`);
    nodes.push(element("p", {text}), bar(parts, pool.budget_bytes, formatBytes, `${text}: ${used.join(", ")}`),
      element("p", {className: "quiet", text: used.join(", ")}));
  }
  $("pools").replaceChildren(...nodes);
  classes.legend($("class-legend"));
  const memory = status.memory ?? {};
  $("resident").textContent = `Resident: ${formatBytes(memory.resident_bytes)}, of this ` +
    `${formatBytes(memory.anonymous_bytes)} without mapped parameter files; ${formatBytes(memory.resident_peak_bytes)} at most`;
}

function drawRecent(status) {
  const recent = list(status.recent);
  const nodes = recent.map((job) => {
    const times = list(job.stages);
    const total = times.reduce((sum, one) => sum + one.seconds, 0);
    const parts = times.map((one) => ({name: one.stage, value: one.seconds, colour: stages.colour(one.stage)}));
    const text = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, 5)
      .map((one) => `${one.stage} ${formatSeconds(one.seconds)}`).join(", ");
    const out = element("article", {className: "job"},
      element("div", {className: "head"},
        element("h3", {text: job.id}),
        element("span", {}, element("strong", {className: `state-${token(job.state)}`, text: job.state}),
          element("span", {className: "quiet", text: ` ${formatTime(job.ended_at)}, ${job.circuit || job.kind}`}))),
      element("p", {text: `${formatSeconds(job.seconds)} in all: waited ${formatSeconds(job.waited_seconds)}, ran ` +
        `${formatSeconds(job.running_seconds)}; ${job.partitions_total} partition${job.partitions_total === 1 ? "" : "s"}`}));
    if (total > 0) {
      out.append(bar(parts, total, formatSeconds, `Time by stage: ${text}`),
        element("p", {className: "quiet", text: `${text} (summed over partitions)`}));
    }
    if (job.error) out.append(element("p", {className: "error", text: job.error}));
    return out;
  });
  if (nodes.length === 0) nodes.push(element("p", {className: "quiet", text: "None since the daemon started."}));
  $("recent").replaceChildren(...nodes);
  stages.legend($("time-legend"));
}

function drawCircuits(status) {
  const lines = list(status.circuits).map((circuit) => [
    cell(circuit.id), cell(circuit.state, `state-${token(circuit.state)}`),
    cell(circuit.memory_bytes > 0 ? formatBytes(circuit.memory_bytes) : "", "number"),
    cell(circuit.parameter_file_bytes > 0 ? formatBytes(circuit.parameter_file_bytes) : "", "number"),
    cell(circuit.uses, "number"), cell(circuit.parameter_file, "file")]);
  rows("circuits", lines);
}

function showState(text, className) {
  const badge = $("state");
  // A change is read out; the same text again is not.
  if (badge.textContent !== text) badge.textContent = text;
  badge.className = `badge ${className}`;
}

function draw(status) {
  showState(status.state, token(status.state));
  const running = list(status.queues).reduce((sum, queue) => sum + queue.running, 0);
  const queued = list(status.queues).reduce((sum, queue) => sum + queue.queued, 0);
  $("summary").textContent = `${running} running, ${queued} waiting; ${status.ended?.done} done, ` +
    `${status.ended?.failed} failed, ${status.ended?.cancelled} cancelled; up ${formatSeconds(status.uptime_seconds)}; ` +
    `version ${status.version}`;
  document.title = running + queued > 0 ? `Proofline (${running + queued})` : "Proofline";
  drawQueues(status);
  drawDevices(status);
  drawJobs(status);
  remember(status);
  drawMemory(status);
  drawTimeline();
  drawRecent(status);
  drawCircuits(status);
}

let bearer = "";
let lastSeen = null;

async function poll() {
  const headers = bearer ? {Authorization: `Bearer ${bearer}`} : {};
  const response = await fetch("status", {headers, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS)});
  $("login").hidden = response.status !== 401;
  if (response.status === 401) return showState("token needed", "");
  if (response.status === 503) return showState("starting", "");
  if (!response.ok) throw new Error(`status ${response.status}`);
  draw(await response.json());
  lastSeen = Date.now();
  $("main").classList.remove("stale");
}

async function run() {
  for (;;) {
    try {
      await poll();
    } catch {
      $("main").classList.add("stale");
      showState(lastSeen === null ? "does not answer" : `does not answer since ${new Date(lastSeen).toLocaleTimeString()}`,
        "away");
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

$("stage-legend").replaceChildren(...STAGES.map((stage) =>
  legendItem(`var(--${stage})`, `${stage}: ${STAGE_MEANING[stage]}`)));
$("login").addEventListener("submit", (event) => {
  event.preventDefault();
  // Kept in this page only: a reload asks again.
  bearer = $("token").value;
  $("token").value = "";
});
run();
