/** The messages of the calls `deadLetters.list`, `.show`, `.requeue` and `.discard`, in both modes. */

export const LETTER_STATES = ['open', 'requeued', 'discarded'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

/** Selects the letters that match all given filters. */
export interface LetterFilters {
  state?: string;
  step?: string;
  topic?: string;
}

export interface ListedLetter {
  /**
   * For example `turns/3/1042`, or `turns/3/1042/7` for one event of a record whose other events were
   * processed. A requeued copy that is set aside again has the position of its original.
   */
  position: string;
  topic: string;
  partition: number;
  offset: number;
  /** The event's index in its record; missing for a whole record. */
  index?: number;
  /** The step that failed, and why. */
  step: string;
  reason: string;
  state: LetterState;
  /** The size of the record's value. */
  bytes: number;
  /** From the envelope; null when it has none. */
  org: string | null;
  type: string | null;
  recorded_at: string | null;
}

/** The facts of an unreadable record that may be shown: never its data, which may be a person's words. */
export interface RecordFacts {
  /** The size of its value. */
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** The envelope's members around its data; null when the value is not a JSON object. */
  envelope: EnvelopeFacts | null;
}

/**
 * Members of an envelope. Each is present only when it has the expected format: anything else could hold a
 * person's words.
 */
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
  /** The record's own headers. */
  headers: Record<string, string>;
  /** Base64; present only on request, because it may hold people's words. */
  value?: string;
}

/** The outcome for each letter that `requeue` or `discard` processed. */
export type LetterOutcome =
  | { kind: 'requeued'; position: string; as: string }
  | { kind: 'discarded'; position: string }
  | { kind: 'refused'; position: string; reason: string };
