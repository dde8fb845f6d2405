import { GIVEN_NAMES } from '../../names/known-names.ts';
import { ANIMAL, relationOf } from '../../reading/relations.ts';
import { isUpper, textOf } from '../../reading/tokens.ts';
import { type Frame, frame } from '../frame.ts';
import { singular } from '../names-of-kin.ts';
import {
  calledIn,
  counted,
  type Item,
  isOneOf,
  matching,
  person,
  type ValueType,
  wordsIn,
} from '../values.ts';

const STATUS =
  'single|married|engaged|divorced|widowed|separated|newlywed|in a relationship|in a long-distance relationship|in an open relationship';
const ANIMALS = new Set(
  ANIMAL.split('|')
    .flatMap(each => [each, `${each}s`, `${each}es`])
    .concat('puppies bunnies ponies mice fish parrots birds bird'.split(' ')),
);

/** The speaker's own name: only one that people have, since "I'm Tired" is no name. */
const ownName: ValueType = item => {
  const { tokens, phrase } = item;
  const name = person(item);
  // "My son is a Leo".
  if (name === undefined || name.split(' ').length > 2 || phrase.bare < phrase.from) return undefined;
  const after = tokens[phrase.from + name.split(' ').length];
  const ends =
    after === undefined ||
    /^(?:and|from|but|by|the)$/.test(after.lower) ||
    /[,.!]/.test(tokens[phrase.from + name.split(' ').length - 1]!.tail);
  return ends && GIVEN_NAMES.has(name.toLowerCase().split(' ', 1)[0]!) ? name : undefined;
};
const nickname: ValueType = ({ tokens, phrase }) =>
  isUpper(tokens[phrase.from]!) ? textOf(tokens, phrase.from, phrase.from + 1) : undefined;
const fullName: ValueType = item => person(item);

/** The relation that a counted phrase names: `sibling` for "two brothers". */
const relationIn = ({ tokens, phrase }: Item): string | undefined => {
  for (let at = phrase.to - 1; at >= phrase.from; at--) {
    const { lower } = tokens[at]!;
    const found = relationOf(lower) ?? relationOf(singular(lower));
    if (found !== undefined) return found;
    if (lower === 'siblings' || lower === 'sibling') return 'sibling';
    if (/^(?:girls?|boys?|twins|triplets|bab(?:y|ies)|infants?)$/.test(lower)) return 'child';
    if (ANIMALS.has(lower)) return 'pet';
    if (/^(?:called|named)$/.test(lower)) continue;
  }
  return undefined;
};

/** A name after "called", or the words for how many: "Comet", "two cats". */
const COUNTED = new Set(['child', 'sibling', 'pet', 'relative', 'roommate']);

const kin =
  (attribute: string): ValueType =>
  item => {
    const { tokens, phrase } = item;
    const called = calledIn(item);
    const end = called === undefined ? phrase.to : called - 1;
    const head = { ...item, phrase: { ...phrase, to: Math.max(phrase.from + 1, end) } };
    if (relationIn(head) !== attribute || !counted(item)) return undefined;
    // "A dog walker", "a photo of a dog": the animal is not what one has.
    const last = tokens[head.phrase.to - 1]!.lower;
    if (
      relationOf(last) === undefined &&
      relationOf(singular(last)) === undefined &&
      !ANIMALS.has(last) &&
      !/^(?:girls?|boys?|twins|triplets|bab(?:y|ies)|siblings?|pup|pup(?:py|pies)|retriever|infants?)$/.test(
        last,
      )
    )
      return undefined;
    if (
      /^(?:photo|picture|toy|book|fear|video|love|stuffed|plush|hot|corn|sister)$/.test(
        tokens[phrase.from]!.lower,
      )
    )
      return undefined;
    if (called !== undefined) {
      const name = person({
        ...item,
        phrase: { from: called, to: Math.min(item.end, called + 3), bare: called },
      });
      if (name !== undefined) return name;
    }
    if (!COUNTED.has(attribute)) return undefined;
    // A relative in general ("my boss") is no value, and an appointment is no dentist.
    return wordsIn({ ...item, phrase: { ...phrase, from: phrase.bare, to: head.phrase.to } })?.replace(
      /^(?:an?|the) /i,
      '',
    );
  };

/** "Engaged", not "engaged in a debate" or "married to the job". */
const status: ValueType = item => {
  const text = isOneOf(STATUS)(item);
  const next = item.tokens[item.phrase.to];
  return next !== undefined &&
    item.phrase.to < item.end &&
    /^(?:to|in|by|from)$/.test(next.lower) &&
    !/^[,.;]/.test(item.tokens[item.phrase.to - 1]!.tail)
    ? undefined
    : text;
};

const widowed: ValueType = item => (isOneOf('widow|widower')(item) === undefined ? undefined : 'widowed');
/** "Married to Ben": the word before "to", where a person follows. */
const statusBefore: ValueType = item =>
  person(item) === undefined ? undefined : item.tokens[item.phrase.bare - 2]?.lower;

