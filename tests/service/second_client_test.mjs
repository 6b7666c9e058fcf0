// Drives the daemon with a gRPC implementation of another make (@grpc/grpc-js), from a description of Curio's protocol
// that is written here, independently of proto/cuzk.proto. What comes back is verified.
// Usage: node second_client_test.mjs PROOFLINE TEST_DATA THIRD_PARTY
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const [binary, data, thirdParty] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(thirdParty), 'package.json'));
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

// [number, type] of each field; "*" before a type: repeated.
const message = (fields) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [id, type]]) =>
      [name, type.startsWith('*') ? { rule: 'repeated', type: type.slice(1), id } : { type, id }])),
});
const unary = (requestType, responseType) => ({ requestType, responseType });
const cuzk = {
  ProvingEngine: {
    methods: {
      SubmitProof: unary('SubmitProofRequest', 'SubmitProofResponse'),
      AwaitProof: unary('AwaitProofRequest', 'AwaitProofResponse'),
      Prove: unary('ProveRequest', 'ProveResponse'),
      CancelProof: unary('CancelProofRequest', 'CancelProofResponse'),
      GetStatus: unary('GetStatusRequest', 'GetStatusResponse'),
      GetMetrics: unary('GetMetricsRequest', 'GetMetricsResponse'),
      PreloadSRS: unary('PreloadSrsRequest', 'PreloadSrsResponse'),
      EvictSRS: unary('EvictSrsRequest', 'EvictSrsResponse'),
    },
  },
  SubmitProofRequest: message({
    request_id: [1, 'string'], proof_kind: [2, 'int32'], sector_size: [3, 'uint64'], registered_proof: [4, 'uint64'],
    priority: [5, 'int32'], vanilla_proof: [10, 'bytes'], vanilla_proofs: [11, '*bytes'], sector_number: [20, 'uint64'],
    miner_id: [21, 'uint64'], randomness: [22, 'bytes'], partition_index: [23, 'uint32'], comm_r_old: [30, 'bytes'],
    comm_r_new: [31, 'bytes'], comm_d_new: [32, 'bytes'],
  }),
  SubmitProofResponse: message({ job_id: [1, 'string'], queue_position: [2, 'uint32'], assigned_gpu: [3, 'string'] }),
  AwaitProofRequest: message({ job_id: [1, 'string'], timeout_ms: [2, 'uint64'] }),
  AwaitProofResponse: message({
    job_id: [1, 'string'], status: [2, 'int32'], proof: [3, 'bytes'], error_message: [4, 'string'],
    queue_wait_ms: [10, 'uint64'], srs_load_ms: [11, 'uint64'], synthesis_ms: [12, 'uint64'],
    gpu_compute_ms: [13, 'uint64'], total_ms: [14, 'uint64'],
  }),
  ProveRequest: message({ submit: [1, 'SubmitProofRequest'] }),
  ProveResponse: message({ result: [1, 'AwaitProofResponse'] }),
  CancelProofRequest: message({ job_id: [1, 'string'] }),
  CancelProofResponse: message({ was_running: [1, 'bool'] }),
  GetStatusRequest: message({}),
  GetStatusResponse: message({
    gpus: [1, '*GPUStatus'], loaded_srs: [2, '*SRSStatus'], queues: [3, '*QueueStatus'],
    total_proofs_completed: [4, 'uint64'], total_proofs_failed: [5, 'uint64'], uptime_seconds: [6, 'uint64'],
    pinned_memory_bytes: [7, 'uint64'], pinned_memory_limit_bytes: [8, 'uint64'],
  }),
  GPUStatus: message({
    ordinal: [1, 'uint32'], name: [2, 'string'], vram_total_bytes: [3, 'uint64'], vram_free_bytes: [4, 'uint64'],
    current_job_id: [5, 'string'], current_proof_kind: [6, 'string'],
  }),
  SRSStatus: message({
    circuit_id: [1, 'string'], tier: [2, 'int32'], size_bytes: [3, 'uint64'], ref_count: [4, 'uint32'],
  }),
  QueueStatus: message({ proof_kind: [1, 'string'], pending: [2, 'uint32'], in_progress: [3, 'uint32'] }),
  GetMetricsRequest: message({}),
  GetMetricsResponse: message({ prometheus_text: [1, 'string'] }),
  PreloadSrsRequest: message({ circuit_id: [1, 'string'] }),
  PreloadSrsResponse: message({ already_loaded: [1, 'bool'], load_time_ms: [2, 'uint64'] }),
  EvictSrsRequest: message({ circuit_id: [1, 'string'] }),
  EvictSrsResponse: message({ was_loaded: [1, 'bool'], freed_bytes: [2, 'uint64'] }),
};
const health = {
  Health: { methods: { Check: unary('HealthCheckRequest', 'HealthCheckResponse') } },
  HealthCheckRequest: message({ service: [1, 'string'] }),
  HealthCheckResponse: message({ status: [1, 'int32'] }),
};
const reflection = {
  ServerReflection: {
    methods: {
      ServerReflectionInfo: {
        requestType: 'ServerReflectionRequest', requestStream: true,
        responseType: 'ServerReflectionResponse', responseStream: true,
      },
    },
  },
  ServerReflectionRequest: message({ list_services: [7, 'string'], file_containing_symbol: [4, 'string'] }),
  ServerReflectionResponse: message({ list_services_response: [6, 'Services'], file_descriptor_response: [4, 'Files'] }),
  Services: message({ service: [1, '*Service'] }),
  Service: message({ name: [1, 'string'] }),
  Files: message({ file_descriptor_proto: [1, '*bytes'] }),
};
const nested = (names, content) => names.reduceRight((inner, name) => ({ nested: { [name]: inner } }), { nested: content });
const service = (names, content) => names.reduce((at, name) => at[name], grpc.loadPackageDefinition(
  loader.fromJSON(nested(names, content), { keepCase: true, longs: Number, enums: Number, defaults: true })));
