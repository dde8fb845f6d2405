/** An item that clients wrote, as the model has it. */
import type { Scope } from '../history/steps.ts';
import type { Retentions } from './retentions.ts';

export type Sure = 'no' | 'maybe' | 'yes';
/** A title is a session's, a name a user's. */
export type Kind = 'turn' | 'said' | 'title' | 'name';

/** From a call's begin to its end, in numbers that only grow. */
export interface During {
  from: number;
  to: number;
  /** The machine's clock when it began: Unix milliseconds. */
  since: number;
}

export interface Item {
  n: number;
  kind: Kind;
  scope: Scope;
  tokens: number;
  stored: Sure;
  hidden: Sure;
  /** Whether it was erased since it was last stored. */
  erased: Sure;
  /** Whether its tokens are in the sums; `maybe` is in the slack. */
  billed: Sure;
  /** Whether another title, or other names, took its place. */
  replaced: Sure;
  /** Whether a former one, of whose erasure nobody was told, may be shown beside it until all is at rest. */
  mayBeTwice: boolean;
  /** How often it was stored anew: each time it has another id. */
  life: number;
  /** The statement of which this is a correction, or a correction of one. */
  root: Item | undefined;
  /** The statement that it corrects itself; undefined where nobody was told. */
  corrects: Item | undefined;
  /** Unix milliseconds. */
  expiresAt: number | undefined;
  /** When it was recorded, at the earliest and at the latest: Unix milliseconds. */
  recorded: { from: number; to: number };
  /** Those of its organization, which decide where it has no expiry of its own. */
  retentions: Retentions;
  /** When the machine's clock has said `expired` at every look since, on the time that the machine runs. */
  expiredSince: number | undefined;
  isDestroyed: boolean;
  /** Whether it isn't known which of several writes has said when it expires. */
  isExpiryUnsure: boolean;
  writes: Write[];
}

export type Write = During & { expiresAt: number | undefined };

export const overlap = (one: Pick<During, 'from' | 'to'>, other: Pick<During, 'from' | 'to'>): boolean =>
  one.from <= other.to && other.from <= one.to;
