/**
 * The persons that an English question is about ("my mother", "Alex from work", "my brother Alex"), and
 * whether a text is about them or about others of the same name.
 */
import { MONTHS } from '../../extraction/dates/calendar.ts';
import { RELATIVES } from '../../extraction/reading/relatives.ts';
import { madeOnce } from '../../facts/made-once.ts';

/** Other words of a relation, and other relations, that are understood here alone. */
const ALSO: Readonly<Record<string, string>> = {
  father: 'da',
  parents: 'folks',
  daughter: 'little girl',
  son: 'wee man|little boy|lad',
  child: 'children|kids',
  partner: 'other half',
  ex: 'ex|ex[- ](?:wife|husband|partner|boyfriend|girlfriend)',
  'in-laws': "(?:wife|husband|partner)[’']?s (?:parents|family|folks)",
  boss: 'line manager',
  colleague: 'team mate',
};
/** Relations with one answer. */
const SAME: Readonly<Record<string, string>> = {
  girlfriend: 'partner',
  boyfriend: 'partner',
  eldest: 'daughter',
  landlady: 'landlord',
};
/** Words that mean others: "the assistant said", "the cleaner option", a baby who is called a son later. */
const NOT_ASKED = new Set(['assistant', 'cleaner', 'intern', 'baby']);
const PETS = new Set(['dog', 'cat']);
const ASKED = RELATIVES.filter(
  ({ attribute, name }) => !NOT_ASKED.has(name) && (attribute !== 'pet' || PETS.has(name)),
);
/** Patterns by the name of a relation; a hyphen may be a space. */
const GROUPS: Record<string, string> = { ...ALSO };
for (const { name, words } of ASKED) {
  const group = SAME[name] ?? name;
  const others = GROUPS[group] === undefined ? [] : [GROUPS[group]];
  GROUPS[group] = [...words.map(word => word.replaceAll('-', '[- ]')), ...others].join('|');
}
/** Longest first: a mother-in-law is no mother. */
const RELATION = Object.values(GROUPS)
  .flatMap(words => words.split(/\|(?![^(]*\))/))
  .sort((a, b) => b.length - a.length)
  .join('|');
/** Where a word begins, in any script: without it a pattern tries each letter of a long one. */
const EDGE = '(?<![\\p{L}\\p{N}])';
const NAME = '\\p{Lu}\\p{L}{1,40}';
const OWNER = "(?:my|our|the|his|her|their|\\p{L}{1,40}['’]s)";
/** "my new brother Alex": the relation, and a name after it. */
const RELATED = new RegExp(
  `${EDGE}${OWNER} (?:(?!${RELATION})[\\p{L}-]{1,40} )?(?<relation>${RELATION})(?!\\p{L})(?!['’]s)(?: is)?(?: called| named|,)?(?: (?<name>${NAME}))?`,
  'giu',
);
/** "Alex, my brother", "Alex is my brother", "Alex from work". */
const NAMED_FIRST = new RegExp(
  `${EDGE}(?<name>${NAME})(?:,| is| was|,? who is|:)? ${OWNER} (?:[\\p{L}-]{1,40} )?(?<relation>${RELATION})(?!\\p{L})`,
  'gu',
);
const FROM_PLACE =
  /(?<![\p{L}\p{N}])(?<name>\p{Lu}\p{L}{1,40}) (?:from|at) (?:the )?(?<place>work|office|school|uni|university|college|gym|church|choir|next door)\b/gu;
const PLACES: Readonly<Record<string, string>> = {
  work: 'colleague',
  office: 'colleague',
  'next door': 'neighbour',
};
/** No longer word in capitals throughout: an abbreviation, or said with stress; "AJ" is a name. */
const CAPITAL = /(?<=\p{L}[,;]? )\p{Lu}(?!\p{Lu}{2,}(?!\p{L}))\p{L}{1,40}/gu;
/** A question is about a few; a text of which more is read is long. */
const MOST_PERSONS = 8;
const MOST_READ = 2_000;
const NO_NAME = new RegExp(
  `^(?:I|The|An|My|Our|Your|His|Her|Their|Who|What|Where|When|Which|Why|How|Does|Did|Is|Are|Was|Were|Has|Have|Can|And|But|So|This|That|Here|He|She|It|They|We|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|${MONTHS.join('|')}|Christmas|Easter|English|French|German|Spanish|Italian|Dutch)$`,
);

const GROUP_OF = Object.entries(GROUPS).map(
  ([group, words]) => [group, new RegExp(`^(?:${words})s?$`, 'i')] as const,
);
const groupOf = (relation: string): string =>
  GROUP_OF.find(([, words]) => words.test(relation))?.[0] ?? relation.toLowerCase();

/** A person as somebody names them: by a relation, a name, or both. */
export interface Mention {
  relation?: string;
  /** In lower case. */
  name?: string;
}

/** The same facts are looked at several times in a recall, and in the next one. */
const known = new Map<string, readonly Mention[]>();
const MOST_KNOWN = 256;
/** In characters: a fact is a sentence. */
const LONGEST_KNOWN = 400;

const related = (text: string): readonly Mention[] => {
  if (text.length > LONGEST_KNOWN) return mentionsIn(text.slice(0, MOST_READ));
  let mentions = known.get(text);
  if (mentions === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    mentions = mentionsIn(text);
    known.set(text, mentions);
  }
  return mentions;
};

interface Text {
  text: string;
}

/** Facts that stay the same objects are read once. */
const mentionsOf = madeOnce(({ text }: Text): readonly Mention[] => related(text));

