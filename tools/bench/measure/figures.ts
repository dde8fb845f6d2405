/** The figures of each measurement, beside the targets of the issue "Speed and memory". */
import { availableParallelism } from 'node:os';
import type { BuiltOnce } from '../load/build-once.ts';
import type { ClientFigures } from '../load/clients.ts';
import { type RecallFigures, TURNS_PER_SECOND_BESIDE } from '../load/load-recall.ts';
import type { ReplayFigures } from '../load/load-replay.ts';
import type { RankerFigures } from '../ranker.ts';
import type { Figure, Part } from './figures-table.ts';
import type { MemoryFigures } from './memory-figures.ts';
import { quantile } from './quantile.ts';

const MEGABYTE = 1e6;

export const replayParts = ({ turns, floorSeconds, builds }: ReplayFigures): Part[] =>
  [...builds].map(([name, runs]) => {
    const median = (of: (run: BuiltOnce) => number): number => quantile(runs.map(of), 0.5);
    const cpu = median(run => run.cpu / turns);
    const unit = 'µs';
    return {
      title: `Replay by ${name}: a generation of ${turns.toLocaleString('en-US')} turns and their observations, median of ${runs.length}`,
      figures: [
        {
          figure: 'turns a second, with their observations',
          measured: turns / median(run => run.seconds),
          unit: '',
          target: { least: 20_000 },
          floor: turns / floorSeconds,
        },
        {
          figure: 'CPU a turn, all threads',
          measured: cpu,
          unit,
          target: { most: 100 },
          note: runs.map(run => (run.cpu / turns).toFixed(0)).join(', '),
        },
        ...Object.keys(runs[0]!.cpuByThread).map(thread => ({
          figure: `of it: ${thread}`,
          measured: median(run => (run.cpuByThread[thread] ?? 0) / turns),
          unit,
        })),
        {
          figure: `what that allows on ${availableParallelism()} cores`,
          measured: (availableParallelism() * 1e6) / cpu,
          unit: 'turns/s',
        },
        { figure: 'the threads are up after', measured: median(run => run.startSeconds), unit: 's' },
        { figure: 'the indices at the end', measured: median(run => run.indexSeconds), unit: 's' },
        { figure: 'resident at most', measured: median(run => run.mostResident) / MEGABYTE, unit: 'MB' },
      ],
    };
  });

export const rankerPart = (figures: RankerFigures): Part => {
  const { tableMegabytes, tableMs, turnsPerSecond, active, deep, floor } = figures;
  const unit = 'ms';
  const p50 = quantile(floor, 0.5);
  return {
    title: 'The ranker by itself, one core: 500 candidates with the turns around them',
    figures: [
      { figure: 'a query, p50', measured: quantile(active, 0.5), unit, target: { most: 4 }, floor: p50 },
      { figure: 'a query, p99', measured: quantile(active, 0.99), unit, floor: quantile(floor, 0.99) },
      { figure: 'a query in deep mode, p50', measured: quantile(deep, 0.5), unit, floor: p50 },
      {
        figure: 'turns analysed a second of CPU',
        measured: turnsPerSecond,
        unit: '',
        target: { least: 10_000 },
      },
      { figure: 'the table is read and opened', measured: tableMs, unit, target: { most: 100 } },
      { figure: 'size of the table', measured: tableMegabytes, unit: 'MB', target: { most: 20 } },
    ],
  };
};

const series = (
  name: string,
  latencies: readonly number[],
  floor: readonly number[],
  isDecisive = false,
): Figure[] => [
  {
    figure: `${name}, p50`,
    measured: quantile(latencies, 0.5),
    unit: 'ms',
    floor: quantile(floor, 0.5),
    ...(isDecisive && { target: { most: 10 } }),
    note: `${latencies.length} recalls`,
  },
  {
    figure: `${name}, p99`,
    measured: quantile(latencies, 0.99),
    unit: 'ms',
    floor: quantile(floor, 0.99),
    ...(isDecisive && { target: { most: 50 } }),
  },
];

export const recallPart = (small: RecallFigures, large: RecallFigures, floor: readonly number[]): Part => {
  const { beside } = large;
  const p50 = (figures: RecallFigures): number => quantile(figures.random, 0.5);
  const figures: Figure[] = [
    ...series('partitions at random', large.random, floor, true),
    { figure: 'partitions at random, CPU of the request thread', measured: large.cpu, unit: 'ms' },
    {
      figure: 'cores in use on the machine meanwhile',
      measured: large.busy,
      unit: 'cores',
      note: 'above 1 others took part',
    },
    ...series('first of a partition after a start', large.cold, floor),
    ...series('one partition again and again', large.warm, floor),
    ...series(`the same in ${small.turns.toLocaleString('en-US')} turns, at random`, small.random, floor),
    {
      figure: 'p50 of the larger to the smaller store',
      measured: p50(large) / p50(small),
      unit: '×',
      target: { most: 1.3 },
    },
  ];
  if (beside) {
    figures.push(
      ...series('at random, turns coming in beside', beside.recalls, floor, true),
      {
        figure: 'turns coming in',
        measured: beside.turnsPerSecond,
        unit: 'turns/s',
        target: { least: TURNS_PER_SECOND_BESIDE * 0.98 },
      },
      { figure: 'their answers, p99', measured: quantile(beside.ingestion, 0.99), unit: 'ms' },
      { figure: 'event-loop delay meanwhile, p50', measured: beside.loopP50, unit: 'ms' },
      { figure: 'event-loop delay meanwhile, p99', measured: beside.loopP99, unit: 'ms' },
      { figure: 'event-loop delay meanwhile, most', measured: beside.loopMost, unit: 'ms' },
    );
  }
  return {
    title: `Recall: a scope of 10,000 in a store of ${large.turns.toLocaleString('en-US')} turns`,
    figures,
  };
};

export const memoryPart = (figures: MemoryFigures): Part => {
  const resident = (figure: string, bytes: number | undefined, isDecisive = true): Figure => ({
    figure,
    measured: bytes === undefined ? Number.NaN : bytes / MEGABYTE,
    unit: 'MB',
    ...(isDecisive && { target: { most: 500 } }),
    floor: figures.floor && figures.floor.now / MEGABYTE,
  });
  return {
    title: `Memory: ${figures.turns.toLocaleString('en-US')} turns stored`,
    figures: [
      {
        figure: 'ready after',
        measured: figures.readyMs / 1_000,
        unit: 's',
        target: { most: 2 },
        floor: figures.floorReadyMs / 1_000,
      },
      resident('resident after a start', figures.afterStart?.now),
      resident('resident after recalls', figures.afterRecalls?.now),
      resident('resident after loading all of it', figures.afterLoad?.now),
      resident('the most while loading', figures.afterLoad?.most, false),
    ],
  };
};

export const clientsPart = ({ client, fetch }: ClientFigures): Part => {
  const unit = 'ms';
  const both = (share: number): Pick<Figure, 'measured' | 'floor' | 'unit'> => ({
    measured: quantile(client, share),
    floor: quantile(fetch, share),
    unit,
  });
  return {
    title: 'The TypeScript client: a recall on a server that answers a constant; the floor is fetch alone',
    figures: [
      { figure: 'a call, p50', ...both(0.5), note: `${client.length} calls` },
      { figure: 'a call, p99', ...both(0.99) },
      {
        figure: 'what the client adds, p50',
        measured: quantile(client, 0.5) - quantile(fetch, 0.5),
        unit,
        target: { most: 0.3 },
      },
    ],
  };
};
