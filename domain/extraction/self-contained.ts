import { GIVEN_NAMES } from './names/known-names.ts';
import { verbOf } from './reading/verbs.ts';
import type { Lexicon } from './sentences/lexicon.ts';
import type { Word } from './sentences/sentences.ts';
import { isAdverb, isAuxiliary, isBase, isFiniteVerb, isPast } from './sentences/verbs.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const PERSONAL = set("he she him her his hers himself herself he's she's he'll she'll he'd she'd");
const PLURAL = set("they them their theirs they're they've they'll they'd themselves theyre");
const NEUTRAL = set("it it's its it'll it'd itself");
const POINTING = set('this these those');
const PERIODS = set(
  'days week weekend month year morning afternoon evening time summer winter spring autumn fall',
);
const DETERMINERS = set(
  'a an the my our your his her their its some any no each every another two three four five six seven eight nine ten many several both all most',
);
const PEOPLE = set(
  'mum mom dad mother father grandma grandpa nana gran nan granny auntie aunt uncle papa mama sister brother wife husband boyfriend girlfriend partner son daughter boss friend cousin doctor teacher someone somebody guy woman man girl boy kid kids baby everyone anyone person',
);
/** Words after which "that" begins a clause with its own subject. */
const SUBJECTS = set(
  "i i'm i've i'd i'll we we're we've we'd we'll he she it they you there he's she's it's they're you're my our your his her their the a an no some people",
);
const BEFORE_POINTER = set(
  'of in on at for with about like from to by than as after before into during over through',
);
/** Verbs whose object is a clause: a second verb may follow. */
const CLAUSAL = set(
  'think thinks thought know knows knew say says said tell tells told hope hopes hoped believe believes feel feels felt guess mean means see saw hear heard find finds found wish wishes realise realised realize realized learn learned learnt decided bet swear remember remembers forgot imagine worry worried make makes made let lets help helps helped watch show shows showed figure heard suggested explained mentioned want wants noticed love loves like likes hate suspect reckon asked ask asks wonder understand',
);
const CONNECTORS = set(
  'that who which whose and but or because if when where what how why than as while since so until before after whether though although once whatever whenever where unless cause cuz except then',
);

const startsName = ({ core, lower }: Word): boolean => {
  const code = core.charCodeAt(0);
  const isUpper = code < 128 ? code >= 65 && code <= 90 : /^\p{Lu}/u.test(core);
  return isUpper && lower !== 'i' && !lower.startsWith("i'");
};

/** Whether the word may point outside; most clauses have no such word. */
const mayPoint = ({ lower }: Word): boolean =>
  PERSONAL.has(lower) ||
  PLURAL.has(lower) ||
  NEUTRAL.has(lower) ||
  POINTING.has(lower) ||
  lower.startsWith('that') ||
  lower === 'there' ||
  lower === 'one' ||
  lower === 'ones';

/**
 * Whether a clause, in its speaker's words, points at something outside of itself: "it", "that", "they" or
 * "he" without an earlier word that they stand for.
 */
