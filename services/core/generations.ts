/** The generations of a projection that has them registered: what each is for, and how that changes. Pure. */
import { type Generational, PROJECTIONS } from '../../projections/all.ts';
import { ServiceError } from './errors.ts';
import type { Positions } from './ports.ts';

/**
 * `building`: written by a replay alone. `joined`: by the projectors too; no batch waits for it. `promoting`: reads go to
 * it, or will in a moment, so every batch must be in it. `standby`: written by the projectors; no batch waits for it.
 * `dropped`: no longer written to, and to be removed.
 */
export type GenerationState = 'building' | 'joined' | 'promoting' | 'serving' | 'standby' | 'dropped';

export interface RegisteredGeneration {
  number: number;
  version: string;
  state: GenerationState;
  /** Next offsets up to which it is complete, where the projectors' do not apply: while it is built, or once it is frozen. */
  positions?: Positions;
  /** Events that were read for it. */
  events?: number;
  /** The process that builds it: it increments `beat` every few seconds for as long as it lives. */
  builder?: { owner: string; beat: number };
  /** Why it was dropped. */
  reason?: string;
}

export interface Registered {
  generations: readonly RegisteredGeneration[];
  /** The highest number ever assigned. */
  last: number;
}

/** What a projector writes to. */
export interface WriteTargets {
  /** A batch must be in each. */
  required: readonly number[];
  /** Dropped, or returned to their builder, when they fail. */
  optional: readonly number[];
  /** Not written by projectors: being built, frozen, or to be removed. Erasures are applied to them too. */
  beside: readonly number[];
}

/**
 * A projector must not write to a generation of another version: it waits, and reports the reason. Thrown rather than
 * returned, since for the write path it is an outage: nothing was written, and the batch is repeated until an operator
 * has acted. `unavailable` errors have one such path, through the stores and the consumer; only the report differs.
 */
export class WrongVersion extends ServiceError {
  constructor(message: string) {
    super('unavailable', message);
    this.name = 'WrongVersion';
  }
}

const inState = ({ generations }: Registered, ...states: GenerationState[]): RegisteredGeneration[] =>
  generations.filter(({ state }) => states.includes(state));

export const servingOf = (registered: Registered): RegisteredGeneration | undefined =>
  inState(registered, 'serving')[0];
export const standbyOf = (registered: Registered): RegisteredGeneration | undefined =>
  inState(registered, 'standby')[0];
/** On its way to serve. */
export const comingOf = (registered: Registered): RegisteredGeneration | undefined =>
  inState(registered, 'building', 'joined', 'promoting')[0];

/** Why nothing of this version may be written; undefined when it may. */
export const wrongVersion = (
  projection: Generational,
  registered: Registered | undefined,
  version: string,
): string | undefined => {
  const command = `run \`turnstone replay ${projection}\``;
  const { store } = PROJECTIONS[projection];
  if (!registered) return `the ${store} is of before its versions: run \`turnstone migrate\``;
  const other = inState(registered, 'serving', 'joined', 'promoting').find(one => one.version !== version);
  if (!other) return undefined;
  const mismatch = `is of version ${other.version}, this release writes ${version}`;
  if (other.state === 'serving') return `the ${store} ${mismatch}: ${command}`;
  return `the ${store} that is about to be served ${mismatch}: let its replay end, or ${command}`;
};

/** Throws `WrongVersion`. */
export const writeTargets = (
  projection: Generational,
  registered: Registered | undefined,
  version: string,
): WriteTargets => {
  const fault = wrongVersion(projection, registered, version);
  if (fault !== undefined) throw new WrongVersion(fault);
  const numbers = (...states: GenerationState[]): number[] =>
    inState(registered!, ...states).flatMap(one => (isFrozen(one) ? [] : [one.number]));
  const required = numbers('serving', 'promoting');
  const optional = numbers('joined', 'standby');
  const written = new Set([...required, ...optional]);
  const beside = registered!.generations.map(({ number }) => number).filter(number => !written.has(number));
  return { required, optional, beside };
};

/** Kept as it was when it last served, under a release of another version. */
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

/** After a write to it failed for good. Undefined: no batch may do without it. */
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
      // Its builder keeps what it built; what projectors wrote beyond that is written again.
      return changed(registered, number, one => ({ ...one, state: 'building', reason }));
    case 'serving':
    case 'promoting':
      return undefined;
    default:
      return registered;
  }
};

/** Reads go to `number`. The one that served becomes the standby, and the former standby is to be removed. */
export const promoted = (registered: Registered, number: number, frozenAt: Positions): Registered => {
  const version = registered.generations.find(one => one.number === number)!.version;
  return {
    last: registered.last,
    generations: registered.generations.map(one => {
      if (one.number === number) return { number, version, state: 'serving' };
      if (one.state === 'standby') return { ...one, state: 'dropped', reason: 'replaced' };
      if (one.state !== 'serving') return one;
      return {
        number: one.number,
        version: one.version,
        state: 'standby',
        ...(one.version !== version && { positions: frozenAt }),
      };
    }),
  };
};
