/** What keeps a question from being asked, by the member of the call that a field is named after. */
export type Faults = Record<string, string>;

/** The members that have a field, and a place for its fault beside it. */
const FIELDS = new Set(['q', 'scope.user_id', 'scope.session_id', 'since', 'until', 'as_of', 'top_k']);

/** Whether the fields tell all that is wrong. */
export const tellAll = (faults: Faults): boolean => {
  const members = Object.keys(faults);
  return members.length > 0 && members.every(member => FIELDS.has(member));
};

const NO_DATE = 'This is no whole date. Complete it, or clear it.';

/** A browser gives an empty value for what it can't read, so a filter that is half typed would be left out unseen. */
const faultOf = ({ name, value, validity }: HTMLInputElement): string | undefined => {
  if (name === 'q') return value.trim() === '' ? 'A question is missing.' : undefined;
  if (validity.valid) return undefined;
  if (name === 'top_k') return 'Enter a whole number from 1 to 30, or nothing.';
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

/** Goes to the first field that has a fault, and opens what it is in. */
export const focusFirst = (form: HTMLFormElement, faults: Faults): void => {
  const field = [...form.querySelectorAll('input')].find(({ name }) => faults[name] !== undefined);
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
};
