import type { Token } from './tokens.ts';
import { BASE, ING, verbOf } from './verbs.ts';

export type Intent = 'wish' | 'plan' | undefined;

/** Words that lead to a verb: "going to move". `undefined` where nothing real follows. */
const INTENTS: ReadonlyMap<string, Intent> = new Map(
  Object.entries({
    going: 'plan',
    about: 'plan',
    set: 'plan',
    due: 'plan',
    planning: 'plan',
    scheduled: 'plan',
    preparing: 'plan',
    plan: 'plan',
    plans: 'plan',
    intend: 'plan',
    intends: 'plan',
    decided: 'plan',
    promised: 'plan',
    want: 'wish',
    wants: 'wish',
    hope: 'wish',
    hopes: 'wish',
    hoping: 'wish',
    aim: 'wish',
    aims: 'wish',
    aiming: 'wish',
    long: 'wish',
    determined: 'wish',
    dying: 'wish',
  } as const),
);
/** "Thinking of moving", "considering moving". */
const CONSIDERS = new Set(['thinking', 'considering', 'contemplating', 'planning', 'dreaming', 'dream']);
/** "I have to move", "I'm trying to": whether it is done is not said. */
const NOT_DONE = new Set(
  'need needs needed have has had trying try supposed meant forced able ready unable refuse refuses refused tend tends seem seems seemed wanted hoped planned intended applied'.split(
    ' ',
  ),
);
const DEFINITE = new Set(['just', 'really', 'actually']);

/** "I've come to love opera": the second verb is what is said. */
const COMES = /^(?:come|came|grown|grew|learned|learnt)$/;
const FEELS = /^(?:love|like|hate|enjoy|appreciate|prefer|dislike)$/;
/** Whether the word at `at` leads to a taste that has come. */
export const comesTo = (tokens: readonly Token[], at: number): boolean =>
  COMES.test(tokens[at]!.lower) && tokens[at + 1]?.lower === 'to' && FEELS.test(tokens[at + 2]?.lower ?? '');

/** Finds "going to", "want to", "thinking of": what follows isn't done, and may be meant. */
export function leadOf(
  tokens: readonly Token[],
  at: number,
  afterBe: boolean,
): { intent: Intent; after: number } | undefined {
  const { lower } = tokens[at]!;
  let next = at + 1;
  while (DEFINITE.has(tokens[next]?.lower ?? '')) next++;
  const following = tokens[next]?.lower;
  const isVerbNext = (index: number): boolean => {
    const word = tokens[index];
    return word !== undefined && word.tail.length < 3 && (verbOf(word.lower)?.forms ?? BASE) > 0;
  };
  if (following === 'to' && isVerbNext(next + 1)) {
    if (NOT_DONE.has(lower)) return { intent: undefined, after: next + 1 };
    const intent = INTENTS.get(lower);
    // "I'm going to Rome" goes there; "going to move" intends to.
    const goes =
      lower === 'going' &&
      !((verbOf(tokens[next + 1]!.lower)?.forms ?? 0) & BASE) &&
      /^\p{Lu}/u.test(tokens[next + 1]!.core);
    if (intent !== undefined && !goes && (afterBe || !/^(?:about|set|due)$/.test(lower)))
      return { intent, after: next + 1 };
  }
  if (CONSIDERS.has(lower)) {
    const verb = following === 'of' || following === 'about' || following === 'on' ? next + 1 : next;
    if ((verbOf(tokens[verb]?.lower ?? '')?.forms ?? 0) & ING) return { intent: 'plan', after: verb };
  }
  return undefined;
}
