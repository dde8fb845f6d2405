/** Calls that change what is shown of what was said: corrections, titles, names, retentions; and receipts. */
import type { ReceiptAnswer } from '../../../schemas/http/receipts.ts';
import { mustHide, mustShow } from '../model/expected.ts';
import type { Item } from '../model/item.ts';
import type { Model } from '../model/model.ts';
import type { Receipt } from '../model/receipts.ts';
import { type Attempt, checkWords, contextOf, type Stage, stored } from './attempts.ts';
import type { Call } from './steps.ts';
import { Violation } from './violation.ts';
import { nameText, placeOf, refOf, saidText, titleText } from './words.ts';

type CallOf<Op extends Call['op']> = Extract<Call, { op: Op }>;

const DAY_MS = 86_400_000;
/** A receipt is readable for so long. */
const RECEIPT_MS = 90 * DAY_MS;

const NOTHING_TO_DO: Omit<Attempt, 'during'> = { run: async () => 'nothing to do', unknown: () => {} };

export const title = (stage: Stage, { scope, title: n }: CallOf<'title'>): Attempt => {
  const { model, world } = stage;
  const attempt = stored(stage, { numbers: [n], kind: 'title', scope }, async () => {
    const { caller, context } = await contextOf(stage, scope.org);
    const named = { id: scope.session, user_id: scope.user };
    await world.useCases.titleSession(caller, named, { title: titleText(n) }, context);
    return { billed: undefined, ids: [], answer: 'titled' };
  });
  return labelled(attempt, sure => model.labelled(model.items.get(n)!, attempt.during, sure));
};

export const name = (stage: Stage, { org, user, name: n }: CallOf<'name'>): Attempt => {
  const { model, world } = stage;
  const scope = { org, user, session: '' };
  const attempt = stored(stage, { numbers: [n], kind: 'name', scope }, async () => {
    const { caller, context } = await contextOf(stage, org);
    const { names } = await world.useCases.nameUser(caller, user, { names: [nameText(n)] }, context);
    return { billed: undefined, ids: [], answer: names.join(' ') };
  });
  return labelled(attempt, sure => model.labelled(model.items.get(n)!, attempt.during, sure));
};

const labelled = (attempt: Attempt, tell: (sure: 'maybe' | 'yes') => void): Attempt => ({
  ...attempt,
  run: async () => {
    const answer = await attempt.run();
    tell('yes');
    return answer;
  },
  unknown: () => {
    attempt.unknown();
    tell('maybe');
  },
});

/** Corrects a statement, or what it was corrected to. */
export const correction = (stage: Stage, { org, of, to }: CallOf<'correct'>): Attempt => {
  const { model, world, ids } = stage;
  const corrected = model.items.get(of);
  const id = ids.get(of);
  if (corrected?.kind !== 'said' || id === undefined) return { during: model.begins(), ...NOTHING_TO_DO };
  const since = Date.now();
  const wasShown = mustShow(corrected, since);
  const wasHidden = mustHide(corrected, since);
  const item = model.correction(to, corrected);
  const attempt = stored(stage, { numbers: [to], kind: 'said', scope: corrected.scope }, async () => {
    const { caller, context } = await contextOf(stage, org);
    const body = { text: saidText(to), value: placeOf(to) };
    const { usage, ...answer } = await world.useCases.correct(caller, id, body, context);
    item.corrects = numbered(stage, answer.corrects);
    return { billed: usage.tokens_in, ids: [answer.id], answer: `${usage.tokens_in} tokens` };
  });
  return {
    during: attempt.during,
    run: async () => {
      const answer = await attempt.run();
      // It goes with what it corrects, which a call that nobody knows the end of may have hidden before.
      if (corrected.hidden !== 'no') model.mayBeHidden(item);
      if (wasHidden && stage.isAlone(attempt.during))
        throw new Violation('hidden stays hidden', `the said ${of} is not shown, and was corrected`);
      return answer;
    },
    unknown: () => {
      attempt.unknown();
      model.mayBeHidden(item);
    },
    refused: code => {
      if (code !== 'not_found') return;
      if (wasShown && mustShow(corrected, Date.now()) && stage.isAlone(attempt.during))
        throw new Violation('acknowledged is kept', `the said ${of} is not found`);
      // It was stated, and hidden again, if what it corrects was hidden meanwhile.
      attempt.unknown();
      model.mayBeHidden(item);
    },
  };
};

const numbered = ({ ids, model }: Stage, id: string | undefined): Item | undefined => {
  const [n] = [...ids].find(([, one]) => one === id) ?? [];
  return n === undefined ? undefined : model.items.get(n);
};

export const retention = (stage: Stage, { org, days }: CallOf<'retention'>): Attempt => {
  const { model, world } = stage;
  const during = model.begins();
  const retentions = model.retentions(org);
  const set = (isSure: boolean): void => retentions.set(days, { from: during.since, to: Date.now() }, isSure);
  // A look could not say which of two was made.
  if (retentions.isUnsure()) return { during, ...NOTHING_TO_DO };
  return {
    during,
    run: async () => {
      const answer = await world.accounts.setRetention(org, days);
      set(true);
      return JSON.stringify(answer);
    },
    unknown: () => set(false),
  };
};

/** A receipt as it is read; `not_found` where there is none. */
type ReadReceipt = Pick<ReceiptAnswer, 'q' | 'hits'> | 'not_found';

/** @param since when it was asked for: Unix milliseconds */
export const checkReceipt = (model: Model, kept: Receipt, answer: ReadReceipt, since: number): void => {
  const { n, recalled, erased } = kept;
  const now = Date.now();
  if (answer === 'not_found') {
    if (now < recalled.from + RECEIPT_MS)
      throw new Violation('acknowledged is kept', `the receipt ${n} is not found`);
    return;
  }
  const { q, hits } = answer;
  if (since >= recalled.to + RECEIPT_MS)
    throw new Violation('expired is hidden, and not destroyed too early', `the receipt ${n} is shown`);
  if (erased === 'yes' && q !== null)
    throw new Violation('erased stays erased', `the question of the receipt ${n} is shown`);
  if (erased === 'no' && q !== refOf(kept.of))
    throw new Violation('acknowledged is kept', `the question of the receipt ${n} is ${q}`);
  checkWords(model, hits, {
    of: 'acknowledged is kept',
    hides: item => mustHide(item, since),
    // Something with another id by now was stored anew.
    shows: item => erased === 'no' && kept.shown.get(item.n) === item.life && mustShow(item, now),
  });
};

export const receipt = (stage: Stage, { of }: CallOf<'receipt'>): Attempt => {
  const { model, world } = stage;
  const during = model.begins();
  const kept = model.receipts.get(of);
  if (!kept) return { during, ...NOTHING_TO_DO };
  const check = (answer: ReadReceipt): void => {
    if (stage.isAlone(during)) checkReceipt(model, kept, answer, during.since);
  };
  return {
    during,
    run: async () => {
      const { caller } = await contextOf(stage, kept.org);
      const answer = await world.useCases.recallReceipt(caller, kept.id);
      model.ends(during);
      check(answer);
      return JSON.stringify(answer.hits.map(({ status }) => status));
    },
    unknown: () => {},
    refused: code => {
      if (code === 'not_found') check(code);
    },
  };
};
