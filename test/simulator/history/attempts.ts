/** A call of a client under way, and the checks of its answer that calls share. */
import { mustHide, mustShow } from '../model/expected.ts';
import type { During, Item, Kind } from '../model/item.ts';
import type { Model } from '../model/model.ts';
import type { World } from '../world/world.ts';
import type { Scope } from './steps.ts';
import { type Invariant, Violation } from './violation.ts';
import { refsIn } from './words.ts';

export interface Stage {
  world: World;
  model: Model;
  /** The ids that answers gave, by number. */
  ids: Map<number, string>;
  /** Whether a fault is played, or was a moment ago: then calls may fail. */
  isDisturbed: () => boolean;
  /** Whether no other call has run beside this one. */
  isAlone: (call: During) => boolean;
}

export interface Attempt {
  during: During;
  run: () => Promise<string>;
  /** It may have happened, or not. */
  unknown: () => void;
  refused?: (code: string) => void;
}

export const iso = (ms: number): string => new Date(ms).toISOString();
export const contextOf = async ({ world }: Stage, org: string) => {
  const caller = await world.caller(org);
  return { caller, context: { correlationId: 'cor_sim', caps: caller.caps, budgets: caller.budgets } };
};

/** Throws for words that an answer must not have, and for those that it lacks. */
export const checkWords = (
  { items }: Model,
  answer: unknown,
  { shows, hides, of }: { shows: (item: Item) => boolean; hides: (item: Item) => boolean; of: Invariant },
): void => {
  const refs = refsIn(answer);
  for (const item of items.values()) {
    const { n, kind, hidden, erased } = item;
    if (refs.has(n) && hides(item)) {
      if (erased === 'yes') throw new Violation('erased stays erased', `the ${kind} ${n} is shown`);
      if (hidden === 'yes') throw new Violation('hidden stays hidden', `the ${kind} ${n} is shown`);
      throw new Violation('expired is hidden, and not destroyed too early', `the ${kind} ${n} is shown`);
    }
    if (!refs.has(n) && shows(item)) throw new Violation(of, `the ${kind} ${n} is not shown`);
  }
};

export const inScope = ({ scope }: Item, of: Partial<Scope>): boolean =>
  scope.org === of.org &&
  (of.user ?? scope.user) === scope.user &&
  (of.session ?? scope.session) === scope.session;

/** Checks an answer that no other call disturbs. */
export const checkAnswer = (
  stage: Stage,
  during: During,
  answer: unknown,
  { since, shown, of }: { since: number; shown: (item: Item) => boolean; of: Invariant },
): void => {
  if (!stage.isAlone(during)) return;
  const now = Date.now();
  checkWords(stage.model, answer, {
    of,
    hides: item => mustHide(item, since),
    shows: item => shown(item) && mustShow(item, now),
  });
};

export const listTurns = async (stage: Stage, scope: { org: string; user: string; session?: string }) => {
  const { caller } = await contextOf(stage, scope.org);
  const { turns } = await stage.world.useCases.lists.turns(caller, {
    user_id: scope.user,
    ...(scope.session !== undefined && { session_id: scope.session }),
    limit: 200,
  });
  return turns;
};

/** A write: it has happened, or may have. */
export const stored = (
  stage: Stage,
  {
    numbers,
    kind,
    scope,
    expiresAt,
  }: { numbers: readonly number[]; kind: Kind; scope: Scope; expiresAt?: number | undefined },
  send: () => Promise<{ billed: number | undefined; answer: string; ids: readonly string[] }>,
): Attempt => {
  const { model } = stage;
  const during = model.begins();
  const items = [...new Set(numbers)].map(n => model.item(n, kind, scope));
  const write = Object.assign(during, { expiresAt });
  for (const { writes } of items) writes.push(write);
  return {
    during,
    run: async () => {
      const since = Date.now();
      const { billed, answer, ids } = await send();
      model.ends(during);
      model.acknowledged(items, during, billed, expiresAt);
      if (ids.length === numbers.length) for (const [i, n] of numbers.entries()) stage.ids.set(n, ids[i]!);
      if (kind === 'turn' && stage.isAlone(during)) {
        const now = Date.now();
        const lacks = items.every(item => mustShow(item, now)) && ids.length < numbers.length;
        if (lacks)
          throw new Violation('read your writes', `${ids.length} of ${numbers.length} turns have an id`);
        const shown = (item: Item): boolean => item.kind === 'turn' && inScope(item, scope);
        checkAnswer(stage, during, await listTurns(stage, scope), { since, shown, of: 'read your writes' });
      }
      return answer;
    },
    unknown: () => {
      model.unknown(items, during, expiresAt);
      // One that was erased before has another id from now on, which this answer would have told.
      for (const n of numbers) stage.ids.delete(n);
    },
  };
};
