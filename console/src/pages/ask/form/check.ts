/** The faults of a question, by member of the call; the fields have the members' names. */
export type Faults = Record<string, string>;

/** The members with a field, beside which a fault can be shown. */
const FIELDS = new Set(['q', 'scope.user_id', 'scope.session_id', 'since', 'until', 'as_of', 'top_k']);

/** Whether all faults are shown beside fields. */
export const tellAll = (faults: Faults): boolean => {
  const members = Object.keys(faults);
  return members.length > 0 && members.every(member => FIELDS.has(member));
};

const NO_DATE = 'This date is incomplete. Complete it or clear it.';

/**
 * Returns a field's fault. Browsers report an unparsable value as empty, so a half-typed filter would be
 * dropped silently.
 */
const faultOf = ({ name, value, validity }: HTMLInputElement): string | undefined => {
  if (name === 'q') return value.trim() === '' ? 'Enter a question.' : undefined;
  if (validity.valid) return undefined;
  if (name === 'top_k') return 'Enter a whole number from 1 to 30, or leave it empty.';
  if (validity.badInput) return NO_DATE;
  return name === 'until' && validity.rangeUnderflow ? 'This is before “Said from”.' : undefined;
};

export const checkForm = (form: HTMLFormElement): Faults =>
  Object.fromEntries(
    [...form.querySelectorAll('input')].flatMap(input => {
      const fault = faultOf(input);
      return fault === undefined ? [] : [[input.name, fault]];
    }),
  );

/** Focuses the first field with a fault and opens the section that contains it. */
export const focusFirst = (form: HTMLFormElement, faults: Faults): void => {
  const field = [...form.querySelectorAll('input')].find(({ name }) => faults[name] !== undefined);
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
};
