/** Reads the attributes that a clause gives its subject: the clause is read once, and frames match on it. */
import type { SaidFact } from '../../../schemas/facts.ts';
import { type DatedSentence, partOfDated } from '../dates/dates.ts';
import { type Predicate, type Reading, readClause } from '../reading/clause.ts';
import { type Complement, complementOf, itemsAt, type Phrase } from '../reading/phrases.ts';
import { textOf } from '../reading/tokens.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import { itemAlone, predicateAlone, subjectWords } from './alone.ts';
import { endIn, keptAfterAll, mayEnd, nextEmployer } from './ends.ts';
import { isLimited, valuesBy } from './frame-values.ts';
import { framesAt, hasFrames } from './frames/by-verb.ts';
import { inverseIn } from './inverse.ts';
import { meant, type Said, type Value } from './meaning.ts';
import { calledOf, deathOf, movedOut } from './names-of-kin.ts';
import { isNarrowed } from './narrowed.ts';
import { BACK_THEN, isMeant, ONCE } from './not-meant.ts';
import { organization } from './organization-type.ts';
import { intended } from './plans.ts';
import { factOfThing } from './things.ts';
import { validFrom } from './valid-from.ts';
import { validUntil } from './valid-until.ts';

/** A clause in the speaker's words, its dates made absolute. */
export interface Clause extends DatedSentence {
  speaker: string;
  /** Names in the sentence that may be a person's. */
  persons: readonly string[];
  timestamp: number;
}

/** A fact of a clause and the words that say it alone, in the speaker's words. */
export interface FactRead {
  fact: SaidFact;
  /** Undefined: the whole clause says it. */
  alone: string | undefined;
}

const SOME = /^(?:much|many|enough|all)$/;
const UNDATED = /^(?:birthday|birthplace|plan|goal|preference|deadline)$/;
const MOST_FACT_LENGTH = 400;
const MOST_CLAUSES = 4;

/** Returns the attributes that a clause gives its subject, in text order; empty where it says none. */
export function factsOfClause(clause: Clause, lexicon: Lexicon): FactRead[] {
  const { text } = clause;
  if (text.length > MOST_FACT_LENGTH) return [];
  const found: FactRead[] = [];
  let rest: string | undefined = text;
  let isUnread = false;
  for (let clauses = 0; rest !== undefined && clauses < MOST_CLAUSES; clauses++) {
    const reading = readClause(rest, clause, lexicon);
    const { next, tokens = [] } = reading ?? {};
    const isPart = rest !== text || next !== undefined;
    if (reading !== undefined) found.push(...factsOf(reading, clause, isPart, lexicon));
    if (next !== undefined) rest = textOf(tokens, next, tokens.length);
    // "We had to cut it, my budget is 6,500 euros now": what isn't understood hides nothing behind it.
    else if (reading === undefined) {
      rest = laterClause(rest);
      isUnread = true;
    } else rest = undefined;
  }
  if (found.length === 0) {
    const inverse = inverseIn(text, lexicon);
    if (inverse !== undefined)
      found.push({ fact: { subject: clause.speaker, ...inverse }, alone: undefined });
  }
  if (found.length > 0 && !isMeant(text)) return [];
  // A single fact: the whole clause says it, unless it tells of a time that is over beside what is now.
  const [only] = found;
  return found.length === 1 && only?.fact.stance !== 'was' && !isUnread
    ? [{ fact: only!.fact, alone: undefined }]
    : found;
}

