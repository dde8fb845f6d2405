import { favouriteOf } from '../../facts/attributes.ts';
import { relationOf } from '../reading/relations.ts';

const FAVOURITE = /^(?:(?:all[- ]time|absolute|current|new|old|former|own) )*favou?rite (.+)$/i;
/** "My favourite band these days is …" */
const WHEN =
  / (?:these days|now|nowadays|at the moment|right now|currently|so far|of all time|by far|ever|this year)$/;
const VAGUE = /^(?:thing|part|one|ones|bit|memory|moment|way|time|things)\b/;
const FRONT =
  /^(?:only|new|old|current|full|first|real|home|work|main|own|actual|personal|private|mobile|cell|latest) /i;
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
    title: 'job',
    'line manager': 'boss',
    'team lead': 'boss',
    'team leader': 'boss',
    employer: 'employer',
    company: 'employer',
    salary: 'salary',
    rent: 'rent',
    budget: 'budget',
    deadline: 'deadline',
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
    account: 'bank',
    accounts: 'bank',
    'bank account': 'bank',
    car: 'vehicle',
    'company car': 'vehicle',
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
    allergies: 'allergy',
    hobbies: 'hobby',
    'phone no': 'phone',
    'email address': 'email',
    'e-mail': 'email',
    'e-mail address': 'email',
    cell: 'phone',
    mobile: 'phone',
    'cell number': 'phone',
    medications: 'medication',
    meds: 'medication',
    home: 'home',
    flat: 'home',
    house: 'home',
    apartment: 'home',
    boss: 'boss',
    'shoe size': 'shoe_size',
    preference: 'preference',
  }),
);

/**
 * Returns the attribute of "my phone number is", "my favourite colour is" or "my new boss is". Undefined if
 * the noun has none.
 */
export function attributeOfThing(words: string): string | undefined {
  const thing = words.toLowerCase().replace(WHEN, '');
  const favourite = FAVOURITE.exec(thing)?.[1];
  if (favourite !== undefined) return VAGUE.test(favourite) ? undefined : favouriteOf(favourite);
  const plain = thing.replace(FRONT, '').replace(FRONT, '');
  const noun = NOUNS.get(thing) ?? NOUNS.get(plain);
  // A "work wife" is no wife.
  return noun ?? (/^work /.test(thing) ? undefined : relationOf(plain.replace(/^best |^late /, '')));
}
