import type { Dated } from './dated-facts.ts';
import { denial, mayEnd, type Placed } from './placed.ts';

const isPlan = ({ said: { fact } }: Placed): boolean => fact.stance === 'plan';

/** An end that is planned has no beginning, or none yet: it takes back what was planned. */
const takesBack = (one: Placed): boolean => denial(one) !== undefined && !isPlan(one);
/** "I'm not leaving after all" is news, and takes back a planned end; "I work there" is none. */
const isKept = ({ said: { fact } }: Placed): boolean => fact.stance === 'changed' && !fact.ended;
/** Whether what one fact says happened after another was told. */
const isLater = ({ said: { fact } }: Placed, { said }: Placed): boolean =>
  fact.validFrom === undefined || fact.validFrom > said.timestamp;

/**
 * Returns what cancelled plans before they began, by their ids: a plan for the same that a later turn tells,
 * a later denial or, of an end, later news that the value goes on.
 *
 * @param facts of one key
 */
export const cancelledPlans = <T extends Dated>(facts: readonly Placed<T>[]): Map<string, Placed<T>> => {
  const cancelled = new Map<string, Placed<T>>();
  if (!facts.some(isPlan)) return cancelled;
  const told = facts
    .filter(one => isPlan(one) || takesBack(one) || isKept(one))
    .sort((a, b) => a.said.timestamp - b.said.timestamp || a.stands - b.stands);
  /** Plans that have not begun, by their slot. */
  const waiting = new Map<string, Placed<T>[]>();
  const cancel = (key: string, by: Placed<T>, isMeant: (plan: Placed<T>) => boolean): void => {
    const kept = (waiting.get(key) ?? [])
      // A plan that began by now is no plan any more.
      .filter(({ stands }) => stands > by.said.timestamp)
      .filter(plan => {
        if (!isMeant(plan) || !mayEnd(by, plan)) return true;
        cancelled.set(plan.said.id, by);
        return false;
      });
    waiting.set(key, kept);
  };
  for (const one of told) {
    const key = keyOf(one);
    if (isPlan(one)) {
      cancel(key, one, ({ said }) => said.sourceTurnId !== one.said.sourceTurnId);
      waiting.get(key)!.push(one);
    } else if (isKept(one)) {
      cancel(`end ${one.slot}`, one, plan => plan.id === one.id && isLater(one, plan));
    } else if (denial(one) === 'any')
      for (const planned of waiting.keys())
        cancel(planned, one, ({ said }) => said.fact.attribute === one.said.fact.attribute);
    else cancel(key.replace(/^end/, 'value'), one, ({ id }) => id === one.id);
  }
  return cancelled;
};

/** The plan to leave one value is no other plan than the one for the next. */
const keyOf = ({ said: { fact }, slot }: Placed): string => `${fact.ended ? 'end' : 'value'} ${slot}`;
