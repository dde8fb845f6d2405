/**
 * How a fact was said: as holding ("I live in Lyon"), as news ("I moved to Porto"), as a plan ("I'm moving in
 * May"), or as over ("I used to live in Bath").
 */
export const STANCES = ['holds', 'changed', 'plan', 'was'] as const;
export type Stance = (typeof STANCES)[number];

/** One attribute of one subject, as one observation says it. */
export interface SaidFact {
  /** Whose: the label of the person or thing, as the observation's text names it. */
  subject: string;
  /** snake_case: from the table of attributes, or any other. */
  attribute: string;
  /** The object that the attribute is of, where it has one: a `budget` about "laptop". */
  about?: string;
  /** The attribute's value: "Porto". Empty only when `ended` and the sentence doesn't say what ended. */
  value: string;
  /** From when it holds: RFC 3339, UTC, milliseconds. Undefined: nothing is said of it. */
  valid_from?: string;
  /** Until when it holds, where that was said: "at Mum's until June". */
  valid_until?: string;
  /** It no longer holds (a denial or an end). */
  ended?: true;
  /** Undefined: `plan` if it begins after its turn, else `changed` if it ended, else `holds`. */
  stance?: Stance;
  /** From 0 to 1. Undefined: 1. */
  certainty?: number;
  /** It was said to hold beside others: "I also work at Globex". */
  adds?: true;
}

/** An observation: a sentence and, where there is one, what it says. */
export interface SaidObservation {
  text: string;
  fact?: SaidFact | undefined;
}

/** Characters of a client's observation. */
export const OBSERVATION_LENGTH = 4_096;
export const FACT_LIMITS = { subject: 256, attribute: 64, about: 256, value: 1_024 } as const;

const string = { type: 'string' } as const;
const moment = {
  type: 'string',
  pattern: '^-?\\d{4,6}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
} as const;

/** The schema of a fact in an event. */
export const saidFactSchema = {
  type: 'object',
  required: ['subject', 'attribute', 'value'],
  properties: {
    subject: string,
    attribute: string,
    value: string,
    about: string,
    valid_from: moment,
    valid_until: moment,
    ended: { const: true },
    stance: { enum: STANCES },
    certainty: { type: 'number', minimum: 0, maximum: 1 },
    adds: { const: true },
  },
} as const;

/** The facts of observations, by their index; undefined where there is none at all. */
export type FactsByIndex = Record<string, SaidFact>;

export const factsByIndexSchema = {
  type: 'object',
  patternProperties: { '^\\d+$': saidFactSchema },
} as const;

export const textsOf = (observations: readonly SaidObservation[]): string[] =>
  observations.map(({ text }) => text);

/** Undefined where no observation has a fact: most have none, and then the record is as it was. */
export const factsOf = (observations: readonly SaidObservation[]): FactsByIndex | undefined => {
  const facts = observations.flatMap(({ fact }, i) => (fact ? [[String(i), fact] as const] : []));
  return facts.length > 0 ? Object.fromEntries(facts) : undefined;
};

/** The inverse of `textsOf` and `factsOf`. */
export const observationsOf = (texts: readonly string[], facts: FactsByIndex = {}): SaidObservation[] =>
  texts.map((text, i) => (facts[i] ? { text, fact: facts[i] } : { text }));
