/** Things and illnesses that are over: "our Panda was scrapped", "No more flu, I am well again". */

const WHEN =
  '(?=$|[,.;!]| (?:today|yesterday|last|this|on|in|from|at|after|by|and (?:I|we)|because|while|since|when)\\b)';
const THING =
  '(?<whose>[Mm]y|[Oo]ur|(?:[Tt]he|[Tt]hat)(?= \\p{Lu})) (?<what>(?:(?:old|new|poor) )?[\\p{L}\\d-]+(?: [\\p{Lu}\\d][\\p{L}\\d-]*){0,2})';
/** "My bike was stolen", "the Panda's been scrapped", "my Canon is gone for good". */
const GONE = new RegExp(
  `(?:^|[,;:] |\\b(?:and|but|so) )${THING}(?:(?: (?:was|got|is|has been|had to be)|['’]s been)(?: just| finally| now)? (?:stolen|nicked|scrapped|written off|totalled|given away)| [^,.;!]{0,40}?\\b(?:is|are|['’]s) gone for good)${WHEN}(?! (?:and|but) (?:then|they|found|got it))`,
  'u',
);
/** "Somebody stole my bike". */
const STOLEN = new RegExp(
  `\\b(?:[Ss]omeone|[Ss]omebody|[Tt]hey|[Tt]hieves|[Aa] thief|[Ss]ome \\p{Ll}+)(?: has| have|['’]ve)? (?:stole|stolen|nicked|pinched) ${THING}${WHEN}`,
  'u',
);
const FOUND_AGAIN = /\b(?:back|found|returned|recovered|replaced|nearly|almost|should|insured)\b/i;
/** "No more bronchitis, I'm healthy again", "no more insulin for me". */
const NO_MORE =
  /^[Nn]o more ([\p{L}][\p{L} '’-]{2,30}?)(?:,? I['’]m (?:healthy|well|fine|fit|cured|myself|all right|alright|good|OK|ok)\b| for me(?=$|[,.;!]| (?:since|as of|from)\b))/u;
/** "My knee has healed up". */
const HEALED =
  /(?:^|[,;:] |\b(?:and|but|so) )([Mm]y (?:\p{Ll}+ )?(?!ha(?:s|ve)\b)\p{Ll}+?)(?: has| have|['’]s)? (?:finally |now |fully |completely |totally )*(?:healed|cleared up|mended)(?: up| completely| fully| nicely| now| again)*(?=$|[,.;!]| (?:and|so|after|in|by)\b)/u;

/** "I don't know how to say this, but Arthur died on Thursday". */
const DIED_BEHIND =
  /, (?:but|and|so) (?!(?:He|She|It|They|We|You|Nobody|Who)\b)(\p{Lu}\p{Ll}{1,20} (?:has |sadly |just )*(?:died|passed away)\b[^;?]{0,60})$/u;
/** "I let my Deezer subscription lapse", "our Netflix subscription has run out". */
const LAPSED =
  /\b(?:let (?:my|our|the) (?:subscription to )?(?:the )?(?<let>\p{Lu}[\p{L}+]*(?: \p{Lu}[\p{L}+]*)?)(?: subscription| membership)? (?:lapse|run out|expire|go)|(?:[Mm]y|[Oo]ur) (?<name>\p{Lu}[\p{L}+]*(?: \p{Lu}[\p{L}+]*)?) (?:subscription|membership) (?:has |was |is )?(?:just |now )?(?:run out|ran out|expired|lapsed|over|cancelled|ended))(?=$|[,.;!]| (?:and|so|last|this|in|on|yesterday|today)\b)/u;

// String searches are cheaper than the patterns, which most sentences don't need.
const LOST = [
  'stole',
  'nicked',
  'pinched',
  'scrapped',
  'written off',
  'totalled',
  'given away',
  'gone for good',
];
const HEALS = ['healed', 'cleared', 'mended'];

/** Returns what somebody has no longer, as plain sentences. */
export function goneIn(text: string): string[] {
  const thing = LOST.some(word => text.includes(word))
    ? (GONE.exec(text) ?? STOLEN.exec(text))?.groups
    : undefined;
  if (thing !== undefined)
    return FOUND_AGAIN.test(text)
      ? []
      : [`I no longer have ${thing.whose!.toLowerCase()} ${thing.what!.replace(/^(?:old|new|poor) /, '')}`];
  const [, died] =
    text.includes(', ') && / (?:died|passed away)\b/.test(text) ? (DIED_BEHIND.exec(text) ?? []) : [];
  if (died !== undefined) return [died];
  const lapsed =
    text.includes('let ') || text.includes(' subscription') || text.includes(' membership')
      ? LAPSED.exec(text)?.groups
      : undefined;
  if (lapsed !== undefined) return [`I no longer have a subscription to ${lapsed.let ?? lapsed.name}`];
  const [, over] = text.startsWith('o more ', 1) ? (NO_MORE.exec(text) ?? []) : [];
  if (over !== undefined) return [`I no longer have ${over}`, `I no longer take ${over}`];
  const [, healed] = HEALS.some(word => text.includes(word)) ? (HEALED.exec(text) ?? []) : [];
  return healed === undefined ? [] : [`${healed} is healed`];
}
