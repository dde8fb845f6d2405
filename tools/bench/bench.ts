/**
 * `npm run bench`: measures the speed and size of the service, each figure beside its floor. See
 * docs/internals/measurements/benchmarks.md.
 */
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { URL_VARIABLES } from '../../test/support/engines/engine-urls.ts';
import { measureCluster } from './cluster/cluster-measure.ts';
import { enginesOf, missingEngines } from './cluster/installation.ts';
import { measureRedisWrites, redisWritesPart } from './cluster/redis-writes.ts';
import { factsParts, measureFactsCpu } from './facts-cpu.ts';
import { measureFullLoad } from './full-load.ts';
import { measureClients } from './load/clients.ts';
import { makeConversation } from './load/conversation.ts';
import { measureIngestion } from './load/load-ingestion.ts';
import { measureRecall, measureRecallFloor } from './load/load-recall.ts';
import { measureReplay } from './load/load-replay.ts';
import { measureCpu } from './measure/cpu.ts';
import { cpuParts } from './measure/cpu-figures.ts';
import { clientsPart, memoryPart, rankerPart, recallPart, replayParts } from './measure/figures.ts';
import { isMet, type Part, table } from './measure/figures-table.ts';
import { ingestionPart, sealingPart, stagesPart } from './measure/ingestion-figures.ts';
import { loadText, machine } from './measure/machine.ts';
import { measureMemory } from './measure/memory-figures.ts';
import { measureRanker } from './ranker.ts';
import { measureEmbeddedErasure } from './scale/scale-erasure.ts';
import { erasurePart } from './scale/scale-figures.ts';
import { measureScale } from './scale/scale-measure.ts';
import { measureStages } from './stages.ts';
import { TURNS_OF_A_SCOPE } from './store.ts';

const HELP = `npm run bench -- [ingest | load | cpu | facts | recall | ranker | replay | memory | sealing | clients | erasure | redis | cluster | scale | all]… [options]

\`all\` is the embedded mode, where \`ingest\` tells what \`sealing\` does. \`redis\` starts a Redis. \`cluster\` and \`scale\` need engines that run already, and where they are in
${Object.values(URL_VARIABLES).join(', ')}.

  --seconds N    how long turns are ingested (60; of load and of the mode cluster 10)
  --turns N      turns of the large store, a multiple of 100,000 (1,000,000); a tenth of it is the small one. Of scale: of a week
  --sessions N   sessions of scale (1,000,000)
  --events N     account events of scale (2,000,000)
  --recalls N    recalls of each series (500)
  --store DIR    where stores are kept between runs (${join(tmpdir(), 'turnstone-bench')})
  --runs N       runs of which load, cpu and replay show the median (3)
  --beside TREE  another release's source tree, which load, cpu, facts and replay measure in turns with this one; can be repeated
  --profile DIR  writes a CPU profile of each of the service's threads there
  --json         prints JSON instead of tables`;

const EMBEDDED = ['ranker', 'replay', 'ingest', 'recall', 'memory'] as const;
const PARTS = [
  ...EMBEDDED,
  'load',
  'cpu',
  'facts',
  'sealing',
  'clients',
  'erasure',
  'redis',
  'cluster',
  'scale',
] as const;
/** As in live use: turns of more than seven days ago are looked up in the index before counting as new. */
const RECENT_MS = 6 * 86_400_000;
/** Nothing here takes longer, loading the stores included: a longer run hangs. */
const MOST_MINUTES = 60;

const fail = (message: string): never => {
  console.error(`${message}\n\n${HELP}`);
  process.exit(2);
};

const parsed = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: 'string' },
        turns: { type: 'string', default: '1000000' },
        sessions: { type: 'string', default: '1000000' },
        events: { type: 'string', default: '2000000' },
        recalls: { type: 'string', default: '500' },
        store: { type: 'string', default: join(tmpdir(), 'turnstone-bench') },
        profile: { type: 'string' },
        runs: { type: 'string', default: '3' },
        beside: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
};

const readOptions = () => {
  const { values, positionals } = parsed();
  const whole = (
    name: 'seconds' | 'turns' | 'sessions' | 'events' | 'recalls' | 'runs',
    step: number,
    fallback?: number,
  ): number => {
    const value = Number(values[name] ?? fallback);
    return Number.isSafeInteger(value) && value > 0 && value % step === 0
      ? value
      : fail(`--${name} must be a whole number above 0${step > 1 ? `, a multiple of ${step}` : ''}`);
  };
  const asked = new Set(positionals.length === 0 ? ['all'] : positionals);
  if (asked.delete('all')) for (const part of EMBEDDED) asked.add(part);
  const parts = PARTS.filter(part => asked.delete(part));
  if (asked.size > 0) fail(`no such part: ${[...asked].join(', ')}`);
  const onEngines = parts.filter(part => part === 'cluster' || part === 'scale');
  const missing = onEngines.length > 0 ? missingEngines(process.env) : [];
  if (missing.length > 0) {
    console.error(`the benchmark of the mode cluster needs ${missing.join(', ')} in the environment`);
    process.exit(2);
  }
  return {
    ...values,
    parts,
    seconds: whole('seconds', 1, parts.every(part => part === 'cluster' || part === 'load') ? 10 : 60),
    turns: whole('turns', 10 * TURNS_OF_A_SCOPE),
    sessions: whole('sessions', 1_000),
    events: whole('events', 1_000),
    recalls: whole('recalls', 5),
    runs: whole('runs', 1),
  };
};

