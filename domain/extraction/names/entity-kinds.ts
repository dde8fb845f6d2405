import type { EntityKind } from '../../../schemas/extraction.ts';
import { GIVEN_NAMES, ORGANIZATIONS, PLACES, PRODUCTS } from './known-names.ts';

export type { EntityKind } from '../../../schemas/extraction.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const HONORIFICS = set(
  'mr mrs ms dr prof professor sir captain president uncle aunt auntie judge pastor father sister saint',
);
const PLACE_WORDS = set(`
park beach street avenue road lane boulevard lake river mountain mountains mount island islands city town village valley canyon falls
square bridge bay coast desert forest ocean sea peninsula district county province harbor harbour airport station castle palace tower
plaza peak hills hill springs garden gardens zoo trail cafe restaurant hotel`);
const ORGANIZATION_WORDS = set(`
inc corp ltd llc gmbh co company corporation university college school institute foundation bank hospital church club association society
agency department ministry group fc united union council committee team academy center centre museum library charity airlines studios
records labs lab league orchestra band`);
const PLACE_FIRST = set('mount lake mt mt. fort port san santa saint st st.');
const PERSON_BEFORE = set(`
named friend sister brother wife husband son daughter cousin mother father colleague boss neighbor neighbour girlfriend boyfriend
partner uncle aunt auntie coach teacher niece nephew roommate flatmate housemate grandfather grandmother grandson granddaughter grandpa
grandma fiance fiancee fiancé fiancée guy girl lady lad tutor coworker dating married marry met hey hi hello dear bonjour bonsoir ciao hola i'm`);
/** "Lives with Bettina", "his name is Anselm", "God bless you Marlon". */
const PERSON_PHRASE =
  /\b(?:lives?|lived|living|chat|chatted|argued|lunch|dinner|coffee) with$|\bmarried to$|\bnames? is$|\bname's$|\bcall(?:s|ed)? (?:me|him|her)$|\b(?:bless|thank) you$|\bi am$/;
/** "Ask Priyanka": verbs whose object is a person. */
const PERSON_VERB = /\b(?:told|tell|asked|ask|invited|invite|texted|text|married|hugged|kissed|dated)$/;
/** "Anselm who used to", "Lubna herself", "Greta and I". */
const PERSON_AFTER =
  /^(?:who|whom|herself|himself|texted|laughed|cried|hugged|smiled|thinks|thought|told (?:me|us|him|her|them)|and (?:i|me|his|her))\b/;