/** "I've been with Nadia for two years", not "I'm with Nadia at the pool". */
const forLong: ValueType = item => {
  const { tokens, phrase, end } = item;
  const isLong =
    tokens[phrase.from - 2]?.lower === 'been' &&
    tokens.slice(phrase.from, end).some(({ lower }) => lower === 'for' || lower === 'since');
  if (isLong) return person(item);
  // "I'm with Charlie now": nothing else follows.
  const name = tokens[phrase.from + 1]?.lower === 'now' && phrase.from + 2 >= end ? person(item) : undefined;
  return name !== undefined && GIVEN_NAMES.has(name.toLowerCase()) ? name : undefined;
};

/** A relative with a name: "a therapist, Miriam Adler", not any therapist. */
const named =
  (attribute: string): ValueType =>
  item => {
    if (relationIn(item) !== attribute || !counted(item)) return undefined;
    const next = item.phrase.to;
    if (!/,/.test(item.tokens[next - 1]?.tail ?? '') || next >= item.end) return undefined;
    return person({ ...item, phrase: { from: next, to: Math.min(item.end, next + 3), bare: next } });
  };

/** "I'm seeing Tom", not "I'm seeing Dune tonight" or "Taylor Swift in May". */
const seen: ValueType = item => {
  const name = person(item);
  const next = item.tokens[item.phrase.to];
  const goesOn =
    item.phrase.to < item.end &&
    next !== undefined &&
    !/^(?:for|since|these|now|again|lately|and|but|any|anymore)$/.test(next.lower);
  // "I saw Anna" met her.
  const isMet = item.tokens[item.phrase.bare - 1]?.lower === 'saw';
  return name === undefined || goesOn || isMet || name.includes(' ') || !GIVEN_NAMES.has(name.toLowerCase())
    ? undefined
    : name;
};

/** "Registered with Dr Haddad". */
const doctorNamed: ValueType = item => {
  const name = person(item);
  return name !== undefined && /^Dr\b/.test(name) ? name : undefined;
};

const KINDS = [
  'sibling',
  'relative',
  'roommate',
  'partner',
  'therapist',
  'dentist',
  'boss',
  'teacher',
  'landlord',
  'child',
  'pet',
] as const;

export const PEOPLE_FRAMES: readonly Frame[] = [
  frame('name', 'state', 'be', '', ownName),
  frame('name', 'state', 'be', 'called', fullName),
  frame('nickname', 'state', 'go', 'by', nickname),
  frame('partner', 'state', 'be', 'married|engaged|betrothed to', person),
  frame('partner', 'state', 'date', '', person),
  frame('partner', 'state', 'see', '', seen),
  frame('partner', 'state', 'be', 'together with', person),
  frame('partner', 'state', 'be', 'in a relationship with', person),
  frame('partner', 'state', 'go', 'with', person, { particle: 'out' }),
  frame('partner', 'event', 'marry', '', person),
  frame('partner', 'event', 'get', 'engaged|married|together to|with', person),
  frame('partner', 'event', 'start begin', 'dating|seeing', person),
  frame('partner', 'end', 'be', 'single again', () => ''),
  frame('relationship_status', 'state', 'be', '', status),
  frame('relationship_status', 'state', 'be', 'in a', matching(/^relationship\b/, 'in a relationship'), {
    alone: "I'm in a relationship",
  }),
  frame('relationship_status', 'state', 'be', 'married to', statusBefore, { alone: "I'm married" }),
  frame('relationship_status', 'state', 'be', 'a', widowed),
  frame('relationship_status', 'state', 'be', 'engaged to', statusBefore, { alone: "I'm engaged" }),
  frame('relationship_status', 'event', 'get', 'married to', statusBefore, { alone: 'I got married' }),
  frame('relationship_status', 'event', 'get', 'engaged to', statusBefore, { alone: 'I got engaged' }),
  frame('partner', 'end', 'be', 'divorced', () => '', { alone: "I don't have a partner any more" }),
  frame('partner', 'end', 'be', 'a widow|widower', () => '', { alone: "I don't have a partner any more" }),
  frame('relationship_status', 'event', 'get', '', status),
  ...(['therapist', 'dentist', 'doctor'] as const).map(kind =>
    frame(kind, 'state', 'see have', '', named(kind)),
  ),
  ...(['dentist', 'doctor', 'therapist'] as const).map(kind => frame(kind, 'state', 'go', 'to', named(kind))),
  frame('doctor', 'state', 'be', 'registered with', doctorNamed),
  frame('therapist', 'end', 'finish stop quit end', 'therapy|counselling|counseling', () => ''),
  frame('partner', 'state', 'be', 'with', forLong),
  ...KINDS.map(kind =>
    frame(kind, 'state', kind === 'pet' ? 'have own keep' : 'have', '', kin(kind), { list: true }),
  ),
  frame('child', 'event', 'adopt', '', kin('child'), { list: true }),
  frame('pet', 'event', 'adopt get rescue buy foster', '', kin('pet'), { list: true }),
  frame('roommate', 'state', 'live', '~with', person, { list: true }),
  frame(
    'roommate',
    'state',
    'share',
    'a|an|the|our big|small|little|student|nice|two-bed|two-bedroom? flat|house|apartment|room|place|studio with',
    person,
    { list: true },
  ),
  frame('boss', 'state', 'report', 'to', person),
  frame('friend', 'state', 'be', 'friends with', person),
];
