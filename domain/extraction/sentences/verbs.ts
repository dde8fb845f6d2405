import type { Lexicon } from './lexicon.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Past forms that do not end in -ed; forms that equal the base ("put") count as past. */
const IRREGULAR_PAST = set(`
was were had did went got took made saw met came bought found felt left began started gave told said ate won lost ran wrote read spent taught
heard kept brought became chose drank drove fell flew forgot froze grew held hurt knew laid led lent let lit meant paid put quit rode rose sang
sat sent set shook shot shut slept sold spoke stole stood stuck struck swam swept swore thought threw understood woke wore cut hit cost beat bent bet
bit blew bled bred broke built burnt burst caught clung crept dealt dug dreamt dwelt fed fought fled forgave forbade hid hung knelt leapt learnt
rang sank sewed shrank slid spun spread sprang stung stank strove swung tore upset withdrew wove wept wound overcame undertook overslept misread outgrew`);

/** Participles, after "have" or "'d", that differ from the past form. */
const IRREGULAR_PARTICIPLE = set(`
been gone done seen taken given known grown written eaten driven ridden risen spoken broken chosen fallen flown forgotten frozen gotten hidden
shown sung swum thrown woken worn begun become come run drunk bitten beaten stolen sworn torn drawn blown got had made met left lost kept heard`);

const BASE_IN_ED = set('need feed bleed breed speed proceed exceed succeed embed shed seed weed heed');

/** Verbs that the dictionary lists first as another part of speech, but that are verbs after a person. */
const COMMON_BASES = set(`
work love like hope plan need want try study practice train play run walk talk live cook bake paint draw dance sing swim hike bike travel visit volunteer help use
watch read write teach learn coach code program dream feel think know believe guess enjoy hate miss prefer start stop finish build change grow open close fail pass wake belong make do go come get give take
keep see meet eat drink sleep drive ride fly move stay leave call text email study share support care worry rest exercise jog garden knit sew surf ski climb camp
fish hunt race box photograph film record stream game collect trade sell buy rent own manage lead design draft test research teach tutor mentor guide serve host
organize attend join lift stretch meditate pray vote campaign blog post shop save spend invest budget drop pick end view reach look seem act face hold aim focus`);

export const isPast = (word: string): boolean =>
  IRREGULAR_PAST.has(word) || (word.length > 3 && word.endsWith('ed') && !BASE_IN_ED.has(word));
export const isParticiple = (word: string): boolean => IRREGULAR_PARTICIPLE.has(word) || isPast(word);
export const isBase = (word: string, lexicon: Lexicon): boolean =>
  COMMON_BASES.has(word) ||
  (lexicon.isVerb(word) &&
    !isPast(word) &&
    !word.endsWith('ing') &&
    !(word.endsWith('s') && !word.endsWith('ss')));

const INVARIABLE =
  set(`can could will would shall should may might must ought cannot can't couldn't won't wouldn't shouldn't mightn't mustn't hadn't didn't
wasn't weren't was had did were gotta gonna wanna not`);
// biome-ignore format: one table
const IRREGULAR_THIRD = new Map(Object.entries({
  am: 'is', are: 'is', have: 'has', do: 'does', "don't": "doesn't", "haven't": "hasn't", "ain't": "isn't", "aren't": "isn't", go: 'goes', dont: "doesn't",
}));

/** Returns the third person singular of a verb: "love" → "loves", "am" → "is", "went" → "went". */
export function thirdPerson(verb: string): string {
  const irregular = IRREGULAR_THIRD.get(verb);
  if (irregular !== undefined) return irregular;
  if (INVARIABLE.has(verb) || isPast(verb) || !/^[a-z]{2,}(?:-[a-z]+)?$/.test(verb) || verb.endsWith('ing'))
    return verb;
  if (/(?:s|x|z|ch|sh)$/.test(verb)) return `${verb}es`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  if (/[^aeiou]o$/.test(verb)) return `${verb}es`;
  return `${verb}s`;
}

const AUXILIARIES =
  set(`is are was were am be been has have had do does did will would can could should may might must isn't aren't wasn't weren't hasn't haven't
hadn't doesn't don't didn't won't wouldn't can't couldn't shouldn't cannot gonna it's that's there's he's she's they're we're i'm i've i'd i'll we've we'll you're they've they'll
they'd he'll she'll it'll we'd he'd she'd it'd who's what's let's here's everyone's everything's someone's life's`);

export const isAuxiliary = (word: string): boolean => AUXILIARIES.has(word);

/** Whether the word can be a finite verb; a sentence without one is an exclamation or a heading. */
export function isFiniteVerb(word: string, lexicon: Lexicon): boolean {
  if (AUXILIARIES.has(word) || isPast(word) || COMMON_BASES.has(word)) return true;
  if (lexicon.isVerb(word)) return !word.endsWith('ing');
  if (!word.endsWith('s') || word.length < 4) return false;
  const base = word.slice(0, -1);
  return COMMON_BASES.has(base) || COMMON_BASES.has(word.slice(0, -2)) || lexicon.isVerb(base);
}

const ADVERBS =
  set(`also really just always never still often usually sometimes only even actually definitely totally finally recently already probably honestly
currently now then ever kinda sorta both mostly truly personally mainly once again first soon later too almost rarely generally normally basically certainly absolutely
hardly barely simply obviously apparently lately nowadays myself further sure so very much quite rather well hopefully maybe perhaps`);
export const isAdverb = (word: string): boolean =>
  ADVERBS.has(word) ||
  (word.length > 4 &&
    word.endsWith('ly') &&
    word !== 'rely' &&
    word !== 'apply' &&
    word !== 'reply' &&
    word !== 'supply');
