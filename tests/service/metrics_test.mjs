// The metrics of a daemon that has proved, against all that refers to them: the alert rules, the Grafana dashboard and the
// table in docs/monitor.md. With promtool (of Prometheus) before it, also their format, and the alerts on made-up series.
// Usage: node metrics_test.mjs PROOFLINE SOURCE_FOLDER THIRD_PARTY names|promtool. Exit status 77: no promtool.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Daemon, call, loadGrpc, makeFolder, windowRequest } from './daemon.mjs';

const [binary, source, thirdParty, what] = process.argv.slice(2);
const data = path.join(source, 'tests/data');
const read = (file) => fs.readFileSync(path.join(source, file)).toString();
const rules = 'packaging/prometheus/proofline.rules.yml';
const promtool = (args, input) =>
  execFileSync('promtool', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });

if (what === 'promtool' && spawnSync('promtool', ['--version']).error) {
  console.log('SKIPPED: there is no promtool; it comes with the package prometheus');
  process.exit(77);
}

/** Each name of a series, and of each of its labels the values. */
function seriesOf(text) {
  const out = new Map();
  for (const [, name, labels] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    if (!out.has(name)) out.set(name, new Map());
    for (const [, label, value] of (labels ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      if (!out.get(name).has(label)) out.get(name).set(label, new Set());
      out.get(name).get(label).add(value);
    }
  }
  return out;
}

/** Every series that an expression names is there, with the labels and values that are asked for. */
function checkExpression(expression, series, where) {
  const names = [...expression.matchAll(/(proofline_\w+)(?:\{([^}]*)\})?/g)];
  for (const [, name, matchers] of names) {
    assert.ok(series.has(name), `${where}: ${name} is no metric of the daemon`);
    for (const [, label, operator, value] of (matchers ?? '').matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
      if (label === 'instance') continue;
      const values = series.get(name).get(label);
      assert.ok(values, `${where}: ${name} has no label ${label}`);
      for (const one of operator === '=~' ? value.split('|') : [value])
        assert.ok(values.has(one), `${where}: ${name} has no ${label}="${one}"`);
    }
  }
  return names.length;
}

function checkNames(text) {
  const series = seriesOf(text);
  const expressions = [...read(rules).matchAll(/^\s*expr: (.*)$/gm)].map((match) => match[1]);
  assert.ok(expressions.length >= 6);
  for (const expression of expressions) checkExpression(expression, series, rules);

  const file = 'packaging/grafana/proofline.json';
  const dashboard = JSON.parse(read(file));
  const targets = dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr));
  const queries = dashboard.templating.list.map((variable) => variable.query);
  assert.ok(targets.every((expression) => checkExpression(expression, series, file) > 0));
  assert.ok(queries.filter((query) => checkExpression(query, series, file) > 0).length > 0);

  const told = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1]));
  const table = read('docs/monitor.md').split('\n').filter((line) => line.startsWith('| `proofline_'));
  const documented = table.flatMap((line) => [...line.matchAll(/`(proofline_\w+)`/g)].map((match) => match[1]));
  assert.deepEqual([...told].sort(), documented.sort());
}

function checkWithPromtool(text) {
  promtool(['check', 'rules', path.join(source, rules)]);
  promtool(['test', 'rules', path.join(source, 'tests/service/alerts.yml')]);
  assert.equal(promtool(['check', 'metrics'], text), '');
}

const folder = makeFolder();
const daemon = new Daemon(binary, data, folder, { 'daemon.status_listen': '127.0.0.1:0' });
try {
  await daemon.start();
  const client = loadGrpc(thirdParty, path.join(source, 'proto/cuzk.proto')).connect(daemon.address);
  const { result } = await call(client, 'Prove', { submit: windowRequest(data, 'job') });
  assert.equal(result.status, 1, result.error_message);
  client.close();
  const text = await (await fetch(`${daemon.http}/metrics`)).text();
  if (what === 'names') checkNames(text);
  else checkWithPromtool(text);
} finally {
  daemon.process?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}
