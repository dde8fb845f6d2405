/** Words by which the rules know what is spoken of. */

/** Relations and kept animals, and the attribute of which the other's name is the value. */
export const RELATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    partner: 'wife husband girlfriend boyfriend partner fiance fiancé fiancee fiancée spouse',
    child: 'son daughter kid baby toddler child',
    parent: 'mother mum mom mam father dad stepmother stepfather stepmum stepdad',
    sibling: 'brother sister twin stepbrother stepsister half-brother half-sister',
    relative:
      'uncle aunt cousin grandmother grandma granny gran grandfather grandpa granddad niece nephew mother-in-law father-in-law brother-in-law sister-in-law',
    friend: 'friend mate buddy',
    colleague: 'colleague coworker co-worker teammate',
    roommate: 'roommate flatmate housemate',
    boss: 'boss manager supervisor',
    doctor: 'doctor gp dentist therapist physio physiotherapist',
    pet: 'dog cat puppy kitten rabbit hamster parrot horse pony greyhound beagle labrador poodle terrier spaniel collie corgi dachshund tortoise turtle budgie goldfish gecko ferret',
  }).flatMap(([attribute, words]) => words.split(' ').map(word => [word, attribute])),
);

export const PETS = Object.keys(RELATIONS).filter(word => RELATIONS[word] === 'pet');
export const PEOPLE = Object.keys(RELATIONS).filter(word => RELATIONS[word] !== 'pet');

export const DIETS =
  'vegan|vegetarian|veggie|pescatarian|keto|paleo|gluten-free|gluten free|dairy-free|plant-based|kosher|halal|sugar-free|teetotal';

/** Nouns of "my … is …" that are attributes, by the attribute's name. */
export const OWN_NOUNS: Readonly<Record<string, string>> = {
  address: 'home',
  'home address': 'home',
  'phone number': 'phone',
  'mobile number': 'phone',
  'cell number': 'phone',
  number: 'phone',
  birthday: 'birthday',
  name: 'name',
  'full name': 'name',
  surname: 'surname',
  'last name': 'surname',
  nickname: 'nickname',
  gym: 'gym',
  bank: 'bank',
  doctor: 'doctor',
  dentist: 'doctor',
  school: 'school',
  university: 'school',
  hometown: 'hometown',
  job: 'job',
  'job title': 'job',
  employer: 'employer',
  company: 'employer',
  boss: 'boss',
  manager: 'boss',
  salary: 'salary',
  height: 'height',
  weight: 'weight',
  goal: 'goal',
  hobby: 'hobby',
  car: 'vehicle',
  phone: 'phone_model',
  pronouns: 'pronouns',
  religion: 'religion',
  nationality: 'nationality',
  'blood type': 'blood_type',
  'shoe size': 'shoe_size',
  budget: 'budget',
  timezone: 'timezone',
  'time zone': 'timezone',
};

export const INSTRUMENTS =
  'guitar|piano|violin|cello|drums|flute|bass|trumpet|saxophone|clarinet|ukulele|harp|banjo|keyboard|oboe|trombone|organ|accordion|viola';
export const SPORTS =
  'tennis|football|soccer|basketball|golf|rugby|hockey|badminton|volleyball|squash|cricket|baseball|padel|handball|chess|table tennis|ping pong|netball|darts|water polo|lacrosse';
export const LANGUAGES =
  'English|Spanish|French|German|Italian|Portuguese|Dutch|Japanese|Chinese|Mandarin|Cantonese|Korean|Arabic|Russian|Polish|Greek|Turkish|Hindi|Urdu|Swedish|Norwegian|Danish|Finnish|Czech|Hungarian|Romanian|Ukrainian|Welsh|Irish|Gaelic|Hebrew|Vietnamese|Thai|Tagalog|Swahili|Catalan|Basque|Latin|Esperanto|Farsi|Persian|Bengali|Tamil|Punjabi|Croatian|Serbian|Slovak|Slovene|Bulgarian|Icelandic';
