import { GIVEN_NAMES } from '../../names/known-names.ts';
import { textOf } from '../../reading/tokens.ts';
import { OWN } from '../../reading/word-classes.ts';
import { type Frame, frame } from '../frame.ts';
import { mayEmploy, organization } from '../organization-type.ts';
import { type Item, isOneOf, matching, type ValueType, words, wordsIn } from '../values.ts';
import { SCHOOL } from './study.ts';

/** Head nouns of jobs: most other nouns after "I'm a" are no job ("a mess", "a morning person"). */
const JOBS = new Set(
  'accountant|actor|actress|actuary|administrator|adviser|advisor|agent|analyst|anaesthetist|animator|apprentice|archaeologist|architect|archivist|artist|assistant|astronomer|attorney|auditor|author|baker|banker|barber|barista|bartender|biologist|bookkeeper|bricklayer|broker|builder|butcher|buyer|captain|carer|caretaker|caregiver|carpenter|cashier|ceo|cto|cfo|chef|chemist|choreographer|cleaner|clerk|composer|conductor|consultant|contractor|controller|cook|coordinator|copywriter|counsellor|counselor|courier|curator|dentist|designer|detective|developer|dietitian|director|dj|doctor|dressmaker|driver|economist|editor|electrician|engineer|executive|farmer|filmmaker|firefighter|fisherman|fitter|florist|founder|freelancer|gardener|geologist|goldsmith|guard|guide|hairdresser|handyman|historian|housekeeper|illustrator|instructor|interpreter|intern|investigator|janitor|jeweller|jeweler|journalist|judge|labourer|laborer|landscaper|lawyer|lecturer|librarian|lifeguard|locksmith|machinist|manager|marketer|masseuse|mathematician|mechanic|meteorologist|midwife|miner|model|musician|nanny|nurse|nutritionist|officer|operator|optician|optometrist|painter|paralegal|paramedic|pastor|pediatrician|paediatrician|pharmacist|student|philosopher|photographer|physicist|physiotherapist|physio|pilot|plumber|podcaster|policeman|policewoman|politician|porter|postdoc|postman|potter|priest|principal|producer|professor|programmer|psychiatrist|psychologist|realtor|receptionist|recruiter|reporter|researcher|restorer|roofer|sailor|salesman|salesperson|scientist|sculptor|seamstress|secretary|server|sheriff|soldier|solicitor|stylist|supervisor|surgeon|surveyor|tailor|tattooist|teacher|technician|teller|tester|therapist|tiler|trader|trainee|trainer|translator|treasurer|tutor|undertaker|underwriter|upholsterer|veterinarian|vet|violinist|pianist|waiter|waitress|warden|watchmaker|welder|writer|zoologist|worker|strategist|specialist|cardiologist|radiologist|radiographer|oncologist|neurologist|dermatologist|anesthesiologist|beekeeper|brewer|sommelier|cameraman|cinematographer|screenwriter|playwright|novelist|poet|columnist|paraeducator|headteacher|headmaster|dean|chancellor|mayor|councillor|diplomat|ambassador|lobbyist|statistician|botanist|ecologist|oceanographer|hydrologist|geographer|linguist|sociologist|anthropologist|beautician|manicurist|groomer|stewardess|steward|flight attendant|dispatcher|planner|estimator|foreman|crane operator|plasterer|glazier|scaffolder|stonemason|blacksmith|cobbler|milliner|printer|typesetter|bookbinder|bookseller|shopkeeper|grocer|fishmonger|greengrocer|baker|caterer|barrister|magistrate|notary|bailiff|coroner|embalmer|chaplain|imam|rabbi|vicar|nun|monk|homemaker|housewife|househusband'.split(
    '|',
  ),
);
/** Further heads that end like a job's: "headmistress", "ornithologist". */
const JOB_END = /(?:mistress|\p{L}{3,}woman|ologist|ographer|iatrist|smith|keeper|wright)$/u;
const STATUS = 'unemployed|self employed|self-employed|retired|freelancing|out of work|between jobs';

/** "A bad cook", "a former nurse", "an aspiring actor": no job, or no longer or not yet one. */
const NO_JOB =
  /^(?:bad|terrible|great|good|awful|decent|mediocre|horrible|lousy|excellent|amazing|fast|slow|new|safe|careful|former|ex|retired|aspiring|wannabe|future|budding|would-be|frustrated|failed|pretend|designated|backseat)$/;