export function pointsOutside(words: readonly Word[], lexicon: Lexicon): boolean {
  if (!words.some(mayPoint)) return false;
  let person = false;
  let noun = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { lower } = word;
    if (PERSONAL.has(lower) && !person) return true;
    if (PLURAL.has(lower) && !noun) return true;
    if (NEUTRAL.has(lower) && !noun && !isExpletive(words, at)) return true;
    if (POINTING.has(lower) && !PERIODS.has(words[at + 1]?.lower ?? '')) return true;
    if (/^that(?:'s|'ll|'d)?$/.test(lower) && isPointer(words, at, lexicon)) return true;
    if (
      lower === 'there' &&
      !noun &&
      !/^(?:is|are|was|were|will|has|have|isn't|aren't)$/.test(words[at + 1]?.lower ?? '')
    )
      return true;
    if (
      (lower === 'one' || lower === 'ones') &&
      /^(?:that|this|other|the|same|new|first|second|big|last|next)$/.test(words[at - 1]?.lower ?? '') &&
      (at === words.length - 1 || isAuxiliary(words[at + 1]!.lower)) &&
      !noun
    )
      return true;
    if (
      PEOPLE.has(lower.replace(/'s$/, '')) ||
      GIVEN_NAMES.has(lower.replace(/'s$/, '')) ||
      (startsName(word) && (at > 0 || !lexicon.isCommon(lower)))
    ) {
      person = true;
      noun = true;
    }
    if (DETERMINERS.has(lower) && words[at + 1] !== undefined) {
      noun = true;
      // "The plumber" may be a person, and "he" is then likely the plumber.
      person ||= /(?:er|or|ist|ian|man|woman|lady|nurse|guy|kid|chef|vet|dog|cat|lord|ant|mate)s?$/.test(
        words[at + 1]!.lower,
      );
    }
    if (lower.length > 4 && lower.endsWith('s') && !isAuxiliary(lower) && at > 0 && !isAdverb(lower))
      noun = true;
  }
  return false;
}

/**
 * Whether "it" stands for nothing: "It's hard to", "it took me a year to", "find it hard to", "it's been two
 * years".
 */
function isExpletive(words: readonly Word[], at: number): boolean {
  const rest = words
    .slice(at, at + 7)
    .map(word => word.lower)
    .join(' ');
  return /^it(?:'s| is| was| took| takes)? (?:[\w']+ ){0,4}(?:to|that|since|for me)\b|^it(?:'s| has) been (?:\d|a|an|two|three|four|five)\b|^it (?:is |was )?(?:rain|snow)|^it comes to\b/.test(
    rest,
  );
}

/** Whether the word is a pronoun or a determiner, as "that" can be, not a conjunction or relative pronoun. */
function isPointer(words: readonly Word[], at: number, lexicon: Lexicon): boolean {
  if (words[at]!.lower !== 'that') return true;
  const before = words[at - 1]?.lower ?? '';
  const next = words[at + 1];
  if (next === undefined || words[at]!.tail !== '' || at === 0 || BEFORE_POINTER.has(before)) return true;
  if (SUBJECTS.has(next.lower) || startsName(next) || isAdverb(next.lower)) return false;
  return !(isAuxiliary(next.lower) || (isFiniteVerb(next.lower, lexicon) && !lexicon.isVerb(before)));
}

const MODAL =
  /^(?:can|can't|cannot|could|couldn't|will|won't|would|wouldn't|should|shouldn't|might|must|may)$/;
const followsModal = (words: readonly Word[], from: number, lexicon: Lexicon): boolean =>
  words.slice(from, from + 3).some(
    // "May" and "March" are months.
    ({ lower, core }) =>
      lower === core &&
      (isBase(lower, lexicon) ||
        verbOf(lower) !== undefined ||
        isAuxiliary(lower) ||
        lexicon.isVerb(lower) ||
        lower === 'not'),
  );

/**
 * Whether the words after "I" make no sentence: "I love and acceptance should be everyone's right", "I did my
 * master is in physics". A sentence that lost its verb would read as one about the speaker.
 */
export function isBroken(words: readonly Word[], lexicon: Lexicon): boolean {
  const [first] = words;
  if (first === undefined || !/^(?:i|we|i'm|i've|we're|we've|i'd|i'll|we'll)$/.test(first.lower))
    return false;
  let verb = 1;
  while (
    verb < words.length &&
    (isAdverb(words[verb]!.lower) || /^(?:no|longer|never|not|all|both|each)$/.test(words[verb]!.lower))
  )
    verb++;
  const main = words[verb];
  if (main === undefined) return true;
  const contracted = first.lower.includes("'");
  if (
    !contracted &&
    !isFiniteVerb(main.lower, lexicon) &&
    !isAuxiliary(main.lower) &&
    !isBase(main.lower, lexicon) &&
    verbOf(main.lower) === undefined &&
    main.lower !== 'not'
  )
    return true;
  const next = words[verb + 1]?.lower ?? '';
  // "Can't thurs": no verb follows.
  if (MODAL.test(main.lower) && next !== '' && !followsModal(words, verb + 1, lexicon)) return true;
  const second = words[verb + 2];
  if ((next === 'and' || next === 'or') && second !== undefined && !contracted) {
    const goesOn =
      isBase(second.lower, lexicon) ||
      isPast(second.lower) ||
      isAuxiliary(second.lower) ||
      isAdverb(second.lower) ||
      isFiniteVerb(second.lower, lexicon) ||
      SUBJECTS.has(second.lower);
    if (!goesOn) return true;
  }
  for (let at = verb + 1; at < words.length; at++) {
    const { lower, lead } = words[at]!;
    const before = words[at - 1]!;
    if (
      CONNECTORS.has(lower) ||
      CLAUSAL.has(before.lower) ||
      (SUBJECTS.has(lower) && !DETERMINERS.has(lower)) ||
      /[,;:—–-]/.test(before.tail) ||
      lead !== ''
    )
      return false;
    // An auxiliary right after the first one is a question tag or a slip that the reader corrects.
    if (at > verb + 1 && /^(?:is|are|was|were|has)$/.test(lower) && !CLAUSAL.has(main.lower)) return true;
  }
  return false;
}
