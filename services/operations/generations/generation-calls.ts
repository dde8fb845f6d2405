import { ServiceError } from '../../../core/errors.ts';
import type { OperatorCalls } from '../../../core/operator/calls.ts';
import {
  type GenerationChange,
  REPLAYED_NAMES,
  type ReplayedName,
  type ReplayMessage,
} from '../../../core/operator/replay-messages.ts';
import type { Generations } from '../../../core/ports/projection/generations.ts';
import { projectionsOf, replayOptionsOf } from './arguments.ts';
import { noStandby } from './conflicts.ts';
import { replayGeneration } from './replay-generation.ts';
import { untilEmbedded, type VectorsOfLog } from './until-embedded.ts';

/** Compares a projection with the log and repairs differences in place; with `dryRun` it only counts them. */
export type Repair = (options: { dryRun: boolean }, signal: AbortSignal) => AsyncIterable<ReplayMessage>;

/** Generations and how to replay them, for an operator's calls. */
export interface Replayed {
  generations: Generations;
  /** Set when the engine runs replays itself: follows one. Without it, `replayGeneration` runs them. */
  replay?: (options: { throttle: number | undefined }, signal: AbortSignal) => AsyncIterable<ReplayMessage>;
}

/** How each projection is replayed. Projections that share generations have the same `Replayed`. */
export type Kept = Readonly<Record<ReplayedName, Replayed | Repair>>;

const isReplayed = (one: Replayed | Repair): one is Replayed => typeof one !== 'function';

export type GenerationCalls = OperatorCalls<'generations' | 'replay' | 'rollback' | 'retire'>;

/** `generations`, `replay`, `rollback` and `retire`, over the engines of either mode. */
export const makeGenerationCalls = (kept: Kept, vectors?: VectorsOfLog): GenerationCalls => {
  const selected = (names: readonly ReplayedName[]): (Replayed | Repair)[] => [
    ...new Set(names.map(name => kept[name])),
  ];
  /** The generations of the named projections. Throws `invalid` when none has generations. */
  const generationsOf = (args: Record<string, unknown>): Generations[] => {
    const found = selected(projectionsOf(args)).filter(isReplayed);
    if (found.length > 0) return found.map(({ generations }) => generations);
    throw new ServiceError('invalid', `${String(args.projection)} has no generations: replay it.`);
  };

  const replay = async function* (
    { generations, replay }: Replayed,
    throttle: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ReplayMessage> {
    // The new generation serves the configured model: a turn without its vector would be ranked without it.
    if (vectors && generations.projection !== 'usage') yield* untilEmbedded(vectors, signal);
    if (signal.aborted) return;
    yield* replay?.({ throttle }, signal) ?? replayGeneration(generations, { throttle }, signal);
  };

  const rollback = async function* (
    generations: Generations,
    signal: AbortSignal,
  ): AsyncGenerator<ReplayMessage | GenerationChange> {
    const { projection } = generations;
    const result = await generations.rollback();
    if (result === 'no standby') throw noStandby(projection);
    if (result !== 'behind') {
      yield { kind: 'rolled back', projection, ...result };
      return;
    }
    for await (const message of replayGeneration(generations, { throttle: undefined }, signal)) {
      if (message.kind !== 'promoted') yield message;
      else yield { kind: 'rolled back', projection, serving: message.generation, standby: message.standby };
    }
  };

  return {
    generations: async function* () {
      for (const { generations } of selected(REPLAYED_NAMES).filter(isReplayed))
        yield* await generations.list();
    },
    replay: async function* (args, signal) {
      const { throttle, dryRun } = replayOptionsOf(args);
      for (const one of selected(projectionsOf(args))) {
        if (signal.aborted) return;
        if (!isReplayed(one)) yield* one({ dryRun }, signal);
        else if (dryRun)
          yield { kind: 'plan', ...(await one.generations.plan(signal)), dryRun } satisfies ReplayMessage;
        else yield* replay(one, throttle, signal);
      }
    },
    rollback: async function* (args, signal) {
      const named = generationsOf(args);
      // All or none: projections that are named together are rolled back together.
      for (const { projection, list } of named)
        if (!(await list()).some(({ state }) => state === 'standby')) throw noStandby(projection);
      for (const generations of named) {
        if (signal.aborted) return;
        yield* rollback(generations, signal);
      }
    },
    retire: async function* (args) {
      const named = generationsOf(args);
      let count = 0;
      for (const { projection, retire } of named) {
        for (const generation of await retire()) {
          count++;
          yield { kind: 'retired', projection, generation } satisfies GenerationChange;
        }
      }
      if (count === 0) throw noStandby(named.length === 1 ? named[0]!.projection : 'all');
    },
  };
};
