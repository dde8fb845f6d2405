import { thirdPerson } from '../sentences/verbs.ts';

/** Forms of a verb; one word may be several ("quit"). */
export const BASE = 1;
export const THIRD = 2;
export const PAST_FORM = 4;
export const PARTICIPLE = 8;
export const ING = 16;

export interface VerbForm {
  lemma: string;
  forms: number;
}

/** Verbs that give attributes, or that often stand beside those. */
const REGULAR =
  'live reside stay settle move relocate emigrate work volunteer freelance join start resign retire own adopt rescue foster study major graduate attend stop drop avoid cook follow play practise practice train learn like love enjoy hate dislike prefer adore loathe detest despise marry date divorce separate smoke vape bank subscribe cancel switch change upgrade weigh earn turn raise call name die pass report use need want open found inherit sprain fracture twist injure convert pay paint dance climb hike travel visit talk walk help look plan hope intend decide promise consider try tend seem refuse finish complete offer hire promote appoint diagnose develop reach share lease purchase order trade scrap crash total rehome outgrow transfer employ base locate appreciate order watch cycle garden knit sew bake fish camp jog skate ski surf sail row kayak garden tolerate despise engage enrol enroll manage lead apply interview collect suffer identify speak prefer miss register sign participate compete coach tutor serve perform host fancy favour favor recover train exercise deliver clean build design save';
const IRREGULAR: readonly (readonly [base: string, past: string, participle: string])[] = [
  ['begin', 'began', 'begun'],
  ['leave', 'left', 'left'],
  ['lose', 'lost', 'lost'],
  ['get', 'got', 'got gotten'],
  ['become', 'became', 'become'],
  ['drive', 'drove', 'driven'],
  ['ride', 'rode', 'ridden'],
  ['buy', 'bought', 'bought'],
  ['sell', 'sold', 'sold'],
  ['keep', 'kept', 'kept'],
  ['go', 'went', 'gone'],
  ['take', 'took', 'taken'],
  ['cut', 'cut', 'cut'],
  ['eat', 'ate', 'eaten'],
  ['drink', 'drank', 'drunk'],
  ['speak', 'spoke', 'spoken'],
  ['teach', 'taught', 'taught'],
  ['see', 'saw', 'seen'],
  ['split', 'split', 'split'],
  ['break', 'broke', 'broken'],
  ['make', 'made', 'made'],
  ['come', 'came', 'come'],
  ['grow', 'grew', 'grown'],
  ['give', 'gave', 'given'],
  ['know', 'knew', 'known'],
  ['run', 'ran', 'run'],
  ['tear', 'tore', 'torn'],
  ['hurt', 'hurt', 'hurt'],
  ['sing', 'sang', 'sung'],
  ['quit', 'quit', 'quit'],
  ['put', 'put', 'put'],
  ['throw', 'threw', 'thrown'],
  ['do', 'did', 'done'],
  ['find', 'found', 'found'],
  ['say', 'said', 'said'],
  ['tell', 'told', 'told'],
  ['think', 'thought', 'thought'],
  ['feel', 'felt', 'felt'],
  ['meet', 'met', 'met'],
  ['stand', 'stood', 'stood'],
  ['bear', 'bore', 'borne'],
  ['swim', 'swam', 'swum'],
  ['fly', 'flew', 'flown'],
  ['write', 'wrote', 'written'],
  ['read', 'read', 'read'],
  ['wear', 'wore', 'worn'],
  ['have', 'had', 'had'],
];

const FORMS = new Map<string, VerbForm>();
const add = (word: string, lemma: string, form: number): void => {
  const known = FORMS.get(word);
  if (known === undefined) FORMS.set(word, { lemma, forms: form });
  else if (known.lemma === lemma) known.forms |= form;
};
const doubled = (base: string): string =>
  /^(?:stop|drop|plan|scrap|quit|cut|put|run|get|split|swim|jog|begin|knit|ski$|transfer|enrol|refer)/.test(
    base,
  ) && !/^ski$/.test(base)
    ? base + base.at(-1)
    : base;
const participles = (base: string): string => {
  if (base.endsWith('ie')) return `${base.slice(0, -2)}ying`;
  if (base.endsWith('e') && !base.endsWith('ee')) return `${base.slice(0, -1)}ing`;
  return `${doubled(base)}ing`;
};
const pastOf = (base: string): string => {
  if (base.endsWith('e')) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return `${doubled(base)}ed`;
};
const conjugate = (base: string, past: string, participle: string): void => {
  add(base, base, BASE);
  add(thirdPerson(base), base, THIRD);
  add(participles(base), base, ING);
  add(past, base, PAST_FORM);
  for (const each of participle.split(' ')) add(each, base, PARTICIPLE);
};
for (const [base, past, participle] of IRREGULAR) conjugate(base, past, participle);
for (const base of REGULAR.split(' ')) conjugate(base, pastOf(base), pastOf(base));
add('cancelled', 'cancel', PAST_FORM | PARTICIPLE);
add('cancelling', 'cancel', ING);
add('travelling', 'travel', ING);
add('has', 'have', THIRD);

/** Returns the verb of a form in lower case; undefined where it is none of those that matter. */
export const verbOf = (lower: string): VerbForm | undefined => FORMS.get(lower);
