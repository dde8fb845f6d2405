import type { Lexicon } from '../sentences/lexicon.ts';
import { isBase } from '../sentences/verbs.ts';
import type { Found, When } from './found.ts';
import type { Predicate } from './predicate.ts';
import { phraseOf } from './values.ts';

/** Politeness, promises of the moment, and encouragement, which are no plans. */
const NO_PLAN =
  /^(?:be (?:honest|there|here|fine|ok|okay|able|sure|great|good|happy|back|careful|right|late)|say|tell|ask|let|see (?:what|how|if|you|it)|know|get back|keep (?:you|it|that|this)|think|send|check|share|do (?:it|that|this|so)|have (?:to|fun)|need|want|like|love|miss|try (?:it|that|this)|hear|believe|hope|admit|mention|thank|look (?:at|into|it)|make (?:it|sure)|give|take (?:it|that)|work (?:on it)?$|remember|understand|talk|use|go (?:with|for) (?:it|that)|happen|go now|sleep$|hang|chat|keep|stay (?:positive|strong|safe|calm|in touch)|do (?:my|our) best|have (?:a |so much |lots of )?(?:blast|great|good|fun|wonderful|amazing)|make (?:a|some|more|time|the most)|never|find (?:some|out|a way)|continue|reach|be more|enjoy|get (?:one|there|through|better|it)|help make|start thinking|wait|cheer|support|focus|push|live (?:life|authentically)|inspire|spread)\b/i;

/** Returns a wish or an intention as a plan or a goal, never as a current fact. */
export function intended(
  { text, intent, denied, willed }: Predicate,
  { dated }: When,
  lexicon: Lexicon,
): Found | undefined {
  // "I'll take the bet" is said and done; with a date it is a plan.
  if (
    denied ||
    (willed && !dated) ||
    NO_PLAN.test(text) ||
    /^(?:an?|the|my|some|more|you|it|that|this) /i.test(text)
  )
    return undefined;
  const value = phraseOf(asBase(text, lexicon), 'verb', lexicon);
  if (
    value === undefined ||
    value.split(' ').length < 2 ||
    /\b(?:it|that|this|them|they|you|your|there|him)\b/i.test(value)
  )
    return undefined;
  return { attribute: intent === 'wish' ? 'goal' : 'plan', value };
}

/** "Moving to Porto" → "move to Porto". */
function asBase(text: string, lexicon: Lexicon): string {
  const [, stem, rest] = /^([a-z]{2,})ing( .*|$)/i.exec(text) ?? [];
  if (stem === undefined) return text;
  const lower = stem.toLowerCase();
  const single = lower.at(-1) === lower.at(-2) ? lower.slice(0, -1) : lower;
  const base = [lower, `${lower}e`, single].find(word => isBase(word, lexicon));
  return base === undefined ? text : `${base}${rest}`;
}
