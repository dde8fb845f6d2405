/** The variables that bound what callers may create without being billed, and screen what they send. */
import { oneOf, variable, wholeNumber } from './config-values.ts';
import { SCREENS } from './screening.ts';

const perDay = wholeNumber(0, 10_000_000);

export const CALLERS = {
  screen: variable(
    'TURNSTONE_SCREEN',
    'off',
    oneOf(...SCREENS),
    'of organizations that have not set it: `secrets` replaces keys, tokens, passwords and numbers of cards before anything is stored',
  ),
  /** Whether webhooks may reach the operator's own network. */
  webhooksPrivate: variable(
    'TURNSTONE_WEBHOOKS_PRIVATE',
    'no',
    oneOf('yes', 'no'),
    'whether webhooks may be sent to private, loopback and link-local addresses, and by http: whoever makes one can then call what this process can reach',
  ),
  /** Limits on the accounts that callers may create. */
  accounts: {
    organizations: variable(
      'TURNSTONE_ORGANIZATIONS',
      '10000',
      wholeNumber(0, 1_000_000_000),
      'where sign-ups end (operators may make more); 0: no cap',
    ),
    unusedDays: variable(
      'TURNSTONE_UNUSED_ORGANIZATION_DAYS',
      '30',
      wholeNumber(0, 36_500),
      'after which an organization that signed up by itself, and has written nothing, is removed; 0: never',
    ),
    keysPerOrganization: variable(
      'TURNSTONE_KEYS_PER_ORGANIZATION',
      '1000',
      wholeNumber(0, 1_000_000),
      'live API keys of an organization, and keys that it makes a day; 0: no cap',
    ),
    refreshesPerDay: variable(
      'TURNSTONE_REFRESHES_PER_DAY',
      '5000',
      wholeNumber(0, 10_000_000),
      'token refreshes of an organization; 0: no cap',
    ),
  },
  /** The appends of a day that an organization isn't billed for; it may have its own (`orgs set-limits`). */
  budgets: {
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
    erasures: variable(
      'TURNSTONE_ERASURES_PER_DAY',
      '1000',
      perDay,
      'erasures of an organization; 0: no cap',
    ),
  },
};