/** Returns the clause of the speaker behind the first comma; undefined where there is none. */
const laterClause = (text: string) => (CONDITIONAL.test(text) ? undefined : LATER.exec(text)?.[1]);
const CONDITIONAL = /^(?:if|unless|when|suppose|imagine|once|until|what if)\b/i;
const LATER = /, (?:and |but |so )?((?:I|we|my|our|I['’](?:m|ve))\b.*)$/;

function factsOf(reading: Reading, clause: Clause, isPart: boolean, lexicon: Lexicon): FactRead[] {
  const found: FactRead[] = [];
  const several = isPart || reading.predicates.length > 1;
  for (const predicate of reading.predicates) {
    const said = saidOf(reading, predicate, clause, lexicon);
    for (const [index, one] of said.entries()) {
      const first = several ? predicateAlone(reading, predicate) : undefined;
      const alone = index === 0 ? first : itemAlone(reading, predicate, one);
      found.push({ fact: factOf(one, reading, predicate, clause, several), alone });
    }
  }
  return found;
}

function saidOf(reading: Reading, predicate: Predicate, clause: Clause, lexicon: Lexicon): Said[] {
  const { subject, tokens } = reading;
  if (subject.kind === 'thing') return factOfThing(reading, predicate, clause.speaker, lexicon);
  if (subject.kind === 'relation' || subject.kind === 'named') {
    const gone = movedOut(reading, predicate, clause.speaker) ?? deathOf(reading, predicate, clause.speaker);
    if (gone !== undefined) return BACK_THEN.test(clause.text) ? [] : [gone];
    const called = subject.kind === 'relation' ? calledOf(reading, predicate, lexicon) : [];
    if (called.length > 0) return called;
  }
  const { verb } = predicate;
  if (!hasFrames(verb.lemma) && !mayEnd(verb)) return intended(reading, predicate, clause, lexicon);
  if (verb.lemma === 'like' && /,/.test(tokens[verb.at]!.tail)) return []; // "I like, totally forgot"
  const complement = complementOf(tokens, predicate.from, predicate.to);
  if ((verb.intent === undefined || verb.willed) && !verb.denied && !verb.ended) {
    const ended = endIn(reading, predicate, clause.labels, lexicon);
    // An end of long ago is not one of what holds.
    if (ended !== undefined) {
      if (BACK_THEN.test(clause.text) || ONCE.test(clause.text)) return [];
      const isLeft = ended.attribute === 'employer' && ended.stance !== 'plan';
      const next = isLeft ? nextEmployer(reading, predicate, lexicon) : undefined;
      return next === undefined ? [ended] : [ended, next];
    }
  }
  const kept = keptAfterAll(reading, predicate, lexicon);
  if (kept !== undefined) return [kept];
  const found: Said[] = [];
  const lists = new Map<number, Phrase[]>();
  for (const frame of framesAt(verb.lemma, tokens, complement.from, predicate.to)) {
    if (frame.onlyEnded ? !verb.ended : frame.attribute === 'diet' && isLimited(tokens, complement)) continue;
    const values = valuesBy(frame, reading, predicate, complement, lists, lexicon);
    if (values.length === 0 || found.some(({ attribute }) => attribute === frame.attribute)) continue;
    // "They don't speak much English": they speak some.
    const first = values[0]!.from;
    if (verb.denied && tokens.slice(predicate.from, first + 1).some(({ lower }) => SOME.test(lower)))
      continue;
    const isEnd = verb.ended || frame.ended;
    const behind = behindValue(tokens, values.at(-1)!);
    // "I haven't smoked since lunch": not for how long.
    if (
      verb.denied &&
      !isEnd &&
      frame.denied === undefined &&
      verb.tense === 'perfect' &&
      /\bsince\b/.test(clause.text)
    )
      continue;
    if ((isEnd || verb.denied) && isNarrowed(tokens, behind, predicate.to, isEnd ? 'end' : 'denial'))
      continue;
    found.push(...meant(frame, values, predicate, clause, BACK_THEN.test(clause.text)));
  }
  if (found.length > 0) return [...found, ...workplaceOf(found, reading, predicate, complement, lexicon)];
  return intended(reading, predicate, clause, lexicon);
}

/** "Oslo" ends before "city centre", though the phrase goes on. */
const behindValue = (tokens: Reading['tokens'], { value, from, to }: Value): number => {
  const last = value.split(' ').at(-1);
  for (let at = to - 1; at >= from; at--) if (tokens[at]!.core === last) return at + 1;
  return to;
};

/** Returns the workplace beside a job: "a nurse at St Mary's". */
function workplaceOf(
  found: readonly Said[],
  reading: Reading,
  predicate: Predicate,
  { phrases }: Complement,
  lexicon: Lexicon,
): Said[] {
  const { tokens, subject } = reading;
  const job = found.find(({ attribute }) => attribute === 'job');
  if (job === undefined || job.ended || found.some(({ attribute }) => attribute === 'employer')) return [];
  const at = phrases.find(
    ({ preposition, from }) => /^(?:at|for|with)$/.test(preposition) && from > (job.span?.to ?? 0),
  );
  const [phrase] = at === undefined ? [] : itemsAt(tokens, at.from, predicate.to);
  const value = phrase && organization({ tokens, phrase, end: predicate.to, lexicon });
  if (value === undefined || phrase === undefined) return [];
  // A student learns there.
  if (/\b(?:student|pupil|apprentice)$/i.test(job.value)) return [];
  const who = subjectWords(reading);
  const where =
    textOf(tokens, phrase.bare, phrase.to).length > value.length
      ? textOf(tokens, phrase.bare, phrase.to)
      : value;
  return [
    {
      ...job,
      attribute: 'employer',
      value,
      alone: `${who} ${subject.kind === 'self' ? 'work' : 'works'} at ${where}`,
    },
  ];
}

function factOf(
  said: Said,
  { subject, tokens }: Reading,
  predicate: Predicate,
  clause: Clause,
  several: boolean,
): SaidFact {
  const part = several ? textOf(tokens, predicate.start, predicate.to) : clause.text;
  const dated = part === clause.text ? clause : partOfDated(part, clause);
  const { text, labels } = dated;
  const fact: SaidFact = {
    subject: said.of ?? subject.label,
    attribute: said.attribute,
    value: said.value,
  };
  // The date in a plan is that of the event; the plan itself holds from the day on which it is told.
  const isDated = !said.isPast && !said.isDay && !UNDATED.test(said.attribute);
  const from = isDated ? validFrom(text, labels, clause.timestamp) : undefined;
  if (from !== undefined) fact.valid_from = from;
  if (said.ended) fact.ended = true;
  const until = isDated && !said.ended ? validUntil(dated, said, clause.timestamp) : undefined;
  if (until !== undefined) fact.valid_until = until;
  // "My number will be …": what is to come is a plan of its attribute.
  const isToCome = predicate.verb.tense === 'future' && !UNDATED.test(said.attribute);
  return {
    ...fact,
    ...modality(said, predicate, said.about ?? subject.about),
    ...(isToCome && { stance: 'plan' }),
  };
}

/** Members of a fact beyond its value: only what differs from a plain statement is said. */
const modality = (
  { stance = 'holds', adds }: Said,
  { verb }: Predicate,
  about: string | undefined,
): Partial<SaidFact> => ({
  ...(about !== undefined && { about }),
  ...(stance !== 'holds' && { stance }),
  ...(verb.certainty < 1 && { certainty: verb.certainty }),
  ...(adds && { adds: true as const }),
});
