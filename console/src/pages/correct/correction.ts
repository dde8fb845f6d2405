/** Builds the body of a correction: only changed fields, so that the service rewords the rest. */
import type { CorrectBody } from '../../../../schemas/http/curation.ts';

/** An observation, which may state a fact. */
export interface Correctable {
  id: string;
  text: string;
  attribute?: string;
  value?: string;
  /** RFC 3339. */
  valid_from?: string | null;
}

export interface CorrectionForm {
  value: string;
  text: string;
  /** A day, YYYY-MM-DD. */
  since: string;
}

export const formOf = ({ value = '', text, valid_from }: Correctable): CorrectionForm => ({
  value,
  text,
  since: valid_from?.slice(0, 10) ?? '',
});

/** Returns the changed fields; undefined if nothing was changed. An emptied field counts as unchanged. */
export const correctionOf = (said: Correctable, form: CorrectionForm): CorrectBody | undefined => {
  const before = formOf(said);
  const isNew = (name: keyof CorrectionForm): boolean =>
    form[name].trim() !== '' && form[name].trim() !== before[name].trim();
  const body: CorrectBody = {
    ...(isNew('value') && { value: form.value.trim() }),
    ...(isNew('text') && { text: form.text.trim() }),
    ...(isNew('since') && { valid_from: `${form.since}T00:00:00Z` }),
  };
  return Object.keys(body).length > 0 ? body : undefined;
};