export const NATIONALITIES =
  'American|British|English|Scottish|Welsh|Irish|Canadian|Australian|French|German|Italian|Spanish|Portuguese|Dutch|Belgian|Swiss|Austrian|Polish|Greek|Turkish|Indian|Pakistani|Chinese|Japanese|Korean|Vietnamese|Thai|Brazilian|Mexican|Argentinian|Chilean|Colombian|Swedish|Norwegian|Danish|Finnish|Czech|Hungarian|Romanian|Ukrainian|Russian|Israeli|Egyptian|Moroccan|Nigerian|Ghanaian|Kenyan|South African|Filipino|Lebanese|Syrian|Iranian|Icelandic|Croatian|Serbian';
export const RELIGIONS =
  'Catholic|Protestant|Christian|Muslim|Jewish|Hindu|Buddhist|Sikh|atheist|agnostic|Quaker|Mormon|Orthodox|Anglican|Lutheran|Methodist|Baptist';
export const ILLNESSES =
  'diabetes|type \\d diabetes|asthma|migraines?|epilepsy|arthritis|ADHD|autism|celiac disease|coeliac disease|celiac|coeliac|hay fever|anxiety|depression|insomnia|high blood pressure|hypertension|eczema|psoriasis|cancer|endometriosis|IBS|a concussion|sciatica|tinnitus|sleep apnoea|sleep apnea|anaemia|anemia|Covid|covid|the flu|pneumonia|a slipped disc|tendonitis|vertigo|dyslexia|OCD|PTSD|long covid';
export const VEHICLES =
  'car|van|truck|motorbike|motorcycle|scooter|bike|e-bike|bicycle|camper|campervan|Audi|BMW|Citroën|Citroen|Dacia|Fiat|Ford|Honda|Hyundai|Jaguar|Jeep|Kia|Lexus|Mazda|Mercedes|Mini|Nissan|Opel|Peugeot|Polestar|Porsche|Renault|Seat|Skoda|Subaru|Suzuki|Tesla|Toyota|Vauxhall|Vespa|Volkswagen|Volvo|VW|Yamaha|Corolla|Civic|Golf|Polo|Prius|Clio|Corsa|Fiesta|Micra|Panda|Yaris|Leaf|Zoe';

/** What people are by work; those that a suffix shows are left out (occupations.ts). */
const WORK =
  'accountant actuary actor actress analyst architect artist attorney barber barista bartender bookseller broker builder butcher carer carpenter cashier chef chemist clerk coach cook coordinator consultant curator dentist designer detective developer dietitian director doctor driver economist editor electrician engineer farmer firefighter fisherman florist gardener geologist grocer guard guide hairdresser historian illustrator intern interpreter janitor journalist judge lawyer lecturer librarian lifeguard locksmith machinist manager mechanic medic midwife miner model musician nanny nurse optician paediatrician painter paramedic pastry pharmacist photographer physicist physio physiotherapist pilot plumber poet policeman policewoman porter postman potter priest principal producer professor programmer psychologist receptionist researcher reporter retired roofer sailor salesperson scientist seamstress secretary singer soldier solicitor specialist statistician steward surgeon surveyor tailor teacher technician therapist trader trainer translator tutor vet veterinarian waiter waitress welder writer apprentice assistant associate freelancer sculptor stonemason bricklayer baker brewer student supervisor lead head vp ceo cto cfo';
const OCCUPATIONS = new Set(WORK.split(' '));
const SUFFIX = /(?:ologist|grapher|smith|monger|keeper|maker|worker|officer|practitioner)$/;

/** Whether a phrase such as "head nurse" is what somebody is by work. */
export const isOccupation = (phrase: string): boolean =>
  phrase
    .toLowerCase()
    .split(/[\s-]+/)
    .slice(0, 5)
    .some(word => OCCUPATIONS.has(word) || (word.length > 6 && SUFFIX.test(word)));
