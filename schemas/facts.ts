/** One attribute of one subject, as an observation says it. */
export interface SaidFact {
  /** Whose: the label of the person or thing, as the observation's text names it. */
  subject: string;
  /** snake_case: from the table of attributes, or any other. */
  attribute: string;
  /** What it is: "Porto". Empty only when `ended` and the sentence doesn't say what ended. */
  value: string;
  /** From when it holds: RFC 3339, UTC, milliseconds. Undefined: since the turn's time. */
  valid_from?: string;
  /** It no longer holds (a denial or an end). */
  ended?: true;
}
