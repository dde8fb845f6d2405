/**
 * The service at full load, with one turn a request and with ten: its rate, how long its answers take, and
 * what a turn costs each thread. Alternates between this source tree and others.
 */
import { join } from 'node:path';
import { MAIN } from '../../test/support/processes/server.ts';
import type { Conversation } from './load/conversation.ts';
import { saturate } from './load/load.ts';
import { CONNECTIONS, newSessions } from './load/load-ingestion.ts';
import { type CpuSeconds, cpuSeconds, spent } from './load/process.ts';
import { startService } from './load/service.ts';
import type { Part } from './measure/figures-table.ts';
import { quantile } from './measure/quantile.ts';

const WARM_UP_SECONDS = 3;

/** The turns of a request, with what is to be reached. */
const LOADS = [
  { turns: 1, rate: 6_000, p99: 50 },
  { turns: 10, rate: 14_000, p99: 104 },
] as const;
type Load = (typeof LOADS)[number];

interface Run {
  turnsPerSecond: number;
  /** Milliseconds of each answer. */
  latencies: number[];
  /** Microseconds a turn, by thread. */
  cpu: CpuSeconds;
}

const measureOne = async (
  main: string,
  conversation: Conversation,
  { turns, seconds }: { turns: number; seconds: number },
): Promise<Run> => {
  const server = await startService({ main });
  try {
    const next = newSessions(conversation, server.token, { turns });
    const common = { url: server.url, connections: CONNECTIONS, next };
    await saturate({ ...common, seconds: WARM_UP_SECONDS });
    const before = cpuSeconds(server.pid);
    const load = await saturate({ ...common, seconds });
    const cpu = spent(before, cpuSeconds(server.pid));
    const count = load.latencies.length * turns;
    return {
      turnsPerSecond: count / load.seconds,
      latencies: load.latencies,
      cpu: Object.fromEntries(Object.entries(cpu).map(([thread, used]) => [thread, (used * 1e6) / count])),
    };
  } finally {
    await server.stop();
  }
};

const partOf = (name: string, { turns, rate, p99 }: Load, runs: readonly Run[]): Part => {
  const median = (of: (run: Run) => number): number => quantile(runs.map(of), 0.5);
  const each = (of: (run: Run) => number): string => runs.map(run => of(run).toFixed(0)).join(', ');
  const rateOf = ({ turnsPerSecond }: Run): number => turnsPerSecond;
  const ms =
    (share: number) =>
    (run: Run): number =>
      quantile(run.latencies, share);
  return {
    title: `Full load of ${name}, median of ${runs.length}: ${turns} a request`,
    figures: [
      {
        figure: 'rate',
        measured: median(rateOf),
        unit: 'turns/s',
        target: { least: rate },
        note: each(rateOf),
      },
      { figure: 'answer p50', measured: median(ms(0.5)), unit: 'ms' },
      {
        figure: 'answer p99',
        measured: median(ms(0.99)),
        unit: 'ms',
        target: { most: p99 },
        note: each(ms(0.99)),
      },
      ...Object.keys(runs[0]!.cpu).map(thread => ({
        figure: `CPU a turn: ${thread}`,
        measured: median(run => run.cpu[thread]!),
        unit: 'µs',
      })),
    ],
  };
};

/** @param beside source trees of other releases to compare with this one */
export const measureFullLoad = async (
  conversation: Conversation,
  asked: { seconds: number; runs: number; beside: readonly string[]; say: (line: string) => void },
): Promise<Part[]> => {
  const { seconds, runs, beside, say } = asked;
  const mains = [
    ...beside.map((tree): [string, string] => [tree, join(tree, 'services/main.ts')]),
    ['this', MAIN] as const,
  ];
  const parts: Part[] = [];
  for (const load of LOADS) {
    const of = new Map<string, Run[]>(mains.map(([name]) => [name, []]));
    for (let run = 1; run <= runs; run++)
      for (const [name, main] of run % 2 === 0 ? mains.toReversed() : mains) {
        say(`run ${run} of ${runs}, ${load.turns} a request: ${name}`);
        of.get(name)!.push(await measureOne(main, conversation, { turns: load.turns, seconds }));
      }
    parts.push(...[...of].map(([name, done]) => partOf(name, load, done)));
  }
  return parts;
};
