/** The fields of a new fact and the call that they form. */
import type { SayBody } from '../../../../../schemas/http/curation.ts';

export interface FactForm {
  text: string;
  subject: string;
  attribute: string;
  value: string;
  /** A day, YYYY-MM-DD. */
  since: string;
  session: string;
}

export const firstFact: FactForm = {
  text: '',
  subject: '',
  attribute: '',
  value: '',
  since: '',
  session: '',
};

/** Returns the body without empty fields. An attribute is typed as people write it: `favourite colour`. */
export const bodyOfFact = (form: FactForm, scope: { org_id: string; user_id: string }): SayBody => {
  const attribute = form.attribute
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const [subject, value] = [form.subject.trim(), form.value.trim()];
  return {
    scope: { ...scope, ...(form.session === '' ? {} : { session_id: form.session }) },
    text: form.text.trim(),
    ...(subject === '' ? {} : { subject }),
    ...(attribute === '' ? {} : { attribute }),
    ...(value === '' ? {} : { value }),
    ...(form.since === '' ? {} : { valid_from: `${form.since}T00:00:00Z` }),
  };
};
