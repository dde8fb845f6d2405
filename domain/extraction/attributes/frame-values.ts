/** Finds the values of a frame in a predicate. */
import type { Predicate, Reading } from '../reading/clause.ts';
import { type Complement, itemsAt, type Phrase } from '../reading/phrases.ts';
import { COORDINATOR } from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import type { Frame } from './frame.ts';
import type { Value } from './meaning.ts';
import { namesAfter } from './names-of-kin.ts';
import { placesOf } from './slots.ts';
import type { Item } from './values.ts';

/** Returns the value that a verb says by itself: "smoking" of "I smoke", but not of "I smoke salmon". */
function verbValue(
  frame: Frame,
  tokens: Reading['tokens'],
  { from, to }: Predicate,
  lexicon: Lexicon,
): Value[] {
  const next = tokens[from];
  const isObject =
    from < to &&
    next !== undefined &&
    next.bits === 0 &&
    !/^(?:a|cigarettes|lots|like|too)$/.test(next.lower);
  if (isObject) return [];
  const value = frame.type({ tokens, phrase: { from, to: from, bare: from }, end: to, lexicon });
  return value === undefined ? [] : [{ value, from, to: from }];
}

/** "No fish on Mondays", "no coffee after 3": not always, so no diet. */
export const isLimited = (tokens: Reading['tokens'], { phrases }: Complement): boolean =>
  phrases.some(
    ({ preposition, from }) =>
      /^(?:after|before|until|till|during)$/.test(preposition) ||
      (preposition === 'on' && /day|weekend/.test(tokens[from]?.lower ?? '')),
  );

/** "No German", "no doctor": there is none. */
const isNone = (tokens: Reading['tokens'], { bare, from }: Phrase): boolean => {
  for (let at = Math.max(0, bare - 1); at < from; at++)
    if (/^(?:no|zero|hardly|neither|nor)$/.test(tokens[at]!.lower)) return true;
  return false;
};

/**
 * Returns the values that a frame finds: one, or the items of a list.
 *
 * @param lists of the predicate, by the index at which they begin, as far as they were read
 */
export function valuesBy(
  frame: Frame,
  { tokens }: Reading,
  predicate: Predicate,
  complement: Complement,
  lists: Map<number, Phrase[]>,
  lexicon: Lexicon,
): Value[] {
  if (frame.particle !== undefined && !complement.particles.includes(frame.particle)) return [];
  for (const from of placesOf(frame, tokens, predicate, complement)) {
    if (frame.kind === 'end') return tokens[from]?.lower === 'from' ? [] : [{ value: '', from, to: from }];
    if (frame.slot.kind === 'verb') return verbValue(frame, tokens, predicate, lexicon);
    // Most frames of a verb have their value in one place.
    let items = lists.get(from);
    if (items === undefined) {
      items = itemsAt(tokens, from, predicate.to);
      lists.set(from, items);
    }
    const values = valuesOf(frame, items, tokens, predicate.to, lexicon);
    if (frame.list && values.length > 0) values.push(...deniedAfter(frame, tokens, predicate, lexicon));
    if (values.length > 0) return values;
  }
  return [];
}

const isTaste = ({ attribute }: Frame): boolean => /^(?:dis)?likes$/.test(attribute);

/** "I love dogs, period": two things are joined by a word, and a comma alone joins more of them. */
const isRemark = (tokens: Reading['tokens'], items: readonly Phrase[]): boolean =>
  items.length === 2 &&
  !tokens
    .slice(items[0]!.to, items[1]!.bare + 1)
    .some(({ bits, lower }) => (bits & COORDINATOR) !== 0 || /^(?:or|also|plus|even)$/.test(lower));

function valuesOf(
  frame: Frame,
  items: readonly Phrase[],
  tokens: Reading['tokens'],
  end: number,
  lexicon: Lexicon,
): Value[] {
  const values: Value[] = [];
  for (const phrase of frame.list && !(isTaste(frame) && isRemark(tokens, items))
    ? items
    : items.slice(0, 1)) {
    // "I speak no German", "I'm no doctor".
    if (isNone(tokens, phrase)) break;
    const item: Item = { tokens, phrase, end, lexicon };
    const value = frame.type(item);
    if (value === undefined || value === '') continue;
    const names = frame.list ? namesAfter(frame.attribute, item, value) : [];
    // "Two brothers, Jon and Pat": the names say more than the count.
    if (names.length === 0 || /^\p{Lu}/u.test(value))
      values.push({ value, from: phrase.bare, to: phrase.to });
    values.push(...names);
    if (names.length === 0) continue;
    // "Two cats (Miso and Soba) and a dog called Gizmo".
    const after = names.at(-1)!.to;
    const goesOn = after > phrase.to && after < end && (tokens[after]!.bits & COORDINATOR) !== 0;
    return goesOn
      ? [...values, ...valuesOf(frame, itemsAt(tokens, after + 1, end), tokens, end, lexicon)]
      : values;
  }
  return values;
}

/** "Allergic to pine nuts, not peanuts": what follows is denied. */
function deniedAfter(frame: Frame, tokens: Reading['tokens'], { to }: Predicate, lexicon: Lexicon): Value[] {
  if (tokens[to]?.lower !== 'not' || to === 0) return [];
  const denied = valuesOf(frame, itemsAt(tokens, to + 1, tokens.length), tokens, tokens.length, lexicon);
  return denied.map(value => ({ ...value, isDenied: true }));
}
