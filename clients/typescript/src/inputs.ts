/** Arguments that are stored: turns, facts and corrections. */

/** A `Date`, or RFC 3339 such as `2026-01-05T09:30:00Z`. */
export type Instant = Date | string;

/**
 * A turn to store. Its words are `text`; or it is a message as chat APIs have it, with `content` or `parts`,
 * of which the words are stored. One without words, such as a call of a tool or a picture, is passed over.
 */
export type TurnInput = SaidInput &
  (
    | { text: string; content?: undefined; parts?: undefined }
    | {
        content?: string | readonly MessagePart[] | null | undefined;
        parts?: readonly MessagePart[] | undefined;
        text?: undefined;
      }
  );

/** A part of a message: its words, where its type is one of those that have some. */
export interface MessagePart {
  type?: string | undefined;
  text?: string | undefined;
  /** The answer of a tool, in a part of the type `tool_result`: stored with the role `tool`. */
  content?: unknown;
}

interface SaidInput {
  /** The speaker: `user`, `assistant`, or a name. */
  role: string;
  /** When it was said. Default: now. A turn of the same role, text and instant is not stored twice. */
  timestamp?: Instant | undefined;
  /** Facts that you already know about this turn; they can be recalled as soon as the turn can. */
  observations?: (string | ObservationInput)[] | undefined;
}

/** A sentence and, with `attribute`, the fact that it says. */
export interface ObservationInput {
  text: string;
  /** Whose attribute it is: the name of a person or thing. Default: who spoke. */
  subject?: string | undefined;
  /** snake_case, such as `home`, `employer`, `allergy`; docs/reference/attributes.md has the table. */
  attribute?: string | undefined;
  /** The object that the attribute is of, where it has one: a budget about a laptop. */
  about?: string | undefined;
  /** The attribute's value. Required with `attribute`, unless it has ended. */
  value?: string | undefined;
  /** From when it holds. Default: nothing is said of it. */
  validFrom?: Instant | undefined;
  /** How it was said. Default: `plan` if `validFrom` is later, else `changed` if it ended, else `holds`. */
  stance?: 'holds' | 'changed' | 'plan' | 'was' | undefined;
  /** True: it no longer holds. Without a value: whatever held. */
  ended?: boolean | undefined;
}

/** The corrected members of an observation. Members that are left out stay. */
export interface Correction {
  /** Default: the old text with the corrected value and subject in it. */
  text?: string | undefined;
  subject?: string | undefined;
  attribute?: string | undefined;
  about?: string | undefined;
  value?: string | undefined;
  stance?: ObservationInput['stance'];
  validFrom?: Instant | undefined;
}

/** A correction of an entity's names. Give at least one member; `mergeInto` and `split` not together. */
export interface EntityCorrection {
  /** Shown from now on, wherever the entity is. */
  label?: string | undefined;
  /** The id of the entity that it is: both are listed under that one. */
  mergeInto?: string | undefined;
  /**
   * Ids of names of the entity, its aliases, that are somebody else's; or sessions in which its name is
   * another person's.
   */
  split?: readonly string[] | readonly SessionSplit[] | undefined;
}

/** A session in which a name is somebody else's. */
export interface SessionSplit {
  session: string;
  /** The other one's label. Default: the label with the session. */
  label?: string | undefined;
}
