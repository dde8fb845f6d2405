export type Tense = 'past' | 'future' | 'unknown';

const FUTURE =
  /\b(?:will|won't|going to|gonna|plan(?:s|ning)?|hop(?:e|es|ing) to|can't wait|looking forward|upcoming|coming|about to|let's|should|might|must|(?:have|has|needs?|wants?) to|shall|due|(?:scheduled|booked|reserved|planned|set) for)\b|['’](?:ll)\b/i;
const PAST =
  /\b(?:was|were|had|did|didn't|quit|split|cut out|went|got|took|made|saw|met|came|bought|found|felt|left|began|started|gave|told|said|ate|won|lost|ran|wrote|read|spent|taught|heard|kept|brought|been|flew|rode|drove|drew|threw|grew|broke|chose|fell|spoke|woke|sold|sent|paid|slept|swam|sang|sat|stood|drank|caught|thought|held|forgot|became|fought|built|(?!(?:need|feed|seed|speed|exceed|succeed|proceed|hundred)\b)[a-z]{2,}ed)\b/i;
/** "is", or "she moves": the present, unless something in the clause is past. */
const PRESENT = /\b(?:am|is|are|(?:he|she|it)\s+[a-z]{2,}s)\b|['’](?:m|re)\b/i;
/** "Booked for", "moved to" a day: the verb is past, but the day is in the future. */
const APPOINTED =
  /\b(?:(?:booked|scheduled|reserved|planned|arranged|postponed|rescheduled|invited|tickets?|seats|signed up)\b(?:(?!\b(?:and|but|so|was|were)\b)[^,;])*\bfor|(?:moved|postponed|rescheduled) (?:from|to))\s+(?:the\s+)?$/i;
/** "She said the exam is on", "got a train that leaves on": the verb next to the day announces it. */
const ANNOUNCED =
  /(?<!\b(?:was|were|been|had|to|not)\s)\b(?:is|are|isn['’]t|aren['’]t|starts?|begins?|opens?|leaves?|ends?|arrives?|departs?|happens|takes place)(?:\s+(?!been\b|from\b|since\b|not\b)\w+){0,2}\s+(?:the\s+)?$|(?<!\b(?:at|for|left|quit|joined)(?: [\p{L}.]+){1,3})['’]s\s+(?:on|in|at)\s+(?:the\s+)?$/iu;
/** Boundary before a clause with its own subject. */
const CLAUSE_START =
  /(?:[,;:]|\b(?:and|but|so|because))\s+(?=(?:i|we|you|he|she|they|it|my|our|there|the)(?:['’]\w+)?\s)/gi;
const SINCE_OR_FROM = /\b(?:from|since)\s+(?:the\s+)?$/i;

/** Returns the tense by words of the future, then by forms of the past. */
export function tenseOf(text: string): Tense {
  if (FUTURE.test(text)) return 'future';
  return PAST.test(text) ? 'past' : 'unknown';
}

/** Returns where the clause around `position` begins and ends. */
function clauseAt(sentence: string, position: number): readonly [from: number, to: number] {
  let from = 0;
  for (const { index } of sentence.matchAll(CLAUSE_START)) {
    if (index > position) return [from, index];
    from = index;
  }
  return [from, sentence.length];
}

/** Returns the tense at `position`: that of its clause, otherwise of the sentence. */
export function tenseAt(sentence: string, position: number): Tense {
  const [from, to] = clauseAt(sentence, position);
  const before = sentence.slice(from, position);
  if (APPOINTED.test(before) || (ANNOUNCED.test(before) && !SINCE_OR_FROM.test(before))) return 'future';
  const clause = sentence.slice(from, to);
  const tense = tenseOf(clause);
  return tense === 'unknown' && !PRESENT.test(clause) ? tenseOf(sentence) : tense;
}

/**
 * Whether days of the week come back every week: "I work from Monday to Wednesday", "the shop is open", but
 * not "I'm away".
 */
export function isWeekly(sentence: string, position: number): boolean {
  const clause = sentence.slice(...clauseAt(sentence, position));
  if (tenseOf(clause) !== 'unknown') return false;
  return !PRESENT.test(clause) || /\b(?:open|closed|work(?:s|ing)?|office|hours|shifts?)\b/i.test(clause);
}
