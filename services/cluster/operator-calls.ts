import {
  changed,
  comingOf,
  type Registered,
  type RegisteredGeneration,
  servingOf,
  standbyOf,
} from '../../infra/cluster/generations/generations.ts';
import { ServiceError } from '../core/errors.ts';
import type { OperatorCalls } from '../core/ports/operator-calls.ts';
import {
  type Generation,
  type GenerationChange,
  PROJECTIONS,
  type ProjectionName,
  type ReplayMessage,
} from '../operations/operator/generations.ts';
import {
  eventsBetween,
  ofTopics,
  type Replayed,
  removeDropped,
  replayGeneration,
  serve,
} from './replay/replay-generation.ts';

interface ReplayPorts {
  // biome-ignore lint/suspicious/noExplicitAny: each has rows of its own, which nobody here looks at
  generational: Readonly<Record<'recall' | 'usage', Replayed<any, any>>>;
  /** Those that are put right where they are. */
  mend: Readonly<Record<'accounts' | 'admission', Mend>>;
}

/** Compares with the log and puts right what differs; with `dryRun` it counts alone. */
export type Mend = (options: { dryRun: boolean }, signal: AbortSignal) => AsyncIterable<ReplayMessage>;

const isGenerational = (name: ProjectionName): name is 'recall' | 'usage' =>
  name === 'recall' || name === 'usage';

const invalid = (message: string): ServiceError => new ServiceError('invalid', message);

/** The projections that an operator named. */
const namesOf = ({ projection = 'all' }: Record<string, unknown>): readonly ProjectionName[] => {
  const names = projection === 'all' ? PROJECTIONS : PROJECTIONS.filter(name => name === projection);
  if (names.length === 0) throw invalid(`There is no projection ${String(projection)}.`);
  return names;
};

const throttleOf = ({ throttle }: Record<string, unknown>): number | undefined => {
  if (throttle === undefined || throttle === null) return undefined;
  if (typeof throttle !== 'number' || !(throttle > 0))
    throw invalid('The throttle is events a second, above 0.');
  return throttle;
};

export const makeOperatorCalls = ({ generational, mend }: ReplayPorts): OperatorCalls => {
  const listed = async (projection: 'recall' | 'usage'): Promise<Generation[]> => {
    const { registry, engine, log, committed, topics } = generational[projection];
    const registered = await registry.read(projection);
    const [ends, projected] = [ofTopics(await log.ends(), topics), await committed()];
    const tell = async (one: RegisteredGeneration): Promise<Generation> => {
      const { number, version, state } = one;
      const isComing = state === 'joined' || state === 'promoting';
      return {
        projection,
        number,
        version,
        state: isComing ? 'building' : state,
        behind: eventsBetween(one.positions ?? projected, ends),
        bytes: await engine.bytes(number),
      };
    };
    return Promise.all((registered?.generations ?? []).map(tell));
  };

  const rollback = async function* (
    projection: 'recall' | 'usage',
    signal: AbortSignal,
  ): AsyncGenerator<ReplayMessage> {
    const replayed = generational[projection];
    const { registry, version } = replayed;
    const started = performance.now();
    let back: RegisteredGeneration | undefined;
    let isFrozen = false;
    await registry.change(projection, registered => {
      back = standbyOf(registered);
      if (!back)
        throw new ServiceError('not_found', `There is no generation of ${projection} to go back to.`);
      if (back.version !== version)
        throw new ServiceError(
          'conflict',
          `Generation ${back.number} is of version ${back.version}: the release that writes it can go back to it.`,
        );
      isFrozen = back.positions !== undefined;
      assertNoneIsComing(projection, registered, isFrozen);
      return changed(registered, back.number, one => ({
        ...one,
        state: isFrozen ? 'building' : 'promoting',
      }));
    });
    // Nobody wrote to it since another version is served: what it lacks is read of the log first.
    if (isFrozen) return yield* replayGeneration(replayed, {}, signal);
    const standby = await serve(replayed, back!.number);
    const seconds = (performance.now() - started) / 1_000;
    yield { kind: 'promoted', generation: back!.number, standby, seconds };
  };

  const retire = async function* (projection: 'recall' | 'usage'): AsyncGenerator<GenerationChange> {
    const replayed = generational[projection];
    await replayed.registry.change(projection, registered => {
      const standby = standbyOf(registered);
      return standby
        ? changed(registered, standby.number, one => ({ ...one, state: 'dropped', reason: 'retired' }))
        : registered;
    });
    for (const generation of await removeDropped(replayed)) yield { kind: 'retired', projection, generation };
  };

  return {
    generations: async function* () {
      for (const projection of ['recall', 'usage'] as const) yield* await listed(projection);
    },
    replay: async function* (args, signal) {
      const options = { throttle: throttleOf(args), dryRun: args.dryRun === true };
      for (const name of namesOf(args)) {
        signal.throwIfAborted();
        if (isGenerational(name)) yield* replayGeneration(generational[name], options, signal);
        else yield* mend[name](options, signal);
      }
    },
    rollback: async function* (args, signal) {
      const names = namesOf(args).filter(isGenerational);
      if (names.length === 0) throw invalid('Accounts and admission have one generation: replay them.');
      for (const name of names) yield* rollback(name, signal);
    },
    retire: async function* (args) {
      for (const name of namesOf(args).filter(isGenerational)) yield* retire(name);
    },
  };
};

/** Of two that are to be served soon one would be forgotten. */
const assertNoneIsComing = (projection: string, registered: Registered, needsBuilding: boolean): void => {
  const coming = comingOf(registered);
  if (coming && (needsBuilding || coming.state === 'promoting'))
    throw new ServiceError(
      'conflict',
      `Generation ${coming.number} of ${projection} is on its way: replay or wait.`,
    );
  if (!servingOf(registered)) throw new ServiceError('conflict', `No generation of ${projection} is served.`);
};
