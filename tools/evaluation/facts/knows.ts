/**
 * `npm run evaluate:knows -- [DATASET]… [--show] [--weeks] [--cases FILE]… [--changes FILE]…`: measures what
 * the service concludes. Tells the sequences of facts/sequences/ and the stories of facts/endings/ to the
 * extractor and the fold, compares labelled turns with what it extracts, tells the weeks of facts/weeks/ to a
 * service of its own and asks questions about them (with `--weeks` nothing else), asks the questions about
 * the present of data sets (docs/guides/evaluation.md), and runs programs over HTTP (Python): of cases
 * (`FILE URL KEY`) and of stories of changes (`FILE URL --api-key KEY`). `--show` lists what went wrong in
 * the open part.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../client.ts';
import { parsedBy, runCommand } from '../command.ts';
import { readDataset } from '../datasets/read-dataset.ts';
import { presentRow } from '../measure/for-present.ts';
import { measure } from '../measure/measure.ts';
import { type OwnServer, startOwnServer } from '../own-server.ts';
import { measureEndings } from './endings.ts';
import { measureLabels } from './labels.ts';
import { readSequences, type Sequence } from './read-sequences.ts';
import { tellSequence } from './tell-sequence.ts';
import { measureWeeks } from './weeks.ts';

const USAGE = 'npm run evaluate:knows -- [DATASET]… [--show] [--weeks] [--cases FILE]… [--changes FILE]…';

/** Three of four sequences are for work on the extractor; the others are only counted. */
const isOpen = (_: Sequence, index: number): boolean => index % 4 !== 3;

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

function tellAll(show: boolean): void {
  const told = readSequences().map((sequence, index) => ({
    sequence,
    wrong: tellSequence(sequence),
    open: isOpen(sequence, index),
  }));
  if (show)
    for (const { sequence, wrong } of told.filter(each => each.open && each.wrong.length > 0)) {
      console.log(`${sequence.file}: ${sequence.title}`);
      for (const { after, expected, held } of wrong)
        console.log(`  ${after}\n    ${expected}; held: ${held}`);
    }
  console.log('sequences: all right after every line');
  for (const [file, all] of Map.groupBy(told, ({ sequence }) => sequence.file)) {
    const right = all.filter(({ wrong }) => wrong.length === 0).length;
    console.log(`  ${file.padEnd(28)} ${String(right).padStart(3)} of ${all.length}`);
  }
  for (const half of [true, false]) {
    const all = told.filter(({ open }) => open === half);
    const right = all.filter(({ wrong }) => wrong.length === 0).length;
    const name = half ? 'open, three of four' : 'closed';
    console.log(`  ${name.padEnd(28)} ${right} of ${all.length}, ${percent(right, all.length)}`);
  }
}

async function runPython(file: string, given: (server: OwnServer) => string[]): Promise<void> {
  const server = await startOwnServer();
  try {
    const child = spawn('python3', [file, ...given(server)], { stdio: ['ignore', 'inherit', 'inherit'] });
    await once(child, 'exit');
  } finally {
    await server.stop();
  }
}

async function askForPresent(path: string): Promise<void> {
  const server = await startOwnServer();
  try {
    const client = await connect(server.baseUrl, server.apiKey);
    const dataset = readDataset(path);
    const asking = { mode: 'active', inFlight: 1, userPrefix: '' } as const;
    const beside = { baseline: () => () => [], onConversation: () => {} };
    const row = presentRow(await measure(client, dataset, { ...asking, ...beside }));
    const figures = row ? `R@1 ${row.recallAt1}, R@3 ${row.recallAt3} (${row.questions})` : 'none';
    console.log(`${basename(path)}: questions about the present: ${figures}`);
  } finally {
    await server.stop();
  }
}

await runCommand('evaluate:knows', async () => {
  const { values, positionals } = parsedBy(() =>
    parseArgs({
      allowPositionals: true,
      options: {
        show: { type: 'boolean', default: false },
        weeks: { type: 'boolean', default: false },
        cases: { type: 'string', multiple: true, default: [] },
        changes: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    }),
  );
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (!values.weeks) {
    tellAll(values.show);
    console.log('labelled turns, open half');
    measureLabels('open', values.show);
    measureEndings(values.show);
  }
  await measureWeeks(values.show);
  for (const path of positionals) await askForPresent(path);
  for (const file of values.cases) await runPython(file, ({ baseUrl, apiKey }) => [baseUrl, apiKey]);
  for (const file of values.changes)
    await runPython(file, ({ baseUrl, apiKey }) => [baseUrl, '--api-key', apiKey]);
});
