// A daemon of 2 KiB WindowPoSts as a process, and a client of it, for tests in Node.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const makeFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'proofline-test-'));

/** A daemon whose journal, circuits and log (stderr.log, of all its runs) are in `folder`. */
export class Daemon {
  constructor(binary, data, folder, settings = {}) {
    this.binary = binary;
    this.log = path.join(folder, 'stderr.log');
    this.settings = {
      'daemon.listen': '127.0.0.1:0', 'daemon.state_dir': path.join(folder, 'state'),
      'srs.param_cache': path.join(data, 'params'), 'srs.circuits': 'wpost-2k', ...settings,
    };
  }

  /** Starts it, or starts it again on the same port, and waits until it serves. */
  async start() {
    const before = fs.existsSync(this.log) ? fs.statSync(this.log).size : 0;
    const log = fs.openSync(this.log, 'a');
    const sets = Object.entries(this.settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    this.process = spawn(this.binary, ['daemon', ...sets], { stdio: ['ignore', 'ignore', log] });
    fs.closeSync(log);
    const child = this.process;
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    for (let i = 0; i < 1200; ++i) {
      const text = fs.readFileSync(this.log).subarray(before).toString();
      const address = /serving address=(\S+)/.exec(text)?.[1];
      if (address) {
        this.address = this.settings['daemon.listen'] = address;
        this.http = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        return;
      }
      assert.equal(child.exitCode, null, text);
      await pause(50);
    }
    throw new Error('the daemon does not start:\n' + fs.readFileSync(this.log));
  }

  async end(signal) {
    this.process.kill(signal);
    return this.ended;
  }

  logText() {
    return fs.readFileSync(this.log).toString();
  }

  /** A value of /proc/PID/status in bytes: VmRSS, VmHWM (the highest so far). */
  memory(name) {
    const text = fs.readFileSync(`/proc/${this.process.pid}/status`).toString();
    return 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)[1]);
  }
}

/** gRPC by proto/cuzk.proto. `connect()` gives a client with a connection of its own. */
export function loadGrpc(thirdParty, proto) {
  const require = createRequire(path.join(path.resolve(thirdParty), 'package.json'));
  const grpc = require('@grpc/grpc-js');
  const loader = require('@grpc/proto-loader');
  const definition = loader.loadSync(proto, { keepCase: true, longs: Number, enums: Number, defaults: true });
  const { ProvingEngine } = grpc.loadPackageDefinition(definition).cuzk.v1;
  const options = {
    'grpc.use_local_subchannel_pool': 1, 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1,
    'grpc.max_reconnect_backoff_ms': 500,
  };
  return {
    status: grpc.status,
    gzip: { 'grpc.default_compression_algorithm': grpc.compressionAlgorithms.gzip },
    connect: (address, more = {}) => {
      const client = new ProvingEngine(address, grpc.credentials.createInsecure(), { ...options, ...more });
      // A client whose daemon was away must not answer from memory when that is back.
      client.metadata = new grpc.Metadata({ waitForReady: true });
      return client;
    },
  };
}

export const call = (client, method, request = {}, seconds = 60) => new Promise((resolve, reject) =>
  client[method](request, client.metadata, { deadline: Date.now() + 1000 * seconds },
    (error, response) => error ? reject(error) : resolve(response)));

/** The request of the golden WindowPoSt of two sectors. */
export function windowRequest(data, request_id) {
  const post = path.join(data, 'posts', 'window-2k-1');
  const { randomness } = JSON.parse(fs.readFileSync(path.join(post, 'inputs.json')));
  return {
    request_id, proof_kind: 3, sector_size: 2048, registered_proof: 10, miner_id: 1000, partition_index: 0,
    vanilla_proofs: ['vanilla-0.bin', 'vanilla-1.bin'].map((name) => fs.readFileSync(path.join(post, name))),
    randomness: Buffer.from(randomness, 'hex'),
  };
}
