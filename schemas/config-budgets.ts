import { variable, wholeNumber } from './config-values.ts';

const perDay = wholeNumber(0, 10_000_000);

/** The appends of a day that an organization isn't billed for; it may have its own (`orgs set-limits`). */
export const BUDGETS = {
  names: variable(
    'TURNSTONE_NAMES_PER_DAY',
    '1000',
    perDay,
    'titles, names and corrections of entities of an organization, one for each 4 KiB; 0: no cap',
  ),
  retractions: variable(
    'TURNSTONE_RETRACTIONS_PER_DAY',
    '10000',
    perDay,
    'turns and observations that an organization hides; 0: no cap',
  ),
  erasures: variable('TURNSTONE_ERASURES_PER_DAY', '1000', perDay, 'erasures of an organization; 0: no cap'),
};
