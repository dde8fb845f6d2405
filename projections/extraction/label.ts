const LATIN_MARKS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;
/** Most labels: nothing to fold but their capitals. */
const PLAIN = /^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/;
const EDGES = /^[^\p{L}\p{N}@#]+|[^\p{L}\p{M}\p{N}+#]+$/gu;

/**
 * The form of a label under which it is one entity of a scope: compatibility forms folded, lower case, no accents
 * on Latin letters (other scripts' marks are part of the word), no article, no possessive, single spaces.
 * Never empty for a label that is not: what has no letter or digit stands for itself.
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
