/** "I work at Acme and live in Porto", "I was born in Kutaisi, studied in Delft": one subject, two facts. */
const JOINT = /(?:,? and|,) (?=(?:now |also |just |recently )?[a-z]{2,12} )/g;
const SUBJECT =
  /^(?:I|i|we|We|(?:[Mm]y|[Oo]ur) [\p{L}-]{2,20}(?: \p{Lu}[\p{L}'’-]+)?)(?=['’ ])(?:['’](?:m|ve|d|ll|re|s))?/u;
/** Verbs before a base form, which hides the second verb's tense: "I used to live here and work there". */
const GOVERNED =
  /\b(?:used to|will|would|could|should|might|can|going to|want|wanted|hope|hoping|plan|planning|trying|need|have to|if|n['’]t|never|not|did|like|love|thinking)\b|n['’]t\b|['’](?:ll|d)\b/i;
const NO_VERB =
  /^(?:now |also |just |recently )*(?:a|an|the|my|our|your|his|her|their|in|on|at|of|to|for|with|from|by|is|are|was|were|be|am|but|so|or|and|it|that|this|we|he|she|they|two|three|four|then|like|not|which|who|when|where|because)\b/i;

/** Splits a clause into two with the same subject; the caller checks whether both say something. */
export function halvesOf(text: string): string[] {
  const subject = SUBJECT.exec(text)?.[0].replace(/['’](?:m|ve|d|ll|re|s)$/, '');
  if (subject === undefined) return [];
  for (const cut of text.matchAll(JOINT)) {
    const head = text.slice(0, cut.index);
    const tail = text.slice(cut.index + cut[0].length);
    if (GOVERNED.test(head) || head.length < subject.length + 5) return [];
    if (NO_VERB.test(tail)) continue;
    return [head, `${subject} ${tail}`];
  }
  return [];
}
