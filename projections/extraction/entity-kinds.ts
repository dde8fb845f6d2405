import type { EntityKind } from '../../schemas/extraction.ts';
import { GIVEN_NAMES, ORGANIZATIONS, PLACES, PRODUCTS } from './known-names.ts';

export type { EntityKind } from '../../schemas/extraction.ts';

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
partner uncle aunt coach teacher dog cat puppy kitten pup niece nephew roommate met hey hi`);
export const PLACE_BEFORE = set(`
in to from near visit visited visiting around across explore explored exploring toward towards through outside`);
/** "Went to", "comes from": without such a verb, a person or a company may follow "to" or "from". */
const PLACE_PHRASE =
  /\b(?:in|near|visit|visited|visiting|around|across|explore|explored|exploring|through|outside)$|\b(?:go|goes|went|going|gone|move|moved|moving|trip|travel|travelled|traveled|traveling|travelling|flew|fly|flying|drive|drove|driving|been|back|relocated|flight|train|came|come|comes|originally|am|i'm|is|are) (?:to|from)$/;
const WORK_BEFORE =
  /\b(?:work|works|worked|working|job|employed|intern|interned|internship|hired|joined|ceo|founder|engineer|manager) (?:at|for|by|with|of)$|\bjoined$/;
const PRODUCT_BEFORE = set(`
bought buy use uses using used play plays playing played ordered installed downloaded drive drives driving own owns got my new`);

const kinds = (names: ReadonlySet<string>, kind: EntityKind): [string, EntityKind][] =>
  [...names].map(name => [name, kind]);
/** All lists in one; later lists win, so a name in several of them is an organization first. */
const KNOWN = new Map([
  ...kinds(GIVEN_NAMES, 'person'),
  ...kinds(PLACES, 'place'),
  ...kinds(PRODUCTS, 'product'),
  ...kinds(ORGANIZATIONS, 'organization'),
]);

/** The kind of a listed name, looked up by its lower-case form. */
export const knownKind = (lower: string): EntityKind | undefined => KNOWN.get(lower);

/** The kind of a listed name as spelled: short ones count only in capitals ("EU", not "Eu"). */
export function listedKind(label: string): EntityKind | undefined {
  const lower = label.toLowerCase();
  return label.length <= 3 && label !== label.toUpperCase() && !GIVEN_NAMES.has(lower)
    ? undefined
    : knownKind(lower);
}

/**
 * The kind of a name, decided by its own words, then by the lists, then by the words before it.
 * @param parts the words of the name
 * @param before the two words before it, lower case
 */
export function kindOf(parts: readonly string[], before: string): EntityKind {
  const label = parts.join(' ');
  const first = parts[0]!.toLowerCase();
  const last = parts.at(-1)!.toLowerCase().replace('.', '');
  const previous = before.slice(before.lastIndexOf(' ') + 1);
  const several = parts.length > 1;
  if (several && HONORIFICS.has(first.replace('.', ''))) return 'person';
  if (several && PLACE_WORDS.has(last)) return 'place';
  if (several && (ORGANIZATION_WORDS.has(last) || first === 'university')) return 'organization';
  if (several && PLACE_FIRST.has(first)) return 'place';
  const listed = listedKind(label);
  if (GIVEN_NAMES.has(first)) {
    // Some given names are also places: "in Charlotte" is the city.
    if (listed === 'place' && PLACE_BEFORE.has(previous) && previous !== 'to') return 'place';
    return several && listed !== undefined && listed !== 'place' ? listed : 'person';
  }
  if (listed !== undefined) return listed;
  const maker = several ? knownKind(first) : undefined;
  if (maker === 'organization' || maker === 'product') return 'product';
  if (/\d/.test(label) && /[a-z]/i.test(label)) return 'product';
  if (/^(?:US|UK|USA|UAE|NYC|LA|DC)$/.test(label)) return 'place';
  if (/^[A-Z]{2,6}$/.test(label)) return WORK_BEFORE.test(before) ? 'organization' : 'other';
  if (!several && /^(?:Mc|Mac|O['’])[A-Z]/.test(label)) return 'person';
  if (!several && /[a-z][A-Z]/.test(label) && !/^(?:Le|De|La|Di|Du|Van)[A-Z]/.test(label)) return 'product';
  if (WORK_BEFORE.test(before)) return 'organization';
  if (PLACE_PHRASE.test(before)) return 'place';
  if (PERSON_BEFORE.has(previous)) return 'person';
  return PRODUCT_BEFORE.has(previous) ? 'product' : 'other';
}
