import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuestionRow } from '../../tools/evaluation/measure/measure.ts';
import type { Report } from '../../tools/evaluation/report/report.ts';
import { type Ended, spawnProgram } from '../support/processes/command-line.ts';
import {
  cleanEnvironment,
  ROOT,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

/**
 * docs/guides/evaluation.md: its commands do what it shows. With `UPDATE_README` set, what they print now is
 * written into it.
 */
const DOCS_FILE = join(ROOT, 'docs/guides/evaluation.md');
const DOCS = readFileSync(DOCS_FILE, 'utf8');
const SAMPLE = 'tools/evaluation/datasets/sample.jsonl';
const EVALUATE = 'tools/evaluation/evaluate.ts';
const COMPARE = 'tools/evaluation/report/compare.ts';
const RESULTS = 'tools/evaluation/report/results.ts';
const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

/** Each command of the console blocks, with the output that follows it. */
const transcript = [...DOCS.matchAll(BLOCK)].flatMap(([, block]) =>
  block!
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output: output.join('\n') };
    }),
);

/** Only words: the figures are tested elsewhere and differ by run, as may the bins that hold a question. */
const masked = (text: string): string[] =>
  text
    .replace(/[+-]?\d[\d,.]*/g, '#')
    .replace(/\b(yes|no)$/gm, 'yes or no')
    .replace(/[ \t]+/g, ' ')
    .trim()
    .split('\n')
    .filter((line, i, lines) => line !== lines[i - 1]);

const updated = (outputs: string[]): string => {
  let next = 0;
  return DOCS.replace(BLOCK, (_, block: string) => {
    const commands = block.match(/^\$ .*$/gm) ?? [];
    const lines = commands.map(command => `${command}\n${outputs[next++]}`.trimEnd());
    return ['```console', ...lines, '```'].join('\n');
  });
};

const folder = temporaryFolder();
const fileOf = (name: string): string => join(folder, name);
const reportOf = (name: string): Report => JSON.parse(readFileSync(fileOf(name), 'utf8'));

const node = (args: string[], environment: Record<string, string> = {}): Promise<Ended> =>
  spawnProgram(process.execPath, args, { environment });

describe('the evaluation', () => {
  const temporary = temporaryFolder();
  let before: Report;
  beforeAll(async () => {
    const outputs: string[] = [];
    for (const { command } of transcript) {
      // Its files go into a folder of this test.
      const line = command.replace(/\b(before|after)\.(json|svg)\b/g, name => fileOf(name));
      const ended = await spawnProgram('sh', ['-c', line], { environment: { TMPDIR: temporary } });
      expect(ended, ended.stderr).toMatchObject({ status: 0 });
      outputs.push(ended.stdout);
    }
    if (process.env.UPDATE_README) writeFileSync(DOCS_FILE, updated(outputs));
    else expect(outputs.map(masked)).toEqual(transcript.map(({ output }) => masked(output)));
    before = reportOf('before.json');
  });

  it('does what its documentation shows, and leaves no data folder', () => {
    expect(transcript).toHaveLength(3);
    expect(readdirSync(temporary).filter(name => name.startsWith('turnstone-evaluation'))).toEqual([]);
  });

  it('writes a report with a row a question', () => {
    expect(before).toMatchObject({ data: 'sample.jsonl', mode: 'active', conversations: 2, turns: 20 });
    expect(before.evidence.map(({ group, questions }) => [group, questions])).toEqual([
      ['multi-hop', 2],
      ['single-hop', 3],
      ['temporal', 1],
      ['answerable', 7],
    ]);
    // Nearly all of a dozen turns are among 30 hits.
    expect(before.evidence.at(-1)!.recallAt30).toBe(100);
    expect(before.confidence).toMatchObject({ questions: 8, baseRate: 7 / 8 });
    // A dozen turns hold little that can be left out, and each question is asked again at most once.
    expect(before.absence).toMatchObject({ copies: 2, share: 0.2, questions: before.absent.length });
    expect(before.absent.length).toBeGreaterThan(0);
    const rowOf = (id: string): QuestionRow => before.questions.find(row => row.id === id)!;
    expect(before.questions).toHaveLength(8);
    expect(rowOf('boat')).toMatchObject({ answerable: false, metrics: null, label: 0 });
    expect(rowOf('drum')).toMatchObject({
      conversation: 'assistant',
      category: 'multi-hop',
      metrics: { recallAt30: 1, allAt30: 1 },
      label: 1,
      confidence: expect.any(Number),
      milliseconds: expect.any(Number),
    });
    expect(rowOf('meal').category).toBeNull();
  });

  it('writes none of the words that it read', () => {
    const lines = readFileSync(join(ROOT, SAMPLE), 'utf8').trim().split('\n');
    const words = lines.map(line => JSON.parse(line)).map(({ text, question }) => text ?? question);
    expect(words).toHaveLength(28);
    for (const name of ['before.json', 'before.svg']) {
      const written = readFileSync(fileOf(name), 'utf8');
      for (const each of words) expect(written).not.toContain(each);
    }
  });

  it('draws the report', () => {
    const recall = before.evidence.at(-1)!.recallAt10.toFixed(1);
    expect(readFileSync(fileOf('before.svg'), 'utf8')).toContain(`answerable: R@10 ${recall} (7 questions)`);
  });

  it('has a page of results made of it', async () => {
    const page = fileOf('results.md');
    expect(await node([RESULTS, fileOf('before.json'), '--out', page])).toMatchObject({ status: 0 });
    expect(readFileSync(page, 'utf8')).toMatch(/^\| sample\.jsonl +\| [\d-]{10} \| 2 +\| 7 +\| 100\.0 \(/m);
  });

  it('refuses to compare reports of different questions', async () => {
    const other = { ...before, questions: before.questions.slice(1) };
    writeFileSync(fileOf('other.json'), JSON.stringify(other));
    const { status, stdout, stderr } = await node([COMPARE, fileOf('before.json'), fileOf('other.json')]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^evaluate:compare: .* different questions: 1 are in one of them alone\n$/);
  });

  it('removes its data folder when it is interrupted', async () => {
    const scratch = temporaryFolder();
    const child = spawn(process.execPath, [EVALUATE, SAMPLE], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), TMPDIR: scratch },
      stdio: 'ignore',
    });
    const made = (): string[] => readdirSync(scratch).filter(name => name.startsWith('turnstone-'));
    await until('the service has a key', () =>
      made().some(name => existsSync(join(scratch, name, 'api-key'))),
    );
    child.kill('SIGTERM');
    const [status] = await once(child, 'exit');
    expect({ status, made: made() }).toEqual({ status: 130, made: [] });
  });
});

