/** What the calls `deadLetters.list`, `.show`, `.requeue` and `.discard` say, in both modes. */

export const LETTER_STATES = ['open', 'requeued', 'discarded'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

export interface ListedLetter {
  /** `turns/3/1042`: copies that were requeued and set aside again go by the place that they should have taken. */
  position: string;
  topic: string;
  partition: number;
  offset: number;
  /** That could not go on with it, and why. */
  step: string;
  reason: string;
  state: LetterState;
  /** Of the record's value. */
  bytes: number;
  /** As far as an envelope tells. */
  org: string | null;
  type: string | null;
  recorded_at: string | null;
}

/** What may be told of a record that nobody could read: never its data, which may be somebody's words. */
export interface RecordFacts {
  /** Of its value. */
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** What an envelope says around its data; null: the value is no JSON object. */
  envelope: EnvelopeFacts | null;
}

/** A member is there when it has the form that ours have: anything else could hold words. */
export interface EnvelopeFacts {
  id?: string;
  type?: string;
  version?: number;
  org_id?: string;
  recorded_at?: string;
  correlation_id?: string;
  key_id?: string | null;
  data: 'sealed' | 'plain' | 'missing';
}

export interface ShownLetter extends ListedLetter, RecordFacts {
  /** The record's own. */
  headers: Record<string, string>;
  /** Base64, where it was asked for: it may hold people's words. */
  value?: string;
}

/** Of each letter that `requeue` or `discard` came to. */
export type LetterOutcome =
  | { kind: 'requeued'; position: string; as: string }
  | { kind: 'discarded'; position: string }
  | { kind: 'refused'; position: string; reason: string };
