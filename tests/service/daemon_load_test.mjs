// Many clients at once of one daemon with real proofs, which is killed and started again amid the load: every job that was
// acknowledged ends with one proof, nobody is told an error but while the daemon is away, and its memory stays within the
// budget. Prints the times that GetStatus took.
// Usage: node daemon_load_test.mjs PROOFLINE TEST_DATA THIRD_PARTY PROTO JOBS POLLS
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Daemon, call, loadGrpc, makeFolder, pause, windowRequest } from './daemon.mjs';

const [binary, data, thirdParty, proto, jobText, pollText] = process.argv.slice(2);
const [kJobs, kPolls] = [Number(jobText), Number(pollText)];
const kBudget = 256 << 20, kPollers = 4, kCompleted = 1, kPatience = 1200;

const { status, connect } = loadGrpc(thirdParty, proto);
const folder = makeFolder();
const daemon = new Daemon(binary, data, folder, { 'memory.total_budget': kBudget });
const proofs = new Map();  // by request_id
let away = false, kills = 0, highest = 0;

/** Calls until there is an answer. Only a daemon that is away, or was killed during the call, may leave it out. */
async function insist(client, method, request) {
  for (;;) {
    const before = kills;
    try {
      return await call(client, method, request, kPatience);
    } catch (error) {
      if (!away && before === kills) throw new Error(`${method}: ${error.message}`);
      assert.equal(error.code, status.UNAVAILABLE, `${method}: ${error.message}`);
      await pause(100);
    }
  }
}

function take(id, result) {
  assert.equal(result.status, kCompleted, `${id}: ${result.error_message}`);
  assert.equal(result.job_id, id);
  assert.equal(result.proof.length, 192);
  proofs.set(id, result.proof);
}

async function prove(client, id) {
  take(id, (await insist(client, 'Prove', { submit: windowRequest(data, id) })).result);
}

/** What has been acknowledged is not submitted again. */
async function submitAndAwait(client, id) {
  await insist(client, 'SubmitProof', windowRequest(data, id));
  take(id, await insist(client, 'AwaitProof', { job_id: id }));
}

async function poll(count, times) {
  const client = connect(daemon.address);
  for (let i = 0; i < count; ++i) {
    const before = kills, begin = performance.now();
    assert.equal((await insist(client, 'GetStatus')).queues.length, 4);
    if (before === kills && !away) times.push(performance.now() - begin);
    await pause(Math.min(200, 1000 * kPollers * kJobs / kPolls / 2));
  }
  client.close();
}

async function killOnce() {
  while (proofs.size < kJobs / 4) await pause(20);
  highest = daemon.memory('VmHWM');
  away = true;
  ++kills;
  assert.equal(await daemon.end('SIGKILL'), 'SIGKILL');
  await daemon.start();
  away = false;
}

async function main() {
  await daemon.start();
  const client = connect(daemon.address);
  const ids = Array.from({ length: kJobs }, (_, i) => `wdpost-1000-${i}-[1 2 3]`);
  const times = [], begin = performance.now();
  await Promise.all([
    ...ids.map((id, i) => i % 2 === 0 ? prove(client, id) : submitAndAwait(client, id)),
    ...Array.from({ length: kPollers }, () => poll(kPolls / kPollers, times)),
    killOnce(),
  ]);
  const seconds = (performance.now() - begin) / 1000;
  assert.equal(proofs.size, kJobs);
  highest = Math.max(highest, daemon.memory('VmHWM'));
  assert.ok(highest <= 1.05 * kBudget, `${highest} bytes were resident`);

  // A second job of a request would have another proof: proofs are blinded at random.
  await Promise.all(ids.map(async (id) => {
    const { result } = await call(client, 'Prove', { submit: windowRequest(data, id) });
    assert.deepEqual(result.proof, proofs.get(id), id);
  }));
  assert.equal(new Set([...proofs.values()].map((proof) => proof.toString('hex'))).size, kJobs);
  for (const event of ['accepted', 'done']) {
    const named = [...daemon.logText().matchAll(new RegExp(`job ${event} job="?(\\S+)`, 'g'))].map((match) => match[1]);
    assert.ok(named.length > kJobs / 4);
    assert.equal(new Set(named).size, named.length, `a job was ${event} twice`);
  }
  const file = path.join(folder, 'proof');
  fs.writeFileSync(file, proofs.get(ids.at(-1)));
  const key = fs.readdirSync(path.join(data, 'params')).find((name) => name.endsWith('.params'));
  execFileSync(binary, ['verify', 'window-post', file, '--params', path.join(data, 'params', key), '--post',
    path.join(data, 'posts/window-2k-1/inputs.json')]);
  assert.equal((await call(client, 'GetStatus')).total_proofs_failed, 0);
  client.close();
  assert.equal(await daemon.end('SIGTERM'), 0);

  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1);
  console.log(`${kJobs} jobs in ${seconds.toFixed(1)} s, the daemon killed once; GetStatus, ${times.length} of ` +
    `${kPolls} while it was there: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; resident at most ` +
    `${(highest / (1 << 20)).toFixed(0)} MiB of ${kBudget >> 20} MiB`);
}

try {
  await main();
} finally {
  daemon.process?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}
