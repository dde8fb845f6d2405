import { wordsOf } from './sentences.ts';
import { saysSomething } from './statements.ts';

/** Boundaries between clauses: the second clause is separate if it has its own subject. */
const CLAUSES =
  /:\s+(?=(?:[\p{L}\d]+ ){1,4}(?:my|our|I) |home is )|(?:,?\s+(?:and|but|so)|:)\s+(?=(?:I|i|[Ii]['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|you|you['’](?:re|ve|ll)|let['’]s)\s)|,\s+(?=(?:[Ii]|[Ii]['’](?:m|ve|ll)|we|we['’](?:re|ve|ll)|let['’]s|don['’]t|please|check (?:it|this|them)|what (?:do|about|is)\b|how (?:do|about)\b|(?:do|can|could|would) you\b|any (?:idea|tip|suggestion|advice)|[A-Z][a-z]+ (?:is|has|was|had|will|can't|isn't))\s)/gu;
const MOST_CLAUSES = 5;
const DEPENDENT =
  /^(?:when|while|if|since|because|as|although|though|after|before|once|until|whenever|even|where|by|for|in|on|at|with|without|to|during|despite|instead|from|so)\b|ing\b/i;
/** "… but if we ask them, we": the main clause follows the comma. */
const SUBORDINATE_END = /\b(?:if|when|while|since|because|although|though|after|before|once|until)\b[^,]*$/i;
/** "My dad, he's turning 70": the second part makes its own statement about him. */
const OF_ANOTHER = /(?:,\s+(?:(?:and|but|so)\s+)?|\s+(?:and|but)\s+)(?=(?:he|she)(?:['’](?:s|ll|d))?\s)/gi;

/** Returns the clauses of a sentence that have their own subject: "I" or another common opening. */
export function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  let from = 0;
  CLAUSES.lastIndex = 0;
  while (clauses.length < MOST_CLAUSES - 1) {
    const cut = CLAUSES.exec(sentence);
    if (cut === null) break;
    const head = sentence.slice(from, cut.index);
    // "If you knit me something: my favourite colour is green": the colon begins a statement of its own.
    if (!cut[0].startsWith(':') && DEPENDENT.test(head.slice(0, head.indexOf(' ')))) break;
    if (!cut[0].startsWith(':') && !standsAlone(head, cut[0].trimEnd() === ',')) continue;
    clauses.push(head);
    from = CLAUSES.lastIndex;
  }
  clauses.push(sentence.slice(from));
  return clauses;
}

/**
 * Whether two clauses are separate: "When I was young, I …" is one statement; "and I" after a noun is one
 * subject.
 */
function standsAlone(head: string, beforeComma: boolean): boolean {
  const space = head.indexOf(' ');
  return (
    head.indexOf(' ', space + 1) >= 0 &&
    /\b(?:i|we|my|it|the|our|\w+ed)\b|['’]/i.test(head) &&
    !/^my \w+(?: \w+)?$/i.test(head) &&
    !(beforeComma && SUBORDINATE_END.test(head)) &&
    saysSomething(wordsOf(head), 1)
  );
}

/**
 * Splits off statements about "him" or "her", so that the person named before can replace the pronoun. A
 * question stays whole: its parts would read as statements.
 */
export function partsAboutOthers(sentence: string): string[] {
  if (/[?？]/.test(sentence) || DEPENDENT.test(sentence.slice(0, sentence.indexOf(' ')))) return [sentence];
  const parts: string[] = [];
  let from = 0;
  for (const cut of sentence.matchAll(OF_ANOTHER)) {
    const head = sentence.slice(from, cut.index);
    const isAboutOne = /\b(?:my|our) /i.test(head) || /^(?:and |but |so )?\p{Lu}\p{L}+ /u.test(head);
    if (head.split(' ').length < 3 || !isAboutOne || SUBORDINATE_END.test(head)) continue;
    parts.push(head);
    from = cut.index + cut[0].length;
    if (parts.length === MOST_CLAUSES - 1) break;
  }
  parts.push(sentence.slice(from));
  return parts;
}

const LEADS_ON = /^(?:for|in|at|with|from|to|on|near|until|by|after) /i;
const FRAGMENT_WORDS = 6;
const FINITE =
  /\b(?:is|are|was|were|am|have|has|had|will|would|can|do|did|does|I|we|it|you|he|she|they|let|please)\b|['’]/i;

/** Joins phrases cut off by a full stop to the sentence before: "I signed up. For the half. In Ghent." */
export function withFragments(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    const isFragment =
      before !== undefined &&
      LEADS_ON.test(sentence) &&
      /[^.]\.$/.test(before) &&
      sentence.split(' ').length <= FRAGMENT_WORDS &&
      !FINITE.test(sentence) &&
      before.length < 200;
    if (isFragment)
      joined[joined.length - 1] =
        `${before.slice(0, -1)} ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
    else joined.push(sentence);
  }
  return joined;
}