/** Nouns that a person owns: "Lubna's band", "Sylvester's boy". */
const OWNED = set(`
boy girl band head mum mom dad mother father brother sister wife husband son daughter kid kids baby boyfriend girlfriend partner friend
friends cousin aunt uncle house place flat room kitchen car bike dog cat birthday wedding party funeral turn fault voice face hair family
parents mother's letter letters knee shoulder roommate flatmate garden cooking surgery thing`);
const PETS = set(
  'dog cat puppy kitten pup hamster rabbit bunny parrot tortoise horse pony hen chicken goldfish whippet terrier',
);
export const PLACE_BEFORE = set(`
in to from near visit visited visiting around across explore explored exploring toward towards through outside`);
/** "Went to", "comes from": without such a verb, a person or a company may follow "to" or "from". */
const PLACE_PHRASE =
  /\b(?:in|near|visit|visited|visiting|around|across|explore|explored|exploring|through|outside)$|\b(?:go|goes|went|going|gone|move|moved|moving|trip|travel|travelled|traveled|traveling|travelling|flew|fly|flying|drive|drove|driving|been|back|relocated|flight|train|came|come|comes|originally|am|i'm|is|are) (?:to|from)$/;
const WORK_BEFORE =
  /\b(?:work|works|worked|working|job|employed|intern|interned|internship|hired|joined|ceo|founder|engineer|manager) (?:at|for|by|with|of)$|\bjoined$|\b(?:graduated|studied|studying|study|student|degree|lecturer|phd|enrolled) (?:from|at)$/;
const PRODUCT_BEFORE = set(`
bought buy use uses using used play plays playing played ordered installed downloaded drive drives driving owns`);
/** "A studio, Lindqvist Amadi", "a company called Quent", "a pub called the Hen", "a crate of Orval". */
const APPOSITIONS: readonly (readonly [RegExp, EntityKind])[] = [
  [
    /\b(?:company|firm|startup|agency|studio|bank|employer|charity|publisher|brewery|supplier|brand)(?: (?:called|named))?$/,
    'organization',
  ],
  [
    /\b(?:pub|bar|café|cafe|restaurant|hotel|village|town|city|suburb|island)(?: (?:called|named|of))?$/,
    'place',
  ],
  [
    /\b(?:app|game|tool|laptop|phone)(?: (?:called|named))?$|\b(?:bottle|crate|pint|can|pack|jar|box|bar) of$/,
    'product',
  ],
];
/** "The Premium Duo plan". */
const PRODUCT_AFTER = /^(?:app|plan|phone|laptop|console|subscription|software)\b/;
/** "Vester street", "Geneva canton". */
const PLACE_AFTER = /^(?:street|road|avenue|lane|square|canton|county|district|wing|ward|beach|station)\b/;

const kinds = (names: ReadonlySet<string>, kind: EntityKind): [string, EntityKind][] =>
  [...names].map(name => [name, kind]);
/** All lists in one; later lists win, so a name in several of them is an organization first. */
const KNOWN = new Map([
  ...kinds(GIVEN_NAMES, 'person'),
  ...kinds(PLACES, 'place'),
  ...kinds(PRODUCTS, 'product'),
  ...kinds(ORGANIZATIONS, 'organization'),
]);

/** Returns the kind of a listed name, looked up by its lower-case form. */
export const knownKind = (lower: string): EntityKind | undefined => KNOWN.get(withoutAccents(lower));
export const isGivenName = (lower: string): boolean => GIVEN_NAMES.has(withoutAccents(lower));

const NOT_PLAIN = /[^\0-\x7f]/;
/** Removes accents, since the lists are in plain Latin letters: "josé" is looked up as "jose". */
function withoutAccents(lower: string): string {
  return NOT_PLAIN.test(lower) ? lower.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : lower;
}

/** Returns the kind of a listed name as spelled: short ones count only in capitals ("EU", not "Eu"). */
export function listedKind(label: string): EntityKind | undefined {
  const lower = label.toLowerCase();
  return label.length <= 3 && label !== label.toUpperCase() && !GIVEN_NAMES.has(lower)
    ? undefined
    : knownKind(lower);
}

/** The words around a name, in lower case. */
export interface Around {
  /** The two words before it. */
  before: string;
  /** The two words after it. */
  after: string;
  /** Whether a possession follows, as in "Greta's". */
  possessive: boolean;
  /** Whether the name is a word of the dictionary: "in Finance", "in Notion". */
  common: boolean;
}

/**
 * Decides the kind of a name by its own words, then by the lists, then by the words around it; `other` if
 * none of them tells.
 * @param parts the words of the name
 */
export function kindOf(parts: readonly string[], around: Around): EntityKind {
  const { before, after, possessive } = around;
  const label = parts.join(' ');
  const first = parts[0]!.toLowerCase();
  const last = parts.at(-1)!.toLowerCase().replace('.', '');
  const previous = before.slice(before.lastIndexOf(' ') + 1);
  const next = after.split(' ', 1)[0]!;
  const several = parts.length > 1;
  if (several && HONORIFICS.has(first.replace('.', ''))) return 'person';
  if (several && PLACE_WORDS.has(last)) return 'place';
  if (several && (ORGANIZATION_WORDS.has(last) || first === 'university')) return 'organization';
  if (several && PLACE_FIRST.has(first)) return 'place';
  const listed = listedKind(label);
  if (isGivenName(first)) {
    // Some given names are also places: "in Charlotte" is the city.
    if (listed !== 'person' && PLACES.has(label.toLowerCase()) && PLACE_PHRASE.test(before) && !possessive)
      return 'place';
    return several && listed !== undefined && listed !== 'place' ? listed : 'person';
  }
  if (listed !== undefined) return listed;
  const maker = several ? knownKind(first) : undefined;
  if (maker === 'organization' || maker === 'product') return 'product';
  if (/\d/.test(label) && /[a-z]/i.test(label)) return 'product';
  if (/^[A-Z]{2,6}$/.test(label)) return WORK_BEFORE.test(before) ? 'organization' : 'other';
  if (!several && /^(?:Mc|Mac|O['’])[A-Z]/.test(label)) return 'person';
  if (!several && /[a-z][A-Z]/.test(label) && !/^(?:Le|De|La|Di|Du|Van)[A-Z]/.test(label)) return 'product';
  return kindAround(several, previous, next, around);
}

function kindAround(
  several: boolean,
  previous: string,
  next: string,
  { before, after, possessive, common }: Around,
): EntityKind {
  if (PETS.has(previous) || PETS.has(before.split(' ', 1)[0]!)) return 'other';
  const apposition = APPOSITIONS.find(([words]) => words.test(before));
  if (apposition !== undefined) return apposition[1];
  if (WORK_BEFORE.test(before)) return 'organization';
  if (possessive) return OWNED.has(next) ? 'person' : 'other';
  if (!several && PLACE_AFTER.test(after)) return 'place';
  if (PERSON_AFTER.test(after) || PERSON_BEFORE.has(previous) || PERSON_PHRASE.test(before)) return 'person';
  if (common) return 'other';
  if (PERSON_VERB.test(before)) return 'person';
  if (PLACE_PHRASE.test(before)) return 'place';
  return PRODUCT_BEFORE.has(previous) || PRODUCT_AFTER.test(after) ? 'product' : 'other';
}
