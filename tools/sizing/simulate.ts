/** `npm run simulate`: how large an installation has to be, and how it grows. See docs/operate/sizing.md. */
import { parseArgs } from 'node:util';
import { type Growth, type Month, simulateGrowth, storedByMonth } from './growth.ts';
import type { Load, Machines } from './sizing.ts';

const HELP = `npm run simulate -- [options]

Numbers may be written as 1e9. What is stored and done at the end:
  --turns N            turns that are stored (1e9)
  --organizations N    (1e6)
  --recalls-a-day N    (a tenth of the turns a day)
  --turns-a-write N    (10)
  --sessions N         sessions in use in the same hour (a hundredth of the turns a day)
  --characters N       of a turn's text (120)
  --peak N             the busiest second, in times of the day's mean (4)

How it gets there:
  --months N           (24)
  --factor N           a month's turns, in times of those of the month before (1.1)

What it runs on:
  --replication N      copies of a record in Kafka (3)
  --replicas N         copies of a shard beside the first (1)
  --disk N             GB of a node's disk (2000)

  --json               prints JSON`;

const NUMBERS = {
  turns: 1e9,
  organizations: 1e6,
  'recalls-a-day': undefined,
  'turns-a-write': 10,
  sessions: undefined,
  characters: 120,
  peak: 4,
  months: 24,
  factor: 1.1,
  replication: 3,
  replicas: 1,
  disk: 2_000,
} as const;
type Name = keyof typeof NUMBERS;
/** Without a copy beside the first, a shard is lost with its node; that is nobody's fault here. */
const MAY_BE_ZERO: ReadonlySet<string> = new Set<Name>(['replicas']);

const fail = (faults: readonly string[]): never => {
  console.error(`${faults.join('\n')}\n\n${HELP}`);
  process.exit(2);
};

const readOptions = () => {
  const names = Object.keys(NUMBERS) as Name[];
  const parsed = (() => {
    try {
      return parseArgs({
        options: {
          ...Object.fromEntries(names.map(name => [name, { type: 'string' } as const])),
          json: { type: 'boolean', default: false },
          help: { type: 'boolean', default: false },
        },
      }).values as Record<string, string | boolean | undefined>;
    } catch (error) {
      return fail([(error as Error).message]);
    }
  })();
  const faults: string[] = [];
  const numbers = Object.fromEntries(
    names.map(name => {
      const text = parsed[name];
      const value = text === undefined ? NUMBERS[name] : Number(text);
      const least = MAY_BE_ZERO.has(name) ? 0 : Number.MIN_VALUE;
      if (value !== undefined && !(value >= least && value < Number.POSITIVE_INFINITY))
        faults.push(`--${name} must be a number ${least === 0 ? 'from 0 on' : 'above 0'}`);
      return [name, value];
    }),
  ) as Record<Name, number | undefined>;
  if (numbers.months !== undefined && (!Number.isInteger(numbers.months) || numbers.months > 600))
    faults.push('--months must be a whole number, 600 at most');
  if (faults.length > 0) fail(faults);
  return { numbers: numbers as Record<Name, number>, json: parsed.json === true, help: parsed.help === true };
};

const growthOf = (numbers: Record<Name, number>): Growth => {
  const { turns, months, factor } = numbers;
  const { turnsADay } = storedByMonth(turns, { months, factor }).at(-1)!;
  const load: Load = {
    turns,
    organizations: numbers.organizations,
    turnsADay,
    recallsADay: numbers['recalls-a-day'] ?? turnsADay / 10,
    turnsAWrite: numbers['turns-a-write'],
    sessionsAnHour: numbers.sessions ?? turnsADay / 100,
    characters: numbers.characters,
    peak: numbers.peak,
  };
  const machines: Machines = {
    replication: numbers.replication,
    replicas: numbers.replicas,
    diskBytes: numbers.disk * 1e9,
  };
  return { load, machines, months, factor };
};

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
const bytes = (value: number): string => {
  const step = Math.min(Math.max(Math.floor(Math.log10(Math.max(value, 1)) / 3), 0), UNITS.length - 1);
  return `${(value / 1_000 ** step).toPrecision(3)} ${UNITS[step]}`;
};
const count = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

const counted = (value: number, one: string, many: string): string => `${value} ${value === 1 ? one : many}`;

const print = (months: readonly Month[], { load, machines }: Growth): void => {
  const { sizing, turnsADay } = months.at(-1)!;
  const rows: [string, string, string][] = [
    [
      'Kafka',
      bytes(sizing.logBytes * machines.replication),
      `${sizing.brokers} brokers, ${sizing.partitions} partitions`,
    ],
    [
      'Elasticsearch',
      bytes(sizing.indexBytes * (1 + machines.replicas)),
      `${sizing.indexNodes} nodes, ${sizing.shards} shards, ${count(sizing.documents)} documents`,
    ],
    ['ClickHouse', bytes(sizing.usageBytes), '1 server'],
    [
      'Redis',
      bytes(sizing.redisBytes),
      `${counted(sizing.redisServers, 'server', 'servers')}, twice that as maxmemory`,
    ],
    ['API', '', counted(sizing.apis, 'process', 'processes')],
    ['projectors', '', `${sizing.projectors}`],
    ['enrichers', '', `${sizing.enrichers}, by the rules`],
    ['replay', '', `${sizing.replayHours.toFixed(1)} h for a generation of the recall index`],
  ];
  console.log(
    `${count(load.turns)} turns of ${count(load.organizations)} organizations; ${count(turnsADay)} turns a day, ` +
      `${load.peak} times as many in the busiest second\n`,
  );
  for (const [part, size, needs] of rows) console.log(`${part.padEnd(14)}${size.padStart(9)}  ${needs}`);
  for (const why of sizing.impossible) console.log(`\nIt can't be done: ${why}.`);
  console.log('\nmonth  turns stored  a day        to add, while it serves');
  for (const { month, turns, turnsADay: aDay, steps } of months)
    if (steps.length > 0)
      console.log(
        `${String(month).padStart(5)}  ${count(turns).padStart(12)}  ${count(aDay).padEnd(11)}  ${steps.join('; ')}`,
      );
};

const { numbers, json, help } = readOptions();
if (help) {
  console.log(HELP);
} else {
  const growth = growthOf(numbers);
  const months = simulateGrowth(growth);
  if (json) console.log(JSON.stringify({ ...growth, months }, undefined, 2));
  else print(months, growth);
  if (months.at(-1)!.sizing.impossible.length > 0) process.exitCode = 1;
}
