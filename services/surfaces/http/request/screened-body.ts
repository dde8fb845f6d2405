import { nextLargeStep } from '../../../../core/fairness/large-steps.ts';
import { makeYieldWhenDue } from '../../../../core/fairness/yield-when-due.ts';
import { type Screened, screen } from '../../../../domain/screening/screen.ts';

/**
 * The members that aren't screened, by their paths in a body, without the places in arrays: they are what
 * things are found by again, or have an alphabet of their own. All else is screened, a new member too.
 */
const VERBATIM = new Set([
  'scope',
  'user_id',
  'session_id',
  'turns.role',
  'attribute',
  'turns.observations.attribute',
  'filter',
  'merge_into',
  'split.session_id',
]);

interface Place {
  holder: Record<string, unknown>;
  name: string;
  text: string;
}

/** Every text of a body that is screened. Without recursion: a body may be as deep as it is long. */
const textsOf = (body: unknown): Place[] => {
  const texts: Place[] = [];
  const open: { value: object; path: string }[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null) open.push({ value, path });
  };
  visit(body, '');
  for (let next = open.pop(); next; next = open.pop()) {
    const holder = next.value as Record<string, unknown>;
    const isList = Array.isArray(holder);
    for (const [name, value] of Object.entries(holder)) {
      const path = isList ? next.path : next.path === '' ? name : `${next.path}.${name}`;
      if (VERBATIM.has(path)) continue;
      if (typeof value === 'string') texts.push({ holder, name, text: value });
      // Below metadata no name is one of ours.
      else visit(value, path);
    }
  }
  return texts;
};

/**
 * Replaces the secrets in a parsed body, and returns how many by rule. Large bodies are screened in steps, so
 * that other calls are answered in between. Throws the signal's reason.
 */
export const screenBody = async (
  body: unknown,
  { org, signal }: { org: string; signal: AbortSignal | undefined },
): Promise<Screened> => {
  const counts: Screened = {};
  const yieldWhenDue = makeYieldWhenDue(() => nextLargeStep(org, signal));
  for (const { holder, name, text } of textsOf(body)) {
    const value = screen(text, counts);
    // Not by assignment, which a member named __proto__ would ignore.
    if (value !== text)
      Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
    await yieldWhenDue();
  }
  return counts;
};
