/** Figures of CPU per turn: medians of the runs, beside the targets of one record per write. */
import type { CpuFigures, CpuRun } from './cpu.ts';
import type { Figure, Part } from './figures-table.ts';
import { quantile } from './quantile.ts';

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const median = (runs: readonly CpuRun[], of: (run: CpuRun) => number): number => quantile(runs.map(of), 0.5);

/** Excludes the enricher, which runs at the same time. */
const untilSearchable = ({ searchable: { enricher = 0, ...threads } }: CpuRun): number =>
  sum(Object.values(threads));
const untilEnriched = ({ enriched }: CpuRun): number => sum(Object.values(enriched));

const partOf = (name: string, runs: readonly CpuRun[], floor: readonly CpuRun[]): Part => {
  const unit = 'µs';
  const each = (of: (run: CpuRun) => number): string => runs.map(run => of(run).toFixed(0)).join(', ');
  const threads = (stage: 'searchable' | 'enriched'): Figure[] =>
    Object.keys(runs[0]![stage]).map(thread => ({
      figure: `${stage}: ${thread}`,
      measured: median(runs, run => run[stage][thread]!),
      unit,
      floor: stage === 'searchable' ? median(floor, run => run.searchable[thread] ?? 0) : undefined,
    }));
  return {
    title: `CPU a turn of ${name}, median of ${runs.length}: 10 turns a request`,
    figures: [
      {
        figure: 'until it is searchable',
        measured: median(runs, untilSearchable),
        unit,
        target: { most: 110 },
        floor: median(floor, untilSearchable),
        note: each(untilSearchable),
      },
      {
        figure: 'until it is enriched',
        measured: median(runs, untilEnriched),
        unit,
        target: { most: 180 },
        note: each(untilEnriched),
      },
      ...threads('searchable'),
      ...threads('enriched'),
      { figure: 'the log a turn', measured: median(runs, run => run.logBytes), unit: 'bytes' },
      {
        figure: 'the data folder a turn',
        measured: median(runs, run => run.folderBytes),
        unit: 'bytes',
        target: { most: 5_000 },
      },
    ],
  };
};

export const cpuParts = ({ floor, services }: CpuFigures): Part[] =>
  [...services].map(([name, runs]) => partOf(name, runs, floor));
