const LATIN_MARKS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;
/** Matches most labels, which only need lower case. */
const PLAIN = /^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/;
const EDGES = /^[^\p{L}\p{N}@#]+|[^\p{L}\p{M}\p{N}+#]+$/gu;

/**
 * Returns the form of a label that identifies an entity in a scope: compatibility forms folded, lower case,
 * no accents on Latin letters (other scripts' marks are part of the word), no article, no possessive, single
 * spaces. Empty only for an empty label: one without letters and digits stays unchanged.
 */
export function normaliseLabel(label: string): string {
  if (PLAIN.test(label) && !/^the /i.test(label)) return label.toLowerCase();
  const folded = label.normalize('NFKD').replace(LATIN_MARKS, '$1').normalize('NFKC').toLowerCase();
  const bare = folded
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(EDGES, '')
    .replace(/'s$/, '')
    .replace(/^the (?=.)/, '');
  return bare === '' ? folded.trim() : bare;
}
