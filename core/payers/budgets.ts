/** The numbers of what an organization may append a day without being billed for it; 0: any number. */
export interface Budgets {
  /** Titles of sessions, names of users and corrections of entities, one for each 4 KiB begun. */
  names: number;
  /** Turns and observations that are hidden. */
  retractions: number;
  /** Calls that erase. */
  erasures: number;
}

export type BudgetName = keyof Budgets;

/** The names in the order in which they are shown. */
export const BUDGETS: readonly BudgetName[] = ['names', 'retractions', 'erasures'];

export const NO_BUDGETS: Budgets = { names: 0, retractions: 0, erasures: 0 };

/** A number of appends a day, which is taken from a bucket of this name. */
export interface Budget {
  /** The bucket's kind and owner. */
  name: string;
  /** 0: any number. */
  perDay: number;
  /** The plural, for the refusal. */
  what: string;
  /** One is taken for each of these begun; undefined: one an append, whatever its size. */
  unitBytes?: number | undefined;
  /** How an operator raises it, for the refusal. */
  raisedWith?: string | undefined;
}

/** A title has less, the largest correction of names 100 KiB. */
const NAME_BYTES = 4 * 1024;

const WHAT: Record<BudgetName, string> = {
  names: 'titles and names of an organization',
  retractions: 'retractions of an organization',
  erasures: 'erasures of an organization',
};

/** Judgements of an organization a day: more than people give, and too few to fill a disk. */
const JUDGEMENTS = 10_000;

/** The budget of what an organization says of its recalls, the same for all. */
export const feedbackBudget = (org: string): Budget => ({
  name: `feedback ${org}`,
  perDay: JUDGEMENTS,
  what: 'judgements of recalls of an organization',
});

/** The budget of an organization. */
export const budgetOf = (org: string, name: BudgetName, budgets: Budgets): Budget => ({
  name: `${name} ${org}`,
  perDay: budgets[name],
  what: WHAT[name],
  ...(name === 'names' && { unitBytes: NAME_BYTES }),
  raisedWith: `turnstone orgs set-limits ORG --${name} N`,
});