describe('the evaluation of a service that runs', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const evaluate = (args: string[], apiKey: string): Promise<Ended> =>
    node([EVALUATE, SAMPLE, '--base-url', `${server.url}/`, ...args], { TURNSTONE_API_KEY: apiKey });

  it('finds there what it finds in its own, several questions at a time', async () => {
    const own = await node([EVALUATE, SAMPLE, '--json', fileOf('own.json')]);
    expect(own).toMatchObject({ status: 0 });
    const args = ['--json', fileOf('there.json'), '--in-flight', '4', '--user-prefix', 'run-1/'];
    expect(await evaluate(args, server.apiKey)).toMatchObject({ status: 0 });
    expect(reportOf('there.json').evidence).toEqual(reportOf('own.json').evidence);
    expect(reportOf('there.json').inFlight).toBe(4);
  });

  it('tells in a line that the key is refused', async () => {
    const { status, stdout, stderr } = await evaluate([], 'tsk_not_a_key');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^evaluate: the server answered 401: [^\n]+\n$/);
  });
});

it.each([
  [[EVALUATE], 2, 'one PATH is needed'],
  [[EVALUATE, SAMPLE, '--mode', 'deeper'], 2, '--mode must be active or deep'],
  [[EVALUATE, SAMPLE, '--in-flight', '0'], 2, '--in-flight must be a whole number from 1 to 64'],
  [[EVALUATE, SAMPLE, '--verbose'], 2, "Unknown option '--verbose'"],
  [[EVALUATE, SAMPLE, '--base-url', 'http://127.0.0.1:9'], 2, '--base-url needs --api-key'],
  [[EVALUATE, SAMPLE, '--base-url', 'localhost', '--api-key', 'x'], 2, '--base-url must be an http'],
  [[EVALUATE, 'none.jsonl'], 1, "can't read none.jsonl: ENOENT"],
  [[EVALUATE, 'README.md'], 1, 'README.md is neither JSON Lines nor JSON in one of'],
  [[EVALUATE, SAMPLE, '--drop-evidence', '11'], 2, '--drop-evidence must be a whole number from 1 to 10'],
  [[EVALUATE, SAMPLE, '--unanswerable', '20'], 2, '--unanswerable must be a number from 0 to 1'],
  [[RESULTS], 2, 'a report is needed'],
  [[RESULTS, 'package.json'], 1, 'package.json is no report of npm run evaluate'],
  [[COMPARE, 'package.json'], 2, 'two reports are needed'],
  [[COMPARE, 'package.json', 'package.json'], 1, 'package.json is no report of npm run evaluate'],
])('%j ends with %i and one line', async (args, expected, message) => {
  const { status, stdout, stderr } = await node(args);
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect(stderr).toMatch(/^evaluate(:compare|:results)?: [^\n]+\n$/);
  expect(stderr).toContain(message);
});
