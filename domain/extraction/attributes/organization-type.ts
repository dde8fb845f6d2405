import { PLACES } from '../names/known-names.ts';
import { hasComma, isUpper, type Token, textOf } from '../reading/tokens.ts';
import { COORDINATOR, MONTH, NUMBER, PREPOSITION, PRONOUN, UNIT, WEEKDAY } from '../reading/word-classes.ts';
import { type Item, type ValueType, wordsIn } from './values.ts';

/** Kinds of places where people work or learn: what has no name is one of them ("the hospital"). */
const KINDS = new Set(
  'hospital university uni college school bakery bank restaurant café cafe shop store firm company startup start-up agency library museum factory plant office clinic lab laboratory hotel farm brewery garage studio theatre theater nursery kindergarten supermarket pharmacy airport embassy ministry council city charity nonprofit ngo newspaper magazine station gym bar pub warehouse hospice prison court department practice surgery salon vineyard zoo church institute consultancy bookshop bookstore centre center corporation cooperative co-op foundation law-firm market mill port shipyard observatory archive archives planetarium aquarium daycare shelter orchestra opera government police army navy post-office'.split(
    ' ',
  ),
);
const INSIDE_NAME = /^(?:of|de|for|the|and|&|du|des|la|le|von|van)$/;
const COMPANY_END =
  /^(?:Partners|Sons|Daughters|Co|Brothers|Bros|Associates|Company|Ltd|Inc|LLC|Corp|Group|Smith|Spencer|Lewis|Gamble|Johnson)$/;
/** Networks and shops that people join and leave without working there. */
const JOINED =
  /^(?:facebook|linkedin|twitter|instagram|tiktok|reddit|discord|whatsapp|snapchat|pinterest|youtube|costco|netflix|spotify|telegram|mastodon|bluesky|strava|tinder|hinge|bumble|ancestry|teams|slack|zoom|greenpeace|patreon|duolingo|goodreads|letterboxd|nextdoor|signal|threads|twitch|onlyfans|vinted|ebay|etsy|airbnb|aa|unicef|oxfam)$/i;
const LONGEST_NAME = 8;

/** An organization: a name with its commas and "and", or a kind of workplace with an article. */
export const organization: ValueType = item => {
  const { tokens, phrase, lexicon } = item;
  const first = tokens[phrase.from]!;
  if (first.bits & (NUMBER | UNIT | MONTH | WEEKDAY | PRONOUN | PREPOSITION) || /^\d/.test(first.core))
    return undefined;
  if (isUpper(first)) return textOf(tokens, phrase.from, endOfName(tokens, phrase.from, item.end));
  const called = calledIn(item);
  if (called !== undefined) return called;
  const head = tokens[phrase.to - 1]!;
  const text = wordsIn(item, 5);
  if (text === undefined) return undefined;
  if (phrase.bare < phrase.from) return KINDS.has(head.lower) || isUpper(head) ? text : undefined;
  // "nordbeam": without an article, one word that isn't English.
  return phrase.to - phrase.from === 1 && !lexicon.isCommon(first.lower) ? text : undefined;
};

/** "A bar called The Anchor": its name says more than its kind. */
function calledIn({ tokens, phrase, end }: Item): string | undefined {
  for (let at = phrase.from + 1; at < Math.min(phrase.from + 5, end - 1); at++)
    if (/^(?:called|named)$/.test(tokens[at]!.lower))
      return KINDS.has(tokens[at - 1]!.lower) && isUpper(tokens[at + 1]!)
        ? textOf(tokens, at + 1, endOfName(tokens, at + 1, end))
        : undefined;
  return undefined;
}

/** Whether a name is one that people join, and work at, and not only sign up with. */
export const mayEmploy = (name: string): boolean => !JOINED.test(name);

/** "Smith, Jones and Partners", "University of Porto": capitals, with what stands between them. */
function endOfName(tokens: readonly Token[], from: number, to: number): number {
  let end = from + 1;
  while (end < to && end - from < LONGEST_NAME) {
    const before = tokens[end - 1]!;
    const word = tokens[end]!;
    if (/[.;:!?)"”]$/.test(before.tail) && !/^(?:[A-Z]|St)$/.test(before.core)) break;
    if (hasComma(before) && !(isUpper(word) && companyEndsAfter(tokens, end, to))) break;
    if (isUpper(word)) {
      if (word.bits & (MONTH | WEEKDAY) || (hasComma(before) && PLACES.has(word.lower))) break;
      end++;
      continue;
    }
    const next = tokens[end + 1];
    const joins =
      (INSIDE_NAME.test(word.lower) || word.bits & COORDINATOR || (word.core === '' && word.lead === '&')) &&
      next !== undefined &&
      end + 1 < to &&
      isUpper(next);
    if (!joins && !(word.lower === 'of' && tokens[end + 1]?.lower === 'the')) break;
    // "At Acme and I": a pronoun begins another clause.
    if (next !== undefined && next.bits & PRONOUN) break;
    end++;
  }
  return end;
}

const companyEndsAfter = (tokens: readonly Token[], at: number, to: number): boolean =>
  tokens.slice(at, Math.min(to, at + 4)).some(each => COMPANY_END.test(each.core));
