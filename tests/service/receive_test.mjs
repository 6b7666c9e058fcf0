// Several clients send large messages at once: what is too large is refused, whatever the method, what is not is read, and
// the daemon's memory stays within its budget all the while.
// Usage: node receive_test.mjs PROOFLINE TEST_DATA THIRD_PARTY PROTO
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Daemon, call, loadGrpc, makeFolder, windowRequest } from './daemon.mjs';

const [binary, data, thirdParty, proto] = process.argv.slice(2);
const kMiB = 1 << 20, kBudget = 256 * kMiB, kClients = 8;

const { status, connect, gzip } = loadGrpc(thirdParty, proto);
const folder = makeFolder();
const daemon = new Daemon(binary, data, folder,
  { 'memory.total_budget': kBudget, 'daemon.max_requests_per_second': 0, 'daemon.upload_timeout': '120s' });

/** The status codes of as many calls at once, each of a client of its own. */
async function codesOf(method, message, more = {}) {
  const answers = await Promise.all(Array.from({ length: kClients }, async () => {
    const client = connect(daemon.address, more);
    const path = `/cuzk.v1.ProvingEngine/${method}`;
    const answer = await new Promise((resolve) => client.makeUnaryRequest(path, (bytes) => bytes, (bytes) => bytes,
      message, client.metadata, { deadline: Date.now() + 120_000 }, (error) => resolve(error ?? { code: 0 })));
    client.close();
    return answer;
  }));
  const highest = daemon.memory('VmHWM');
  console.log(`${method}, ${kClients} x ${message.length} bytes: ` +
    `${[...new Set(answers.map((one) => `${status[one.code]}: ${one.details}`))].join(' | ')}; resident at most ` +
    `${(highest / kMiB).toFixed(0)} MiB`);
  assert.ok(highest <= 1.05 * kBudget, `${highest} bytes were resident`);
  return answers.map((one) => one.code);
}

/** One field of bytes on the wire. */
function field(number, size) {
  const head = [number << 3 | 2];
  for (let rest = size; ; rest >>>= 7) {
    head.push(rest & 127 | (rest > 127 ? 128 : 0));
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from(head), Buffer.alloc(size, 'x')]);
}

const all = (code) => Array(kClients).fill(code);

async function main() {
  await daemon.start();
  assert.match(daemon.logText(), /max_message_size="8.* MiB" max_uploads=1/);
  // Within the limit: read one after another.
  const good = field(10, 7 * kMiB);
  assert.deepEqual(await codesOf('SubmitProof', good), all(status.INVALID_ARGUMENT));
  // Beyond it, to a method whose message is read when there is room, and to one that gRPC reads by itself.
  const large = field(10, 80 * kMiB);
  assert.deepEqual(await codesOf('SubmitProof', large), all(status.RESOURCE_EXHAUSTED));
  assert.deepEqual(await codesOf('AwaitProof', field(1, 80 * kMiB)), all(status.RESOURCE_EXHAUSTED));
  // Small on the wire and large in memory.
  assert.deepEqual(await codesOf('AwaitProof', field(1, 80 * kMiB), gzip), all(status.UNIMPLEMENTED));
  // It goes on.
  assert.deepEqual(await codesOf('SubmitProof', good), all(status.INVALID_ARGUMENT));
  const client = connect(daemon.address);
  const { result } = await call(client, 'Prove', { submit: windowRequest(data, 'job') });
  assert.equal(result.status, 1, result.error_message);
  client.close();
  assert.equal(await daemon.end('SIGTERM'), 0);
}

try {
  await main();
} finally {
  daemon.process?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}
