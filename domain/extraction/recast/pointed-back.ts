/** Pronouns whose noun stands in the same sentence: "I can't eat kiwi, I'm allergic to it". */

/** The noun that a statement of the speaker points back to. */
const OBJECT =
  /(?:^(?:and |also |oh,? )?|\b(?:eat|drink|have|touch|take|play|like|love|stand|try|bought|got) (?:any |the |a |an )?)(\p{L}[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?), (?:and |but |so |because )?((?:I|we)(?:['’](?:m|ve|re))? (?:[\p{L}'’]+ ){0,3}?(?:allergic to|love|hate|eat|like|dislike|prefer|avoid|stand|have|play|take|drink)) (?:it|them|that|those)(?=$|[,.;!]| (?:as well|too|every|all|so|now|since|for)\b)((?: as well| too)?)/iu;
/** "My wife, her number is …", "my boyfriend along, he's called Stefan". */
const THEIRS =
  /\b(?:my|our) ([\p{L}-]+(?: \p{Lu}\p{L}+)?)(?: (?:along|too|with us|with me|instead))?[,;]? (?:and |but )?(?:his|her|their) ((?:[\p{L}-]+ ){0,2}(?:number|name|birthday|address|e-?mail|phone|car|job|boss|surname|age|favou?rite \p{L}+)) (is|was|are)\b([^,;]*)/iu;
/** "Ana stopped nursing, she's a florist now". */
const SAME_PERSON =
  /^(\p{Lu}\p{L}+)(?:['’]s| is| has)? ([^,;]{3,60}), (?:and |but |so )?(?:she|he)(['’](?:s|ll)|) (.+)$/u;

/** Returns statements with the noun in place of the pronoun. */
export function pointedBack(text: string): string[] {
  if (!text.includes(',')) return [];
  const found: string[] = [];
  const [, what, head, too] = / (?:it|them|that|those)(?=$|[ ,.;!])/.test(text)
    ? (OBJECT.exec(text) ?? [])
    : [];
  if (what !== undefined) found.push(`${head} ${what.charAt(0).toLowerCase()}${what.slice(1)}${too}`);
  const [, who, noun, is, value] = / (?:his|her|their) /.test(text) ? (THEIRS.exec(text) ?? []) : [];
  if (who !== undefined) found.push(`My ${who}'s ${noun} ${is}${value}`);
  const same = /, (?:and |but |so )?s?he\b/.test(text) ? SAME_PERSON.exec(text) : null;
  // Another name in between may be the one that is meant.
  if (same !== null && !/\p{Lu}/u.test(same[2]!)) {
    const verb = same[3] === '' ? '' : /ll$/.test(same[3]!) ? ' will' : ' is';
    found.push(`${same[1]}${verb} ${same[4]}`);
  }
  return found;
}
