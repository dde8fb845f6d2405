/** The figures of ingestion and of its stages. */

import { availableParallelism } from 'node:os';
import type { Ingested, IngestionFigures } from '../load/load-ingestion.ts';
import type { Stages } from '../stages.ts';
import type { Figure, Part } from './figures-table.ts';
import { quantile } from './quantile.ts';
import type { Stage } from './timed.ts';

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

const cpuFigures = (floor: Ingested, service: Ingested): Figure[] => {
  const threads = Object.keys(service.cpu);
  const unit = 'µs';
  return [
    ...threads.map(
      (thread): Figure => ({
        figure: `CPU a turn: ${thread}`,
        measured: service.cpu[thread]!,
        unit,
        floor: floor.cpu[thread],
      }),
    ),
    {
      figure: 'CPU a turn: all of it',
      measured: sum(Object.values(service.cpu)),
      unit,
      floor: sum(Object.values(floor.cpu)),
    },
    {
      figure: `what that allows on ${availableParallelism()} cores`,
      measured: (availableParallelism() * 1e6) / sum(Object.values(service.cpu)),
      unit: 'turns/s',
      floor: (availableParallelism() * 1e6) / sum(Object.values(floor.cpu)),
    },
  ];
};

export const ingestionPart = (figures: IngestionFigures): Part => {
  const { floor, service } = figures;
  const latency = (share: number): Pick<Figure, 'measured' | 'floor' | 'unit'> => ({
    measured: quantile(service.load.latencies, share),
    floor: quantile(floor.load.latencies, share),
    unit: 'ms',
  });
  const seconds = Math.round(service.load.seconds);
  return {
    title: `Ingestion: 32 connections, 10 turns a request, ${seconds} s`,
    figures: [
      {
        figure: 'acknowledged and projected',
        measured: service.turnsPerSecond,
        unit: 'turns/s',
        target: { least: 6_000 },
        floor: floor.turnsPerSecond,
      },
      { figure: 'answer p50', ...latency(0.5) },
      { figure: 'answer p95', ...latency(0.95) },
      { figure: 'answer p99', ...latency(0.99), target: { most: 100 } },
      {
        figure: 'told to come back later',
        measured: service.load.refused,
        unit: 'requests',
        target: { most: 0 },
      },
      {
        figure: 'projections behind at the end',
        measured: figures.lagSeconds,
        unit: 's',
        target: { most: 2 },
        note: `${figures.lagEvents} events`,
      },
      {
        figure: 'enrichment drained after',
        measured: figures.drainSeconds,
        unit: 's',
        target: { most: 60 },
        note: `${figures.drainTurnsBehind} events behind at the end`,
      },
      ...cpuFigures(floor, service),
      {
        figure: 'other processes meanwhile',
        measured: service.others,
        unit: 'cores',
        floor: floor.others,
        note: 'no part of this',
      },
    ],
  };
};

export const stagesPart = (stages: readonly Stage[], ingestion: IngestionFigures): Part => {
  const unit = 'µs';
  const parts = stages.map(
    ({ name, microseconds }): Figure => ({ figure: name, measured: microseconds, unit }),
  );
  const floor = sum(Object.values(ingestion.floor.cpu)) - (ingestion.floor.cpu['load generator'] ?? 0);
  return {
    title: 'Where the microseconds of a turn go: CPU of each stage alone, 10,000 turns',
    figures: [
      ...parts,
      { figure: 'sum', measured: sum(stages.map(stage => stage.microseconds)), unit, floor },
    ],
  };
};

export const sealingPart = ({ sealing, ingestion, stages }: Stages): Part => {
  const whole = sum(stages.map(({ microseconds }) => microseconds));
  return {
    title: 'Sealing beside the ingestion that it is part of: CPU a turn, 10,000 turns, one thread',
    figures: [
      { figure: 'sealing: compression and cipher', measured: sealing, unit: 'µs' },
      { figure: 'ingestion: from parsing to the append', measured: ingestion, unit: 'µs' },
      { figure: 'ingestion: all stages, to the read models', measured: whole, unit: 'µs' },
      { figure: 'sealing, of the former', measured: (100 * sealing) / ingestion, unit: '%' },
      { figure: 'sealing, of all', measured: (100 * sealing) / whole, unit: '%', target: { most: 10 } },
    ],
  };
};