const { ProvingEngine } = service(['cuzk', 'v1'], cuzk);
const { Health } = service(['grpc', 'health', 'v1'], health);
const { ServerReflection } = service(['grpc', 'reflection', 'v1alpha'], reflection);

// What Curio sends.
const WINDOW_POST = 3, WINNING_POST = 4, COMPLETED = 1, CANCELLED = 3, TIMEOUT = 4;
const HOT_OR_WARM = (tier) => tier === 0 || tier === 1;
const stem = 'v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-';
const window = stem + '0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0';
const winning = stem + '3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e';
const post = (name) => path.join(data, 'posts', name);
const randomness = (name) => Buffer.from(JSON.parse(fs.readFileSync(path.join(post(name), 'inputs.json'))).randomness, 'hex');
const vanilla = (name) => fs.readdirSync(post(name)).filter((file) => file.startsWith('vanilla')).sort()
  .map((file) => fs.readFileSync(path.join(post(name), file)));
const windowRequest = (request_id, more = {}) => ({
  request_id, proof_kind: WINDOW_POST, sector_size: 2048, registered_proof: 10, priority: 3, miner_id: 1000,
  vanilla_proofs: vanilla('window-2k-1'), randomness: randomness('window-2k-1'), partition_index: 0, ...more,
});
const winningRequest = (request_id) => ({
  request_id, proof_kind: WINNING_POST, sector_size: 2048, registered_proof: 0, priority: 4, miner_id: 1000,
  vanilla_proofs: vanilla('winning-2k-1'), randomness: randomness('winning-2k-1'),
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'proofline-test-'));
const params = path.join(folder, 'params');
const proofline = (...args) => execFileSync(binary, args, { encoding: 'utf8' });
const socket = 'unix://' + path.join(folder, 'socket');
let daemon;

const call = (client, method, request = {}) => new Promise((resolve, reject) =>
  client[method](request, { deadline: Date.now() + 60_000 }, (error, response) => error ? reject(error) : resolve(response)));

async function refused(promise, code, text) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.details, text);
    return true;
  });
}

function verify(kind, proof, statement, key) {
  const file = path.join(folder, 'proof');
  fs.writeFileSync(file, proof);
  assert.equal(proof.length, 192);
  proofline('verify', kind, file, ...key, '--post', path.join(post(statement), 'inputs.json'));
}

