/** One attribute of one subject, as one observation says it. */
export interface SaidFact {
  /** Whose: the label of the person or thing, as the observation's text names it. */
  subject: string;
  /** snake_case: from the table of attributes, or any other. */
  attribute: string;
  /** The attribute's value: "Porto". Empty only when `ended` and the sentence doesn't say what ended. */
  value: string;
  /** From when it holds: RFC 3339, UTC, milliseconds. Undefined: since the turn's time. */
  valid_from?: string;
  /** It no longer holds (a denial or an end). */
  ended?: true;
  about?: string;
  stance?: 'holds' | 'changed' | 'plan' | 'was';
  certainty?: number;
  adds?: true;
}

/** An observation: a sentence and, where there is one, what it says. */
export interface SaidObservation {
  text: string;
  fact?: SaidFact | undefined;
}

/** Characters of a client's observation. */
export const OBSERVATION_LENGTH = 4_096;
export const FACT_LIMITS = { subject: 256, attribute: 64, value: 1_024 } as const;

const string = { type: 'string' } as const;

/** The schema of a fact in an event. */
export const saidFactSchema = {
  type: 'object',
  required: ['subject', 'attribute', 'value'],
  properties: {
    subject: string,
    attribute: string,
    value: string,
    valid_from: {
      type: 'string',
      pattern: '^-?\\d{4,6}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    },
    ended: { const: true },
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