/** A job by its head noun: "a senior data scientist". */
const job: ValueType = item => {
  const { tokens, phrase } = item;
  // "Dr Okafor is my doctor" tells of the speaker's doctor.
  if (tokens[phrase.bare]!.bits & OWN) return undefined;
  if (NO_JOB.test(tokens[phrase.from]!.lower)) return undefined;
  // "Wren's teacher" is a relation.
  if (/['’]s$/.test(tokens[phrase.from]!.core)) return undefined;
  let to = phrase.to;
  while (to > phrase.from && !JOBS.has(tokens[to - 1]!.lower) && !JOB_END.test(tokens[to - 1]!.lower)) to--;
  const isHeadOf = /^(?:head|director|chief|vp|vice)$/.test(tokens[phrase.from]!.lower);
  if (to === phrase.from && !isHeadOf) return undefined;
  // "A nurse friend", "a student discount": the last noun is another.
  if (to < phrase.to && !isHeadOf && !/^(?:here|there|by|at|in|full|part)/.test(tokens[to]!.lower))
    return undefined;
  return wordsIn({ ...item, phrase: { ...phrase, to: isHeadOf ? phrase.to : to } });
};
/** After "as": any noun with an article ("as a scuba guide"), but no group. */
const titled: ValueType = item => {
  const text = wordsIn(item, 5);
  if (text === undefined || item.phrase.bare === item.phrase.from) return job(item);
  return /\b(?:team|result|group|whole|rule|kid|child|teen|teenager|kids|family|couple|hobby|joke|gift|favou?r|friend|bonus|side|treat|present|reward|start|matter|surprise)\b/i.test(
    text,
  )
    ? undefined
    : text;
};

const GROUP =
  /\b(?:club|group|team|choir|band|orchestra|union|church|society|league|gym|association|troupe|class|congregation|crew|guild|scouts|party|fitness|academy|forum|server|channel|network|movement|army|navy)\b/i;
/** "The Rotary club", "Ironbark, a gym": a group has its noun behind its name. */
const isGroup = ({ tokens, phrase, end }: Item, name: string): boolean => {
  const after = phrase.from + name.split(' ').length;
  return GROUP.test(textOf(tokens, phrase.from, Math.min(end, after + 2)));
};
const company: ValueType = item => {
  const text = organization(item);
  const first = item.tokens[item.phrase.from]!.lower;
  return text === undefined ||
    isGroup(item, text) ||
    /gym\b|fitness|crossfit/i.test(text) ||
    (GIVEN_NAMES.has(first) && !text.includes(' ')) ||
    !/\p{Lu}|\d/u.test(text) ||
    !mayEmploy(text)
    ? undefined
    : text;
};
/** "I've been at Deloitte for three years". */
const companyForLong: ValueType = item => {
  const [before, after] = [
    textOf(item.tokens, 0, item.phrase.from),
    textOf(item.tokens, item.phrase.to, item.end),
  ];
  return /\bbeen\b/i.test(before) && /\b(?:for|since)\b/i.test(after) ? company(item) : undefined;
};
/** "I teach fourth grade at Lincoln Elementary". */
const schoolTaughtAt: ValueType = item =>
  SCHOOL.test(organization(item) ?? '') ? organization(item) : undefined;
/** A firm by its name of several words: "for Anna" and "for Easter" are none. */
const firm: ValueType = item => {
  const text = company(item);
  return text?.includes(' ') && item.phrase.bare === item.phrase.from ? text : undefined;
};
const group: ValueType = item => {
  const text = wordsIn(item, 6);
  return text !== undefined && GROUP.test(text) ? text : undefined;
};
const employerAfterStart: ValueType = item => {
  const text = organization(item);
  // "Started volunteering at a shelter" is no job.
  const doing = item.tokens.slice(Math.max(0, item.phrase.bare - 4), item.phrase.bare - 1);
  if (
    text === undefined ||
    doing.some(
      ({ lower }) =>
        (/ing$/.test(lower) && !/^(?:work|start|beginn)ing$/.test(lower)) ||
        /^(?:school|university|college|uni|nursery|kindergarten)$/.test(lower),
    )
  )
    return undefined;
  return /^(?:gym|bottom|top|beginning|end|noon|midnight|least|home|uni|school)\b|\b(?:college|university|school|club|gym|choir|band|class|course)$/i.test(
    text,
  )
    ? undefined
    : text;
};

const DEPARTMENTS =
  'billing|sales|marketing|finance|hr|human resources|engineering|operations|ops|facilities|support|customer support|accounting|legal|it|logistics|procurement|design|research|r&d|payroll|purchasing|security|product|growth|devops|infrastructure|admissions|radiology|oncology|paediatrics|pediatrics|cardiology|maternity|emergency|customer service|communications|compliance|quality|audit|treasury|data';
const department: ValueType = item => {
  const text = wordsIn(item, 3)?.replace(/ (?:department|team)$/i, '');
  return text !== undefined && DEPARTMENTS.split('|').includes(text.toLowerCase()) ? text : undefined;
};
const shift = matching(
  /^(?:the )?(?<v>(?:night|day|early|late|weekend|evening|morning)s?(?: shifts?)|(?:nights|days|weekends|evenings|mornings|earlies|lates)\b(?! out| as| tomorrow| at(?! the (?:hospital|clinic|bakery|factory|warehouse|station|depot|airport|plant)\b)| for| my))/i,
);
const hours = isOneOf('part time|full time|part-time|full-time|remotely|remote');
/** "Remotely three days a week", "four days a week". */
const weeklyHours = matching(
  /^(?<v>(?:(?:remotely|part[- ]time|full[- ]time) )?(?:one|two|three|four|five|six|[1-6](?:\.5)?)(?: and a half)? days? (?:a|per) week)\b/i,
);
const salary = matching(
  /^(?:about |around |over )?(?<v>[£$€]?\d[\d.,]*(?: ?k)?(?: ?(?:euros|dollars|pounds|eur|usd|gbp))? (?:a|an|per) (?:year|month|week|hour|day))/i,
);
const teamNamed = matching(
  /^(?:the )?(?<v>(?!(?:same|other|wrong|best|home|away|winning|losing)\b)[\w&-]{2,20}(?: [\w&-]{2,20})?) team\b/i,
);
/** Vehicles whose drivers do it for a living, where it is said for whom. */
const DRIVEN =
  /^(?:an? |the |my )?(?<v>(?:school |night |delivery )?(?:bus|coach|taxi|cab|tram|train|lorry|truck|van|minibus|ambulance|forklift))(?= for )/i;
const driverOf: ValueType = item => {
  const what = matching(DRIVEN)(item);
  const isLiving = /\bfor (?:a living|\p{Lu})/u.test(textOf(item.tokens, item.phrase.to, item.end));
  return what !== undefined && isLiving ? `${what.toLowerCase()} driver` : undefined;
};
/** "A job in a café": a kind of workplace, not "in marketing" or "in Leeds". */
const workplace: ValueType = item =>
  item.phrase.bare < item.phrase.from && !/\p{Lu}/u.test(wordsIn(item, 4) ?? 'A')
    ? organization(item)
    : undefined;
/** Groups that one is in, and not only at: "in the choir", "in a running club". */
const IN_GROUP =
  /^(?:[\p{L}-]+ ){0,3}(?:choir|band|orchestra|society|troupe|quartet|scouts|(?:chess|book|running|climbing|rowing|swimming|cycling|photography|debating|drama|film|hiking|walking|tennis|football|rugby|hockey|cricket|judo|sailing|gardening|knitting) (?:club|team|group))$/iu;
const groupWithin: ValueType = item => {
  const text = wordsIn(item, 5);
  return text !== undefined && IN_GROUP.test(text) ? text : undefined;
};
/** "The pool at Leisureland": the place that is joined has a name. */
const joinedAt: ValueType = item => {
  const text = organization(item);
  return text !== undefined && /\p{Lu}/u.test(text) ? text : undefined;
};

const POST = 'job|position|role|gig|internship|offer|post';

export const WORK_FRAMES: readonly Frame[] = [
  frame('job', 'state', 'work freelance', '~as', titled),
  frame('job', 'state', 'be', '', job),
  frame('job', 'state', 'be', '', isOneOf(STATUS)),
  frame('job', 'event', 'become', '', job),
  frame('job', 'event', 'get be', 'promoted to', words),
  frame('job', 'event', 'start begin', '~as', titled),
  frame(
    'job',
    'event',
    'get land take accept start have',
    `a|an|my|the new|full-time|part-time? ${POST} as`,
    titled,
  ),
  frame('job', 'event', 'get be', 'hired|appointed|elected as', titled),
  frame('job', 'state', 'drive', '', driverOf),
  frame('department', 'state', 'work be', '~in', department),
  frame('department', 'event', 'move switch transfer', '~to|into', department),
  frame('employer', 'state', 'work', '~at|for', organization),
  frame('employer', 'state', 'be', 'employed by|at|with', organization),
  frame('employer', 'state', 'be', 'at|with', companyForLong),
  frame(
    'employer',
    'state',
    'be',
    'at|in|on the|a billing|sales|marketing|finance|legal|hr|it|support|design|research|service|payments|call|back|customer? department|division|team|helpdesk|office|centre|center of|at',
    company,
  ),
  frame('employer', 'state', 'teach', '~at|in', schoolTaughtAt),
  // "I do the books for Kilvarna Ceramics", "she drives a bus for Cloonmore Coaches".
  frame('employer', 'state', 'do drive teach write cook clean build design manage run', '~for', firm),
  frame('employer', 'event', 'start begin', '~at|with', employerAfterStart),
  frame(
    'employer',
    'event',
    'get land take accept have',
    `a|an|my|the new|dream|full-time|part-time|summer? ${POST} at|with|from`,
    organization,
  ),
  frame(
    'employer',
    'state',
    'have',
    `a|an|my|the new|full-time|part-time|summer? ${POST} at|with`,
    organization,
  ),
  frame('employer', 'state', 'have', `a|an|my full-time|part-time|summer|weekend? ${POST} in`, workplace),
  frame('employer', 'event', 'get be', 'hired by|at', organization),
  frame('employer', 'event', 'join', '', company),
  frame('membership', 'event', 'join', '', group),
  frame('membership', 'event', 'leave quit', '', group, { ended: true }),
  frame('membership', 'state', 'be', 'a member of', organization),
  frame('membership', 'event', 'join', 'a|the gym|pool|club|library|studio at', joinedAt),
  frame('membership', 'state', 'be', 'in a|an|the|my|our', groupWithin),
  frame('membership', 'state', 'sing play', '~in', group),
  frame('team', 'state', 'be', 'on|in', teamNamed),
  frame('team', 'event', 'move switch transfer', '~to', teamNamed),
  frame('team', 'event', 'join', '', teamNamed),
  frame('team', 'event', 'be get', 'moved|reassigned|transferred|assigned|switched to', teamNamed),
  frame('work_schedule', 'state', 'work do', '', shift),
  frame('work_schedule', 'state', 'work do be', '', hours),
  frame('work_schedule', 'state', 'work', '', weeklyHours),
  frame('work_schedule', 'state', 'work be', 'on', shift),
  frame('work_schedule', 'event', 'go', 'on', shift),
  frame('work_schedule', 'event', 'be get', 'put|moved|switched on|to|onto', shift),
  frame('work_schedule', 'state', 'work', 'from', matching(/^home\b/i, 'from home')),
  frame('work_schedule', 'event', 'swap switch change move', '~to', shift),
  frame('work_schedule', 'event', 'swap switch change move', '~to', hours),
  frame('salary', 'state', 'earn make', '', salary),
  frame('salary', 'state', 'be', 'on', matching(/^(?:[£$€]\d[\d.,]*k?|\d{2,3}k)(?![\p{L}\d])/iu)),
  frame(
    'rent',
    'state',
    'pay',
    '',
    matching(
      /^(?<v>[£$€]?\d[\d.,]*(?: (?:euros?|pounds|dollars|quid|francs|eur|gbp|usd|chf))?)(?: (?:a|per) month)? (?:in |of |for )?rent\b/i,
    ),
  ),
  frame('employer', 'state', 'drive deliver', '~for', company),
  frame('volunteering', 'state', 'volunteer', '~at|for|with|in', organization),
  frame('volunteering', 'event', 'start begin', 'volunteering at|for|with|in', organization),
];
/** Whether a phrase is a job, for "my sister, a nurse". */
export const jobOf = (item: Item): string | undefined => job(item);
