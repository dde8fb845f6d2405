/** The figures of each measurement of the mode `cluster`, beside its target and its floor. */
import type { Ingested } from '../load/load-ingestion.ts';
import type { CpuSeconds } from '../load/process.ts';
import type { Figure, Part } from '../measure/figures-table.ts';
import { quantile } from '../measure/quantile.ts';
import type { ClusterBytes } from './bytes/log-bytes.ts';
import type { ClusterIngestion } from './cluster-ingestion.ts';
import type { ClusterProjection } from './cluster-projection.ts';
import type { ScopeFigures } from './cluster-recall.ts';
import type { ClusterReplay } from './cluster-replay.ts';
import type { ClusterUsage } from './cluster-usage.ts';

/** Targets of issue 18 and of the issue "Kafka, Elasticsearch, ClickHouse and Redis". */
const INGESTION_OF_FLOOR = 0.25;
const BYTES_OF_TURN = 500;
const PROJECTION_OF_FLOOR = 0.7;
const REPLAY_OF_FLOOR = 0.8;
const RECALL_BEYOND_FLOOR_MS = 6;
const USAGE_MS = 300;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

const cpuFigures = (cpu: CpuSeconds, what: string, floor?: readonly CpuSeconds[]): Figure[] => [
  ...Object.entries(cpu).map(
    ([thread, each]): Figure => ({
      figure: `CPU ${what}: ${thread}`,
      measured: each,
      unit: 'µs',
      ...(floor && { floor: mean(floor.map(one => one[thread] ?? 0)) }),
    }),
  ),
  {
    figure: `CPU ${what}: all of it`,
    measured: sum(Object.values(cpu)),
    unit: 'µs',
    ...(floor && { floor: mean(floor.map(one => sum(Object.values(one)))) }),
  },
];

export const clusterIngestionPart = ({ floors, service }: ClusterIngestion): Part => {
  const rate = mean(floors.map(floor => floor.turnsPerSecond));
  const rates = floors.map(floor => Math.round(floor.turnsPerSecond).toLocaleString('en-US')).join(' and ');
  const latency = (share: number): Figure => ({
    figure: `answer p${share * 100}`,
    measured: quantile(service.load.latencies, share),
    floor: mean(floors.map(floor => quantile(floor.load.latencies, share))),
    unit: 'ms',
  });
  const others = ({ others }: Ingested): number => others;
  return {
    title:
      `Ingestion: one API process, 32 connections, 10 turns a request, ${Math.round(service.load.seconds)} s; ` +
      'projectors rest (theirs are other machines)',
    figures: [
      {
        figure: 'acknowledged',
        measured: service.turnsPerSecond,
        unit: 'turns/s',
        target: { least: INGESTION_OF_FLOOR * rate },
        floor: rate,
        note: `the floor before and after: ${rates}`,
      },
      latency(0.5),
      latency(0.99),
      {
        figure: 'told to come back later',
        measured: service.load.refused,
        unit: 'requests',
        target: { most: 0 },
      },
      ...cpuFigures(
        service.cpu,
        'a turn',
        floors.map(({ cpu }) => cpu),
      ),
      {
        figure: 'other processes meanwhile',
        measured: others(service),
        floor: mean(floors.map(others)),
        unit: 'cores',
        note: 'Kafka and Redis among them',
      },
    ],
  };
};

export const clusterBytesPart = ({ turns, bytes }: ClusterBytes): Part => ({
  title: `Bytes in Kafka: ${turns.toLocaleString('en-US')} turns in writes of ten, with what was extracted from them`,
  figures: [
    ...[...bytes].map(
      ([topic, all]): Figure => ({ figure: `topic ${topic}`, measured: all / turns, unit: 'bytes a turn' }),
    ),
    {
      figure: 'all of it',
      measured: sum(bytes.values()) / turns,
      unit: 'bytes a turn',
      target: { most: BYTES_OF_TURN },
    },
  ],
});

