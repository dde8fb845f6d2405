/**
 * Corrections of what the speaker said before: "I meant Leeds, not Leigh" after "We moved to Leigh" says "We
 * moved to Leeds". Neither turn says it alone.
 */
import { sentencesOf } from '../sentences/sentences.ts';

/** The words that were wrong, and those in their place. */
interface Slip {
  right: string;
  wrong: string;
}

const LONGEST_CORRECTION = 160;
const SAYS_SO =
  '(?:sorry|oops|ups|typo|correction|autocorrect(?: again)?|wrong key|my (?:mistake|bad)|no|wait|argh|ugh|edit|\\*+)';
/** "Typo! 178 cm, not 187", "I meant Leeds, not Leigh", "It's 13 May, not 3 May". */
const NOT = new RegExp(
  `^(?<lead>(?:${SAYS_SO}[,.!: –—-]+)*)(?<own>(?:(?:it|that|his name|her name|my name|the name)(?:['’]s| is| should be)|(?:i|I) meant?(?: to (?:say|write|type))?|make (?:it|that)|should be|read)? ?)(?<right>[^,;.!?]{1,60}?),? not (?<wrong>[^,;.!?]{1,60})[.!]*$`,
  'iu',
);
/** "Don't know why I said Passat. It's a Polo!" */
const WHY =
  /\bwhy (?:did )?i (?:said|say|wrote|write|typed)(?: it was)? (?<wrong>[^,;.!?]{1,60})[.,;!?]+ (?:it|that)(?:['’]s| is) (?<right>[^,;.!?]{1,60})[.!]*$/iu;

/** Returns what a turn corrects; undefined where it corrects nothing. */
function slipIn(turn: string): Slip | undefined {
  const why = WHY.exec(turn)?.groups;
  if (why !== undefined) return { right: bare(why.right!), wrong: bare(why.wrong!) };
  for (const sentence of [turn, ...sentencesOf(turn).toReversed()]) {
    const said = NOT.exec(sentence.trim())?.groups;
    // "I like tea, not coffee" corrects nothing: only these words do.
    if (said !== undefined && (said.lead !== '' || said.own!.trim() !== ''))
      return { right: bare(said.right!), wrong: bare(said.wrong!) };
  }
  return undefined;
}

const bare = (value: string): string => value.trim().replace(/^(?:an?|the) /i, '');

/**
 * Returns the sentence of an earlier turn with the slip corrected, and the slip; undefined where the turn
 * corrects nothing that was said there. Pure, and linear in both.
 *
 * @param before the speaker's turn before
 */
export function correctedIn(before: string, turn: string): (Slip & { sentence: string }) | undefined {
  if (turn.length > LONGEST_CORRECTION || !/\bnot\b|\bwhy\b/i.test(turn)) return undefined;
  const slip = slipIn(turn);
  if (slip === undefined || slip.right.toLowerCase() === slip.wrong.toLowerCase()) return undefined;
  for (const sentence of sentencesOf(before)) {
    const at = placeOf(slip.wrong, sentence);
    if (at === undefined) continue;
    const rest = sentence.slice(at + slip.wrong.length);
    // "178 cm" for the "187" of "187 cm": the unit is there already.
    const unit = slip.right.slice(slip.right.lastIndexOf(' '));
    const right =
      unit.startsWith(' ') && rest.toLowerCase().startsWith(unit.toLowerCase())
        ? slip.right.slice(0, -unit.length)
        : slip.right;
    return { ...slip, sentence: sentence.slice(0, at) + right + rest };
  }
  return undefined;
}

/** Returns where the words stand as whole words. */
function placeOf(words: string, sentence: string): number | undefined {
  const lower = sentence.toLowerCase();
  const sought = words.toLowerCase();
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + 1)) {
    const [before, after] = [lower.charAt(at - 1), lower.charAt(at + sought.length)];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return at;
  }
  return undefined;
}
