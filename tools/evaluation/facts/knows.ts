/**
 * `npm run evaluate:knows -- [--show] [--weeks] [--cases FILE]…`: measures what the service concludes. Tells
 * the sequences of facts/sequences/ to the extractor and the fold, tells the weeks of facts/weeks/ to a
 * service of its own and asks questions about them (with `--weeks` nothing else), and runs programs of cases
 * (`FILE URL KEY`, Python) over HTTP. `--show` lists what went wrong in the open part.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { parsedBy, runCommand } from '../command.ts';
import { startOwnServer } from '../own-server.ts';
import { readSequences, type Sequence } from './read-sequences.ts';
import { tellSequence } from './tell-sequence.ts';
import { measureWeeks } from './weeks.ts';

const USAGE = 'npm run evaluate:knows -- [--show] [--weeks] [--cases FILE]…';

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

async function runCases(file: string): Promise<void> {
  const server = await startOwnServer();
  try {
    const child = spawn('python3', [file, server.baseUrl, server.apiKey], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(child, 'exit');
  } finally {
    await server.stop();
  }
}

await runCommand('evaluate:knows', async () => {
  const { values } = parsedBy(() =>
    parseArgs({
      options: {
        show: { type: 'boolean', default: false },
        weeks: { type: 'boolean', default: false },
        cases: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    }),
  );
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (!values.weeks) tellAll(values.show);
  await measureWeeks(values.show);
  for (const file of values.cases) await runCases(file);
});