export const clusterProjectionPart = (figures: ClusterProjection): Part => {
  const { events, documents, seconds, cpu, floor } = figures;
  const rate = floor.documents / floor.seconds;
  return {
    title: `Projection: one projector, ${events.toLocaleString('en-US')} events`,
    figures: [
      {
        figure: 'documents shown',
        measured: documents / seconds,
        unit: 'documents/s',
        target: { least: PROJECTION_OF_FLOOR * rate },
        floor: rate,
        note: `the floor: ${floor.documents.toLocaleString('en-US')} in bulks of ${floor.bulk}`,
      },
      {
        figure: 'events projected',
        measured: events / seconds,
        unit: 'events/s',
        note: `in ${seconds.toFixed(1)} s`,
      },
      ...cpuFigures(cpu, 'an event'),
    ],
  };
};

export const clusterReplayPart = ({ documents, seconds, floors }: ClusterReplay): Part => {
  const rates = floors.map(floor => floor.documents / floor.seconds);
  const rate = mean(rates);
  return {
    title: `Replay: a new generation of recall of ${documents.toLocaleString('en-US')} documents`,
    figures: [
      {
        figure: 'replay',
        measured: documents / seconds,
        unit: 'documents/s',
        target: { least: REPLAY_OF_FLOOR * rate },
        floor: rate,
        note: `bare bulks before and after: ${rates.map(each => Math.round(each).toLocaleString('en-US')).join(' and ')}`,
      },
    ],
  };
};

const scopeFigures = (scope: ScopeFigures): Figure[] => {
  const name = `of ${scope.turns.toLocaleString('en-US')} turns`;
  const floors = scope.queries.map((ms, i) => ms + scope.produce[i]! + scope.redis[i]!);
  const beyond = quantile(scope.recalls, 0.5) - quantile(floors, 0.5);
  const part = (share: number): string =>
    `${quantile(scope.queries, share).toFixed(1)} + ${quantile(scope.produce, share).toFixed(1)} + ` +
    `${quantile(scope.redis, share).toFixed(1)} ms`;
  const at = (share: number): Figure => ({
    figure: `${name}, p${share * 100}`,
    measured: quantile(scope.recalls, share),
    unit: 'ms',
    floor: quantile(floors, share),
    note: `queries, produce, Redis: ${part(share)}`,
  });
  const p50 = at(0.5);
  return [
    { ...p50, target: { most: p50.floor! + RECALL_BEYOND_FLOOR_MS } },
    at(0.99),
    { figure: `${name}, p50 beyond the floor`, measured: beyond, unit: 'ms' },
    { figure: `${name}, CPU of the API`, measured: scope.cpu, unit: 'ms' },
    {
      figure: `${name}, requests to Elasticsearch`,
      measured: scope.asked,
      unit: 'a recall',
      note: `the first brings ${Math.round(scope.bytes / 1_024)} KiB`,
    },
  ];
};

export const clusterRecallPart = (scopes: readonly ScopeFigures[]): Part => ({
  title: `Recall: one after the other, ${scopes[0]!.recalls.length} of each scope; the floor beside each`,
  figures: scopes.flatMap(scopeFigures),
});

export const clusterUsagePart = (usage: ClusterUsage): Part => {
  const { unmerged, unrolled, rolled, floor } = usage;
  const at = (name: string, times: readonly number[], isDecisive = true): Figure => ({
    figure: name,
    measured: quantile(times, 0.5),
    unit: 'ms',
    floor: quantile(floor, 0.5),
    ...(isDecisive && { target: { most: USAGE_MS } }),
    note: `most ${Math.round(Math.max(...times))} ms`,
  });
  return {
    title: `Usage by month: ${usage.rows.toLocaleString('en-US')} rows of one organization; the floor sums without telling copies apart`,
    figures: [
      at('p50, closed days rolled up', rolled),
      at('p50, none rolled up', unrolled),
      at('p50, none rolled up and just written', unmerged, false),
      { figure: 'rolling up', measured: usage.rollUpSeconds, unit: 's' },
    ],
  };
};