async function main() {
  fs.mkdirSync(params);
  fs.copyFileSync(path.join(data, 'params', window + '.params'), path.join(params, window + '.params'));
  const winningParams = path.join(params, winning + '.params');
  proofline('params', 'generate', '--proof', 'winning-post', '--sector', '2KiB', '-o', winningParams, '-q');
  daemon = spawn(binary, ['daemon', '--listen', socket, '--set', 'daemon.state_dir=' + path.join(folder, 'state'),
    '--set', 'srs.param_cache=' + params, '--set', 'logging.level=warn'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => daemon.on('exit', (code, signal) => resolve(code ?? signal)));

  const options = { 'grpc.max_receive_message_length': 256 << 20, 'grpc.max_send_message_length': 256 << 20 };
  const connect = (Service) => new Service(socket, grpc.credentials.createInsecure(), options);
  const [client, healthClient, reflectionClient] = [ProvingEngine, Health, ServerReflection].map(connect);
  await new Promise((resolve, reject) => client.waitForReady(Date.now() + 30_000, (error) => error ? reject(error) : resolve()));

  // Health and reflection.
  for (const name of ['', 'cuzk.v1.ProvingEngine'])
    assert.equal((await call(healthClient, 'Check', { service: name })).status, 1, 'SERVING');
  const stream = reflectionClient.ServerReflectionInfo();
  const answer = () => new Promise((resolve, reject) => { stream.once('data', resolve); stream.once('error', reject); });
  stream.write({ list_services: '*' });
  assert.ok((await answer()).list_services_response.service.some((one) => one.name === 'cuzk.v1.ProvingEngine'));
  stream.write({ file_containing_symbol: 'cuzk.v1.ProvingEngine' });
  assert.ok((await answer()).file_descriptor_response.file_descriptor_proto[0].includes('SubmitProofRequest'));
  stream.end();

  // Prove, with a request id as Curio makes them; the same again gives the kept proof.
  const id = 'wdpost-1000-0-[225 106 101]';
  const { result } = await call(client, 'Prove', { submit: windowRequest(id) });
  assert.equal(result.status, COMPLETED, result.error_message);
  assert.equal(result.job_id, id);
  assert.ok(result.total_ms > 0 && result.gpu_compute_ms > 0 && result.gpu_compute_ms <= result.total_ms);
  verify('window-post', result.proof, 'window-2k-1', ['--vk', path.join(data, 'keys', window + '.vk')]);
  const again = await call(client, 'Prove', { submit: windowRequest(id) });
  assert.deepEqual(again.result.proof, result.proof);
  await refused(call(client, 'Prove', { submit: windowRequest(id, { partition_index: 1 }) }), grpc.status.ALREADY_EXISTS,
    /belongs to another request/);

  // Submit and Await.
  const submitted = await call(client, 'SubmitProof', winningRequest('winpost-1000-e16a652ba56c6565'));
  assert.equal(submitted.job_id, 'winpost-1000-e16a652ba56c6565');
  const awaited = await call(client, 'AwaitProof', { job_id: submitted.job_id });
  assert.equal(awaited.status, COMPLETED, awaited.error_message);
  verify('winning-post', awaited.proof, 'winning-2k-1', ['--params', winningParams]);
  const unnamed = await call(client, 'SubmitProof', { ...winningRequest(''), priority: 0, sector_size: 0 });
  assert.match(unnamed.job_id, /./);
  assert.equal((await call(client, 'AwaitProof', { job_id: unnamed.job_id })).status, COMPLETED);

  // Cancel, while others are before it.
  const jobs = await Promise.all([1, 2, 3, 4].map((i) => call(client, 'SubmitProof', windowRequest('job-' + i))));
  const busy = await call(client, 'GetStatus');
  const queue = busy.queues.find((one) => one.proof_kind === 'window-post');
  assert.ok(queue.pending + queue.in_progress >= 2, JSON.stringify(queue));
  assert.deepEqual(busy.queues.map((one) => one.proof_kind).sort(),
    ['porep-c2', 'snap-update', 'window-post', 'winning-post']);
  assert.equal((await call(client, 'AwaitProof', { job_id: 'job-4', timeout_ms: 1 })).status, TIMEOUT);
  assert.equal((await call(client, 'CancelProof', { job_id: 'job-4' })).was_running, true);
  assert.equal((await call(client, 'CancelProof', { job_id: 'job-4' })).was_running, false);
  assert.equal((await call(client, 'AwaitProof', { job_id: 'job-4' })).status, CANCELLED);
  for (const job of jobs.slice(0, 3))
    assert.equal((await call(client, 'AwaitProof', { job_id: job.job_id })).status, COMPLETED);
  await refused(call(client, 'CancelProof', { job_id: 'nobody' }), grpc.status.NOT_FOUND, /there is no job "nobody"/);

  // Status and metrics.
  const idle = await call(client, 'GetStatus');
  assert.equal(idle.total_proofs_completed, 6);
  assert.equal(idle.total_proofs_failed, 0);
  assert.ok(idle.queues.every((one) => one.pending === 0 && one.in_progress === 0));
  const srs = idle.loaded_srs.find((one) => one.circuit_id === 'wpost-2k');
  assert.ok(HOT_OR_WARM(srs.tier) && srs.ref_count === 0 && srs.size_bytes > 1e6, JSON.stringify(srs));
  assert.match((await call(client, 'GetMetrics')).prometheus_text,
    /proofline_jobs_ended_total\{kind="window_post",outcome="done"\} 4\n/);

  // Evict and preload.
  const evicted = await call(client, 'EvictSRS', { circuit_id: 'wpost-2k' });
  assert.ok(evicted.was_loaded && evicted.freed_bytes > 0);
  assert.equal((await call(client, 'EvictSRS', { circuit_id: 'wpost-2k' })).was_loaded, false);
  assert.equal((await call(client, 'GetStatus')).loaded_srs.find((one) => one.circuit_id === 'wpost-2k').tier, 2, 'COLD');
  assert.equal((await call(client, 'PreloadSRS', { circuit_id: 'wpost-2k' })).already_loaded, false);
  assert.equal((await call(client, 'PreloadSRS', { circuit_id: 'wpost-2k' })).already_loaded, true);
  await refused(call(client, 'PreloadSRS', { circuit_id: 'wpost-2kb' }), grpc.status.INVALID_ARGUMENT, /wpost-2k/);
  await refused(call(client, 'PreloadSRS', { circuit_id: 'snap-2k' }), grpc.status.FAILED_PRECONDITION, /no parameters at/);

  // What cannot be.
  await refused(call(client, 'Prove', { submit: windowRequest('x', { sector_size: 8 << 20 }) }),
    grpc.status.INVALID_ARGUMENT, /sector_size: 8 MiB, but registered_proof 10/);
  await refused(call(client, 'Prove', { submit: windowRequest('x', { sector_size: 2 ** 35, registered_proof: 13 }) }),
    grpc.status.FAILED_PRECONDITION, /wpost-32g: no parameters at .*v28-.*curio fetch-params/);
  await refused(call(client, 'Prove', { submit: windowRequest('x', { randomness: Buffer.alloc(31) }) }),
    grpc.status.INVALID_ARGUMENT, /randomness: 31 bytes/);
  await refused(call(client, 'Prove', { submit: { request_id: 'x', proof_kind: 1, vanilla_proof: Buffer.alloc(40 << 20) } }),
    grpc.status.INVALID_ARGUMENT, /vanilla_proof|c1/i);
  await refused(call(client, 'Prove'), grpc.status.INVALID_ARGUMENT, /submit: is missing/);
  const damaged = vanilla('window-2k-1');
  damaged[1][5000] ^= 1;
  const failed = await call(client, 'Prove', { submit: windowRequest('damaged', { vanilla_proofs: damaged }) });
  assert.equal(failed.result.status, 2, 'FAILED');
  assert.match(failed.result.error_message, /partition 0: vanilla_proofs: sector 2/);

  daemon.kill('SIGTERM');
  assert.equal(await ended, 0);
  [client, healthClient, reflectionClient].forEach((one) => one.close());
}

try {
  await main();
  console.log('second client: all passed');
} finally {
  daemon?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}
