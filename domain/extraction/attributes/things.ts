import { favouriteOf } from '../../facts/attributes.ts';
import { relationOf } from './relations.ts';

const FAVOURITE = /^(?:all[- ]time |absolute )?favou?rite (.+)$/i;
const VAGUE = /^(?:thing|part|one|ones|bit|memory|moment|way|time|things)\b/;
const FRONT =
  /^(?:new|old|current|full|first|real|home|work|main|own|actual|personal|private|next|mobile|cell|latest) /i;
/** Nouns after "my" and the attribute of each. */
const NOUNS = new Map(
  Object.entries({
    name: 'name',
    'first name': 'name',
    surname: 'surname',
    'last name': 'surname',
    'family name': 'surname',
    nickname: 'nickname',
    birthday: 'birthday',
    'date of birth': 'birthday',
    bday: 'birthday',
    age: 'age',
    number: 'phone',
    'phone number': 'phone',
    phone: 'phone_model',
    'mobile number': 'phone',
    email: 'email',
    address: 'address',
    hometown: 'hometown',
    'home town': 'hometown',
    job: 'job',
    profession: 'job',
    occupation: 'job',
    'job title': 'job',
    role: 'job',
    employer: 'employer',
    company: 'employer',
    salary: 'salary',
    rent: 'rent',
    budget: 'budget',
    goal: 'goal',
    dream: 'goal',
    aim: 'goal',
    'dream job': 'goal',
    plan: 'plan',
    hobby: 'hobby',
    pronouns: 'pronouns',
    religion: 'religion',
    'native language': 'language',
    'mother tongue': 'language',
    'first language': 'language',
    major: 'studies',
    degree: 'studies',
    university: 'school',
    school: 'school',
    college: 'school',
    gym: 'gym',
    bank: 'bank',
    car: 'vehicle',
    van: 'vehicle',
    bike: 'vehicle',
    laptop: 'device',
    timezone: 'timezone',
    'time zone': 'timezone',
    'blood type': 'blood_type',
    'blood group': 'blood_type',
    height: 'height',
    weight: 'weight',
    team: 'team',
    department: 'department',
    username: 'handle',
    'user name': 'handle',
    handle: 'handle',
    instrument: 'instrument',
    diet: 'diet',
    medication: 'medication',
    nationality: 'nationality',
    allergy: 'allergy',
    'shoe size': 'shoe_size',
    preference: 'preference',
  }),
);
/** Beginnings that say how a thing is; a value says what it is: a name, a number, a thing. */
const JUDGED =
  /^(?:not |so |very |too |really |pretty |quite |going |getting |being |always |also |still |just |all |back |doing |in the |on |at |with |from |like |about |what |when |why |how |where |gone|broken|great|good|bad|awful|terrible|nice|lovely|amazing|awesome|cool|fine|okay|ok|the best|the worst|better|worse|over|done|here|there|coming|finished|ready|up|due|soon|tomorrow|today|ruined|boring|hard|tough|easy|stressful|killing|driving|fun|unique|called|making|starting|ending|full|new|old|important|simple|clear|similar|crazy|hilarious)/i;

/**
 * Returns the attribute of "my phone number is", "my favourite colour is" or "my new boss is". Undefined if
 * the noun has none.
 */
export function attributeOfThing(words: string): string | undefined {
  const thing = words.toLowerCase();
  const favourite = FAVOURITE.exec(thing)?.[1];
  if (favourite !== undefined) return VAGUE.test(favourite) ? undefined : favouriteOf(favourite);
  const plain = thing.replace(FRONT, '');
  return NOUNS.get(thing) ?? NOUNS.get(plain) ?? relationOf(plain.replace(/^best |^late /, ''));
}

/** Whether the words after "is" say what the thing is, not how it is ("my job is stressful"). */
export const saysWhat = (attribute: string, value: string): boolean => {
  if (JUDGED.test(value)) return attribute === 'birthday' && /^(?:on |in )/i.test(value);
  if (/^(?:phone)$/.test(attribute)) return /\d{3}/.test(value);
  if (/^(?:age)$/.test(attribute)) return /^\d{1,3}$/.test(value);
  if (/^(?:salary|rent|budget|height|weight)$/.test(attribute)) return /\d/.test(value);
  if (attribute === 'birthday') return /\d/.test(value);
  if (/^(?:name|surname|nickname)$/.test(attribute)) return /^\p{Lu}|^[a-z]{2,15}$/u.test(value);
  if (
    relationOf(attribute) !== undefined ||
    /^(?:boss|sibling|parent|child|relative|colleague|employer|vehicle|bank|school|phone_model)$/.test(
      attribute,
    )
  )
    return /\p{Lu}/u.test(value);
  return true;
};
