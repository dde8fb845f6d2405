import { ORGANIZATIONS, PLACES, PRODUCTS } from '../names/known-names.ts';
import { isUpper, type Token, textOf } from '../reading/tokens.ts';
import { MONTH, PRONOUN, WEEKDAY } from '../reading/word-classes.ts';
import type { ValueType } from './values.ts';

/** Words that say how somebody lives, or what moves: no place has such a name. */
const NO_PLACE =
  /^(?:flat|apartment|house|studio|village|town|city|street|countryside|neighbou?rhood|farm|cottage|dorm|boat|van|loft|bungalow|estate|room|building|tent|hotel|hostel|place|basement|attic|suburbs?|country|area|block|complex|condo|duplex|mansion|home|houseboat|caravan|trailer|world|bubble|past|present|middle|dark|bed|fear|peace|hope|pain|denial|hurry|love|trouble|harmony|sin|poverty|luxury|style|exile|isolation|person|public|private|general|theory|practice|total|fact|cars?|marketing|sales|hr|it|legal|finance|accounting|engineering|operations|support|design|plan|vim|emacs|excel|terror|vscode|victorian|vacation|limbo|survival|self-defense)$/;
/** Lower-case words before a name: "south London". */
const BEFORE_NAME =
  /^(?:south|north|east|west|central|downtown|northern|southern|eastern|western|inner|outer|greater|rural|upstate|suburban|metropolitan|mid|lower|upper)$/;
const INSIDE_NAME = /^(?:of|de|del|la|le|les|upon|am|sur|and|the|da|do|dos|van|den|du|el|al|on)$/;
/** "HR", "IRS": few places are named by capitals alone. */
const SHORT_PLACES = new Set(['NYC', 'LA', 'DC', 'UK', 'USA', 'US', 'UAE', 'NZ', 'SF', 'NY', 'NJ', 'EU']);

/** A place: a name, or one word that isn't English, since many people write cities in lower case. */
export const place: ValueType = ({ tokens, phrase: { from, to }, lexicon }) => {
  const first = tokens[from]!;
  if (first.bits & (MONTH | WEEKDAY | PRONOUN) || /^\d/.test(first.core)) return undefined;
  const end = endOfPlace(tokens, from, to);
  const text = textOf(tokens, from, end);
  const lower = text.toLowerCase();
  if (PLACES.has(lower)) return text;
  if (text === '' || text.length > 64 || /\d/.test(text + (tokens[end]?.core ?? '').slice(0, 1))) {
    // "Seat 14C" is no place; "Porto 2019" was one then.
    const next = tokens[end]?.core ?? '';
    if (!/^(?:19|20)\d\d$/.test(next) || /\d/.test(text)) return undefined;
  }
  if (ORGANIZATIONS.has(lower) || PRODUCTS.has(lower) || NO_PLACE.test(first.lower)) return undefined;
  if (/^\p{Lu}{2,4}$/u.test(text)) return SHORT_PLACES.has(text) ? text : undefined;
  if (isUpper(first)) return text;
  if (BEFORE_NAME.test(first.lower) && end - from > 1 && isUpper(tokens[end - 1]!)) return text;
  return to - from === 1 && /^\p{L}{3,}$/u.test(text) && !lexicon.isCommon(lower) ? text : undefined;
};

/** A name ends at the first word in lower case that no name has inside. */
function endOfPlace(tokens: readonly Token[], from: number, to: number): number {
  let end = from + 1;
  while (end < to) {
    const { lower } = tokens[end]!;
    const joins = INSIDE_NAME.test(lower) && end + 1 < to && isUpper(tokens[end + 1]!);
    if (!isUpper(tokens[end]!) && !joins) {
      // A known place in lower case: "new york", "rio de janeiro".
      if (PLACES.has(textOf(tokens, from, to).toLowerCase())) return to;
      break;
    }
    end++;
  }
  return end;
}
