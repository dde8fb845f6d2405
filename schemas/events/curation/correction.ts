/**
 * Corrections of names, in the topic `turns`, sealed, since names are people's words. They add to what was
 * said and change none of it: what they mean is decided when names are read (names.ts). Their ids are random:
 * the same correction may come again after another one.
 */

/**
 * `entity.corrected`: what somebody says of the names in one user's partition. It belongs to no session: its
 * key is the user's, and only the user's erasure destroys it. Entities are named by their labels, from which
 * their ids follow in every organization.
 */
export interface EntityCorrected {
  user_id: string;
  entity: string;
  /** Shown from now on. */
  label: string | null;
  /** The entity that it is, under whose name both are listed. */
  merge_into: string | null;
  /** Names of the entity that are somebody else's. */
  split: string[];
  /** All other names that the entity had at that moment, itself among them. */
  names: string[];
  /** All names that the entity had which it was merged into. */
  into_names: string[];
  /**
   * Sessions in which `names` are somebody else, who is called by the one label in `split`. Absent: all are
   * told apart by name alone.
   */
  sessions?: string[];
  /** The user's own names, in place of those set before; the first is shown. Said alone. */
  me?: string[];
}

/** `session.titled`: under the session's own key. */
export interface SessionTitled {
  user_id: string;
  session_id: string;
  /** null: none any more. */
  title: string | null;
}

/**
 * Stands for the session of what belongs to all of a user's: no session that anybody names has an empty name.
 */
export const NO_SESSION = '';

const string = { type: 'string' } as const;
const stringOrNull = { type: ['string', 'null'] } as const;
const strings = { type: 'array', items: string } as const;

export const entityCorrectedSchema = {
  type: 'object',
  required: ['user_id', 'entity', 'label', 'merge_into', 'split', 'names', 'into_names'],
  properties: {
    user_id: string,
    entity: string,
    label: stringOrNull,
    merge_into: stringOrNull,
    split: strings,
    names: strings,
    into_names: strings,
    me: strings,
    sessions: strings,
  },
} as const;

export const sessionTitledSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'title'],
  properties: { user_id: string, session_id: string, title: stringOrNull },
} as const;
