/** Carries out a call of a client, and tells the model what came of it. */
import { ServiceError } from '../../../core/errors.ts';
import type { World } from '../world/world.ts';
import { mustHide, mustShow } from './expected.ts';
import type { During, Item, Kind, Model } from './model.ts';
import type { Call, Scope } from './steps.ts';
import { type Invariant, Violation } from './violation.ts';
import { placeOf, refOf, refsIn, saidAt, saidText, timeOf, titleText, turnText } from './words.ts';

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

/** A call under way. */
export interface Performed {
  during: During;
  /** Resolves with the outcome in a few words; rejects with a `Violation`. */
  outcome: Promise<string>;
  /** The process has ended before its answer. */
  lost(): void;
}

interface Attempt {
  during: During;
  run: () => Promise<string>;
  /** It may have happened, or not. */
  unknown: () => void;
  refused?: (code: string) => void;
}

/** Nothing of a call that is refused so has happened. */
const REFUSALS = ['quota_exceeded', 'rate_limited', 'invalid', 'not_found', 'conflict'];

const iso = (ms: number): string => new Date(ms).toISOString();
const contextOf = async ({ world }: Stage, org: string) => {
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

const inScope = ({ scope }: Item, of: Partial<Scope>): boolean =>
  scope.org === of.org &&
  (of.user ?? scope.user) === scope.user &&
  (of.session ?? scope.session) === scope.session;

/** Checks an answer that no other call disturbs. */
const checkAnswer = (
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

const listTurns = async (stage: Stage, scope: { org: string; user: string; session?: string }) => {
  const { caller } = await contextOf(stage, scope.org);
  const { turns } = await stage.world.useCases.lists.turns(caller, {
    user_id: scope.user,
    ...(scope.session !== undefined && { session_id: scope.session }),
    limit: 200,
  });
  return turns;
};

const stored = (
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

const attemptOf = (stage: Stage, call: Call): Attempt => {
  const { world, model, ids } = stage;
  const { useCases } = world;
  switch (call.op) {
    case 'write': {
      const { scope, turns, ttlMs } = call;
      const expiresAt = ttlMs === undefined ? undefined : Date.now() + ttlMs;
      return stored(stage, { numbers: turns, kind: 'turn', scope, expiresAt }, async () => {
        const { caller, context } = await contextOf(stage, scope.org);
        const { usage, active_fragment_ids } = await useCases.ingest(
          caller,
          {
            scope: { org_id: 'any', user_id: scope.user, session_id: scope.session },
            turns: turns.map(n => ({ role: 'user', text: turnText(n), timestamp: iso(timeOf(n)) })),
            ...(expiresAt !== undefined && { options: { expires_at: iso(expiresAt) } }),
          },
          context,
        );
        const answer = `${usage.tokens_in} tokens, ${active_fragment_ids.length} ids`;
        return { billed: usage.tokens_in, ids: active_fragment_ids, answer };
      });
    }
    case 'say': {
      const { scope, said } = call;
      return stored(stage, { numbers: [said], kind: 'said', scope }, async () => {
        const { caller, context } = await contextOf(stage, scope.org);
        const answer = await useCases.say(
          caller,
          {
            scope: { org_id: 'any', user_id: scope.user, session_id: scope.session },
            text: saidText(said),
            attribute: 'home',
            value: placeOf(said),
            timestamp: iso(saidAt(said)),
          },
          context,
        );
        const billed = 'usage' in answer ? answer.usage.tokens_in : undefined;
        return { billed, ids: [answer.id], answer: `${billed} tokens` };
      });
    }
    case 'title': {
      const { scope, title } = call;
      return stored(stage, { numbers: [title], kind: 'title', scope }, async () => {
        const { caller, context } = await contextOf(stage, scope.org);
        const named = { id: scope.session, user_id: scope.user };
        await useCases.titleSession(caller, named, { title: titleText(title) }, context);
        return { billed: undefined, ids: [], answer: 'titled' };
      });
    }
    case 'retract': {
      const item = model.items.get(call.of);
      const id = ids.get(call.of);
      const during = model.begins();
      const wasShown = item !== undefined && mustShow(item, Date.now());
      return {
        during,
        run: async () => {
          if (!item || id === undefined) return 'nothing to retract';
          const { caller, context } = await contextOf(stage, call.org);
          const retract = item.kind === 'turn' ? useCases.retractTurn : useCases.retractObservation;
          await retract(caller, id, context);
          model.ends(during);
          model.retracted(item, during, 'yes');
          return 'hidden';
        },
        unknown: () => item && model.retracted(item, during, 'maybe'),
        refused: code => {
          if (code === 'not_found' && item && wasShown && mustShow(item, Date.now()) && stage.isAlone(during))
            throw new Violation('acknowledged is kept', `the ${item.kind} ${item.n} is not found`);
        },
      };
    }
    case 'erase': {
      const during = model.begins();
      return {
        during,
        run: async () => {
          const { caller, context } = await contextOf(stage, call.org);
          const { user, session } = call;
          const scope = {
            form: 'body' as const,
            user_id: user,
            ...(session !== undefined && { session_id: session }),
          };
          const { erased } = await useCases.erase(caller, scope, context);
          model.ends(during);
          model.erased(call, during, 'yes');
          return JSON.stringify(erased);
        },
        unknown: () => model.erased(call, during, 'maybe'),
      };
    }
    case 'recall': {
      const during = model.begins();
      const item = model.items.get(call.of);
      return {
        during,
        run: async () => {
          const since = Date.now();
          const { caller, context } = await contextOf(stage, call.org);
          const { hits, usage } = await useCases.recall(
            caller,
            { scope: { org_id: 'any', user_id: call.user }, q: refOf(call.of), holds: 'ever' },
            context,
          );
          model.ends(during);
          model.recalled(call.org, usage);
          const shown = (one: Item): boolean => one === item && one.kind !== 'title';
          checkAnswer(stage, during, hits, { since, shown, of: 'read your writes' });
          return `${[...refsIn(hits)].join(' ')}: ${usage.tokens_in} + ${usage.tokens_out} tokens`;
        },
        unknown: () => model.recalled(call.org, undefined),
      };
    }
    case 'list': {
      const during = model.begins();
      return {
        during,
        run: async () => {
          const since = Date.now();
          const turns = await listTurns(stage, call);
          model.ends(during);
          const shown = (item: Item): boolean => item.kind === 'turn' && inScope(item, call);
          checkAnswer(stage, during, turns, { since, shown, of: 'acknowledged is kept' });
          const once = new Set(turns.map(({ session_id, text }) => `${session_id} ${text}`));
          if (once.size < turns.length)
            throw new Violation('stored once', `${turns.length} turns have ${once.size} texts`);
          return [...refsIn(turns)].join(' ');
        },
        unknown: () => {},
      };
    }
    case 'usage': {
      const during = model.begins();
      return {
        during,
        run: async () => {
          const actual = await world.engines.usage.reader.billed(call.org, '0001-01-01', '9999-12-31');
          model.ends(during);
          if (stage.isAlone(during)) checkSums(model, call.org, actual);
          return `${actual.tokensIn} + ${actual.tokensOut}`;
        },
        unknown: () => {},
      };
    }
    case 'quota': {
      const during = model.begins();
      return {
        during,
        run: async () => {
          const { budgets } = await world.caller(call.org);
          const { names, retractions, erasures } = budgets;
          const limits = { tokens_in: call.tokens, tokens_out: 0, names, retractions, erasures };
          await world.accounts.setLimits(call.org, limits);
          return String((await world.caller(call.org)).caps.tokensIn);
        },
        unknown: () => {},
      };
    }
  }
};

export const checkSums = (
  model: Model,
  org: string,
  { tokensIn, tokensOut }: { tokensIn: number; tokensOut: number },
): void => {
  const { in: least, out: leastOut, slackIn, slackOut } = model.sums(org);
  if (
    tokensIn < least ||
    tokensIn > least + slackIn ||
    tokensOut < leastOut ||
    tokensOut > leastOut + slackOut
  )
    throw new Violation(
      'sums are exact',
      `${org} is billed ${tokensIn} + ${tokensOut} tokens, not ${least} to ${least + slackIn} + ${leastOut} to ${leastOut + slackOut}`,
    );
};

export const perform = (stage: Stage, call: Call): Performed => {
  const { during, run, unknown, refused } = attemptOf(stage, call);
  const { model } = stage;
  const closed = async (): Promise<string> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Violation) throw error;
      const isKnown = error instanceof ServiceError;
      if (during.to === Number.POSITIVE_INFINITY) model.ends(during);
      if (isKnown && REFUSALS.includes(error.code)) refused?.(error.code);
      else unknown();
      if (!isKnown || (error.code === 'unavailable' && !stage.isDisturbed()))
        throw new Violation('errors are expected ones', `${call.op}: ${(error as Error).stack}`);
      return error.code;
    } finally {
      if (during.to === Number.POSITIVE_INFINITY) model.ends(during);
    }
  };
  return {
    during,
    outcome: closed(),
    lost: () => {
      if (during.to !== Number.POSITIVE_INFINITY) return;
      model.ends(during);
      unknown();
    },
  };
};