const mentionsIn = (text: string): Mention[] => {
  const found: Mention[] = [];
  for (const { groups } of text.matchAll(RELATED))
    found.push({
      relation: groupOf(groups!.relation!),
      // The flag that takes relations in any case takes names too.
      ...(groups!.name && /^\p{Lu}/u.test(groups!.name) && { name: groups!.name.toLowerCase() }),
    });
  for (const { groups } of text.matchAll(NAMED_FIRST))
    if (!NO_NAME.test(groups!.name!))
      found.push({ relation: groupOf(groups!.relation!), name: groups!.name!.toLowerCase() });
  for (const { groups } of text.matchAll(FROM_PLACE))
    found.push({ relation: PLACES[groups!.place!] ?? groups!.place!, name: groups!.name!.toLowerCase() });
  return found;
};

/** Returns the persons that a question is about; its first word is no name. */
export const askedPersons = (question: string): Mention[] => {
  const mentions = related(question);
  const named = new Set(mentions.map(({ name }) => name));
  const names = [...question.matchAll(CAPITAL)]
    .map(([name]) => name)
    .filter(name => !NO_NAME.test(name) && !named.has(name.toLowerCase()));
  const others = [...new Set(names.map(name => name.toLowerCase()))].map(name => ({ name }));
  return [...mentions, ...others].slice(0, MOST_PERSONS);
};

/** Relations that stand without an owner: "Mum is vegetarian". */
const BARE = new Map(
  Object.entries(GROUPS)
    .filter(([group]) => /^(?:mother|father|parents|grand(?:mother|father|parents))/.test(group))
    .map(([group, words]) => [group, new RegExp(`(?<!\\p{L})(?:${words})(?![\\p{L}-])`, 'iu')] as const),
);

export type Bearing = 'same' | 'other' | undefined;

/** Names by relation ("brother": "lachie"), as some texts tell them. */
export type NamesByRelation = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns names by relation, of texts that may name persons who are asked about by their relation alone. */
export const namesByRelation = (asked: readonly Mention[], said: readonly Text[]): NamesByRelation => {
  const names = new Map<string, Set<string>>();
  const relations = asked.flatMap(({ relation, name }) => (relation && name === undefined ? [relation] : []));
  if (relations.length === 0) return names;
  const telling = said.filter(({ text }) => relations.some(relation => mayName(text, relation)));
  for (const { relation, name } of telling.flatMap(mentionsOf))
    if (relation !== undefined && name !== undefined)
      names.set(relation, (names.get(relation) ?? new Set()).add(name));
  return names;
};

const placesOf = (group: string): string[] =>
  Object.entries(PLACES).flatMap(([place, of]) => (of === group ? [place] : []));
const WORDS_OF = new Map(
  Object.entries(GROUPS).map(([group, words]) => [
    group,
    new RegExp(`(?<!\\p{L})(?:${[words, ...placesOf(group)].join('|')})s?(?!\\p{L})`, 'iu'),
  ]),
);
/** A cheap test that settles most texts: whether the relation's words are there at all. */
const mayName = (text: string, relation: string): boolean =>
  WORDS_OF.get(relation)?.test(text.slice(0, MOST_READ)) ?? true;

const LETTER = /[\p{L}\p{N}]/u;
const hasWord = (text: string, word: string): boolean => {
  const lower = text.slice(0, MOST_READ).toLowerCase();
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
    if (!LETTER.test(lower.charAt(at - 1)) && !LETTER.test(lower.charAt(at + word.length))) return true;
  return false;
};

const bearingOn = (
  { relation, name }: Mention,
  { text, role }: { text: string; role: string },
  mentions: () => readonly Mention[],
  known: NamesByRelation,
): Bearing => {
  if (name !== undefined) {
    if (!hasWord(text, name)) return hasWord(role, name) ? 'same' : undefined;
    if (relation === undefined) return 'same';
    const ofName = mentions().filter(one => one.name === name && one.relation !== undefined);
    return ofName.length === 0 || ofName.some(one => one.relation === relation) ? 'same' : 'other';
  }
  const isNamed = mayName(text, relation!) && mentions().some(one => one.relation === relation);
  if (isNamed || BARE.get(relation!)?.test(text)) return 'same';
  const names = [...(known.get(relation!) ?? [])];
  return names.some(one => hasWord(text, one) || hasWord(role, one)) ? 'same' : undefined;
};

/**
 * Returns whether a turn or a fact is about a person that is asked about, or only about another one of the
 * same name; undefined where nothing tells.
 */
export const bearing = (
  asked: readonly Mention[],
  said: { text: string; role: string },
  known: NamesByRelation,
): Bearing => {
  let read: readonly Mention[] | undefined;
  const mentions = (): readonly Mention[] => {
    read ??= mentionsOf(said);
    return read;
  };
  const all = asked.map(one => bearingOn(one, said, mentions, known));
  return all.includes('same') ? 'same' : all.includes('other') ? 'other' : undefined;
};

/** Whether a text may be about another one of a name: by the name alone everybody is meant. */
export const mayBeOther = (asked: readonly Mention[]): boolean =>
  asked.some(({ relation, name }) => relation !== undefined && name !== undefined);

/** Whether a person is asked about by a name that several people have, and by nothing else. */
export const isAmbiguous = (asked: readonly Mention[], said: readonly Text[]): boolean => {
  const names = asked.flatMap(({ name, relation }) => (name && relation === undefined ? [name] : []));
  return names.some(name => {
    const mentions = said.filter(({ text }) => hasWord(text, name)).flatMap(mentionsOf);
    return new Set(mentions.flatMap(one => (one.name === name ? [one.relation] : []))).size > 1;
  });
};
