/** The generations of a projection in a registry: their states and the transitions between them. Pure. */
import { type Generational, PROJECTIONS } from '../projections/all.ts';
import type { Positions, WrongVersion } from './ports.ts';

/**
 * `building`: only a replay writes to it. `joined`: the projectors write to it too, but no batch waits for
 * it. `promoting`: reads go to it, or will in a moment, so every batch must be in it. `standby`: the
 * projectors write to it, but no batch waits for it. `dropped`: no longer written to, and to be removed.
 */
export type GenerationState = 'building' | 'joined' | 'promoting' | 'serving' | 'standby' | 'dropped';

export interface RegisteredGeneration {
  number: number;
  version: string;
  state: GenerationState;
  /**
   * Next offsets up to which it is complete, set when the projectors' positions do not apply: during its
   * build, or once it is frozen. Otherwise its store reports its progress, so that a generation that falls
   * behind is noticed.
   */
  positions?: Positions;
  /** Events read for it. */
  events?: number;
  /** The process that builds it and increments `beat` every few seconds while it is alive. */
  builder?: { owner: string; beat: number };
  /** The embedding model whose vectors are searched. The generation holds the vectors of every model. */
  model?: string;
  /** Why it was dropped. */
  reason?: string;
}

export interface Registered {
  generations: readonly RegisteredGeneration[];
  /** The highest number ever assigned. */
  last: number;
}

/** The generations that a projector writes to. */
export interface WriteTargets {
  /** A batch must be written to each of them. */
  required: readonly number[];
  /** Dropped, or handed back to their builder, when a write to them fails. */
  optional: readonly number[];
  /**
   * Projectors do not write to these: being built, frozen, or to be removed. Erasures are applied to them
   * too.
   */
  beside: readonly number[];
  /** The written generations whose stores must already hold everything before a batch. */
  marked: readonly number[];
}

const inState = ({ generations }: Registered, ...states: GenerationState[]): RegisteredGeneration[] =>
  generations.filter(({ state }) => states.includes(state));

export const servingOf = (registered: Registered): RegisteredGeneration | undefined =>
  inState(registered, 'serving')[0];
export const standbyOf = (registered: Registered): RegisteredGeneration | undefined =>
  inState(registered, 'standby')[0];
/** The generation that is being built or promoted. */
export const comingOf = (registered: Registered): RegisteredGeneration | undefined =>
  inState(registered, 'building', 'joined', 'promoting')[0];

/** Returns why this version must not be written; undefined when it may be. */
export const wrongVersion = (
  projection: Generational,
  registered: Registered | undefined,
  version: string,
): string | undefined => {
  const command = `run \`turnstone replay ${projection}\``;
  const { store } = PROJECTIONS[projection];
  if (!registered) return `the ${store} is not registered: run \`turnstone migrate\``;
  const other = inState(registered, 'serving', 'joined', 'promoting').find(one => one.version !== version);
  if (!other) return undefined;
  const mismatch = `is of version ${other.version}, this release writes ${version}`;
  if (other.state === 'serving') return `the ${store} ${mismatch}: ${command}`;
  return `the ${store} that is about to be served ${mismatch}: let its replay end, or ${command}`;
};

export const writeTargets = (
  projection: Generational,
  registered: Registered | undefined,
  version: string,
): WriteTargets | WrongVersion => {
  const fault = wrongVersion(projection, registered, version);
  if (fault !== undefined) return { kind: 'wrong version', reason: fault };
  const numbers = (...states: GenerationState[]): number[] =>
    inState(registered!, ...states).flatMap(one => (isFrozen(one) ? [] : [one.number]));
  const required = numbers('serving', 'promoting');
  const optional = numbers('joined', 'standby');
  const written = new Set([...required, ...optional]);
  const { generations } = registered!;
  const beside = generations.map(({ number }) => number).filter(number => !written.has(number));
  const marked = generations.flatMap(({ number, positions }) =>
    positions === undefined && written.has(number) ? [number] : [],
  );
  return { required, optional, beside, marked };
};

/** Whether it was kept as it last served, under another version. */
const isFrozen = ({ state, positions }: RegisteredGeneration): boolean =>
  state === 'standby' && positions !== undefined;

export const changed = (
  { generations, last }: Registered,
  number: number,
  change: (one: RegisteredGeneration) => RegisteredGeneration | undefined,
): Registered => ({
  last,
  generations: generations.flatMap(one => (one.number === number ? (change(one) ?? []) : one)),
});

/**
 * Returns the registry after a write to a generation failed permanently; undefined when every batch needs
 * that generation.
 */
export const withoutFailed = (
  registered: Registered,
  number: number,
  reason: string,
): Registered | undefined => {
  const failed = registered.generations.find(one => one.number === number);
  switch (failed?.state) {
    case 'standby':
      return changed(registered, number, one => ({ ...one, state: 'dropped', reason }));
    case 'joined':
      // The builder keeps what it built; events that projectors wrote beyond that are written again.
      return changed(registered, number, one => ({ ...one, state: 'building', reason }));
    case 'serving':
    case 'promoting':
      return undefined;
    default:
      return registered;
  }
};

/**
 * Switches reads to `number`. The serving generation becomes the standby, and the previous standby is to be
 * removed.
 */
export const promoted = (registered: Registered, number: number, frozenAt: Positions): Registered => {
  const version = registered.generations.find(one => one.number === number)!.version;
  return {
    last: registered.last,
    generations: registered.generations.map(one => {
      const model = one.model === undefined ? {} : { model: one.model };
      if (one.number === number) return { number, version, state: 'serving', ...model };
      if (one.state === 'standby') return { ...one, state: 'dropped', reason: 'replaced' };
      if (one.state !== 'serving') return one;
      return {
        number: one.number,
        version: one.version,
        state: 'standby',
        ...model,
        ...(one.version !== version && { positions: frozenAt }),
      };
    }),
  };
};

/**
 * Returns the registry in which the serving generation is searched by this model, unless it already has one:
 * it keeps its first model, so that no answer changes before a replay.
 */
export const withModel = (registered: Registered, model: string): Registered => {
  const serving = servingOf(registered);
  if (!serving || serving.model !== undefined) return registered;
  return changed(registered, serving.number, one => ({ ...one, model }));
};