type Options = ReturnType<typeof readOptions>;

const measure = async (
  options: Options,
  say: (line: string) => void,
  show: (part: Part) => void,
): Promise<void> => {
  const { parts, seconds, turns, recalls: count, store, profile } = options;
  const conversation = makeConversation();
  if (parts.includes('ranker')) {
    say('ranking 500 candidates');
    show(rankerPart(measureRanker(conversation)));
  }
  if (parts.includes('replay')) {
    const figures = await measureReplay(conversation, { ...options, others: options.beside, say });
    for (const part of replayParts(figures)) show(part);
  }
  if (parts.includes('ingest')) {
    say(`ingesting for ${seconds} s, and what is left behind after it`);
    const figures = await measureIngestion(conversation, seconds, profile);
    show(ingestionPart(figures));
    say('each stage alone');
    const measured = await measureStages(conversation);
    show(stagesPart(measured.stages, figures));
    show(sealingPart(measured));
  }
  if (parts.includes('load'))
    for (const part of await measureFullLoad(conversation, { ...options, say })) show(part);
  if (parts.includes('cpu')) {
    const figures = await measureCpu(conversation, { runs: options.runs, others: options.beside, say });
    for (const part of cpuParts(figures)) show(part);
  }
  if (parts.includes('facts')) {
    const figures = await measureFactsCpu(conversation, { count, others: options.beside, say });
    for (const part of factsParts(figures)) show(part);
  }
  if (parts.includes('sealing')) {
    say('sealing beside the rest of ingestion');
    show(sealingPart(await measureStages(conversation)));
  }
  if (parts.includes('clients')) {
    say(`${4 * count} calls of the TypeScript client beside as many of fetch`);
    show(clientsPart(await measureClients(4 * count)));
  }
  if (parts.includes('recall')) {
    const common = { store, count, conversation, say };
    say(`recalling from ${turns / 10} turns`);
    const small = await measureRecall({ ...common, turns: turns / 10, beside: false });
    say(`recalling from ${turns} turns`);
    const large = await measureRecall({ ...common, turns, beside: true, profile });
    show(recallPart(small, large, await measureRecallFloor(count)));
  }
  if (parts.includes('memory')) {
    say(`memory and start with ${turns} turns`);
    show(memoryPart(await measureMemory({ store, turns, count, conversation, say })));
  }
  if (parts.includes('erasure')) {
    const recent = makeConversation(Date.now() - RECENT_MS);
    show(erasurePart('embedded', await measureEmbeddedErasure(recent, say)));
  }
  if (parts.includes('redis')) {
    say('writes of ten turns on a Redis alone');
    show(redisWritesPart(await measureRedisWrites()));
  }
  const atEnd = (drop: () => Promise<void>): void => void ending.push(drop);
  const onEngines = () => ({
    engines: enginesOf(process.env),
    conversation: makeConversation(Date.now() - RECENT_MS),
    say,
    show,
    atEnd,
  });
  if (parts.includes('cluster')) await measureCluster({ ...onEngines(), seconds, recalls: count, profile });
  if (parts.includes('scale'))
    await measureScale({ ...onEngines(), sessions: options.sessions, events: options.events, turns });
};

/** Clean-up of the data that a part leaves in shared engines. */
const ending: (() => Promise<void>)[] = [];
const clearUp = async (): Promise<void> => {
  // A fault here must not hide the one that ended the measurement.
  for (const drop of ending.splice(0).reverse()) await drop().catch(error => console.error(error));
};
const giveUp = (why: string): void => {
  console.error(why);
  void clearUp().then(() => process.exit(1));
};

const options = readOptions();
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const late = setTimeout(() => giveUp(`not done after ${MOST_MINUTES} minutes`), MOST_MINUTES * 60_000);
// Exiting ends the processes that were started here; a signal alone would leave them behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => giveUp(signal));
process.once('uncaughtException', error => giveUp(error.stack ?? error.message));

const shown: (Part & { loadAverage: number[] })[] = [];
const about = machine();
if (!options.json) console.log(about);
try {
  await measure(
    options,
    line => console.error(line),
    part => {
      shown.push({ ...part, loadAverage: loadavg() });
      if (!options.json) console.log(`\n${table(part)}\nload average ${loadText()}`);
    },
  );
} finally {
  await clearUp();
}
if (options.json) {
  const parts = shown.map(part => ({
    ...part,
    figures: part.figures.map(figure => ({ ...figure, met: isMet(figure) })),
  }));
  console.log(JSON.stringify({ machine: about, parts }, null, 2));
}
clearTimeout(late);
