/** Carries out a call of a client, and tells the model what came of it. */
import { ServiceError } from '../../../core/errors.ts';
import { mustShow } from '../model/expected.ts';
import type { During, Item } from '../model/item.ts';
import type { Model } from '../model/model.ts';
import { livesOf } from '../model/receipts.ts';
import {
  type Attempt,
  checkAnswer,
  contextOf,
  inScope,
  iso,
  listTurns,
  type Stage,
  stored,
} from './attempts.ts';
import { correction, name, receipt, retention, title } from './curate.ts';
import type { Call } from './steps.ts';
import { Violation } from './violation.ts';
import { placeOf, refOf, refsIn, saidAt, saidText, timeOf, turnText } from './words.ts';

/** A call under way. */
export interface Performed {
  during: During;
  /** Resolves with the outcome in a few words; rejects with a `Violation`. */
  outcome: Promise<string>;
  /** The process has ended before its answer. */
  lost(): void;
}

/** Nothing of a call that is refused so has happened. */
const REFUSALS = ['quota_exceeded', 'rate_limited', 'invalid', 'not_found', 'conflict'];

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
    case 'title':
      return title(stage, call);
    case 'name':
      return name(stage, call);
    case 'correct':
      return correction(stage, call);
    case 'retention':
      return retention(stage, call);
    case 'receipt':
      return receipt(stage, call);
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
          const { org, user, of } = call;
          const { hits, usage, receipt_id } = await useCases.recall(
            caller,
            {
              scope: { org_id: 'any', user_id: user },
              q: refOf(of),
              holds: 'ever',
              ...(call.receipt !== undefined && { receipt: true }),
            },
            context,
          );
          model.ends(during);
          model.recalled(org, usage);
          if (call.receipt !== undefined && receipt_id !== undefined)
            model.receipts.kept({
              n: call.receipt,
              id: receipt_id,
              org,
              user,
              of,
              during,
              recalled: { from: since, to: Date.now() },
              shown: livesOf(model.items, refsIn(hits)),
            });
          const shown = (one: Item): boolean => one === item && (one.kind === 'turn' || one.kind === 'said');
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
          const mayBeTwice = (text: string): boolean =>
            [...refsIn(text)].some(n => model.items.get(n)?.mayBeTwice);
          const counted = turns.filter(({ text }) => !mayBeTwice(text));
          const once = new Set(counted.map(({ session_id, text }) => `${session_id} ${text}`));
          if (once.size < counted.length)
            throw new Violation('stored once', `${counted.length} turns have ${once.size} texts`);
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
  const { model, world } = stage;
  const closed = async (): Promise<string> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Violation) throw error;
      // A process that has ended tells nobody of its errors.
      if (world.fate.isDead()) return new Promise<never>(() => {});
      const isKnown = error instanceof ServiceError;
      if (during.to === Number.POSITIVE_INFINITY) model.ends(during);
      if (isKnown && REFUSALS.includes(error.code)) refused?.(error.code);
      else unknown();
      if (!isKnown || (error.code === 'unavailable' && !stage.isDisturbed()))
        throw new Violation('errors are expected ones', `${call.op}: ${(error as Error).stack}`);
      return error.code;
    } finally {
      if (during.to === Number.POSITIVE_INFINITY && !world.fate.isDead()) model.ends(during);
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
