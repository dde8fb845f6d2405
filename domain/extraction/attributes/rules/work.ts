import { type Rule, rule } from '../rule.ts';

/** Head nouns of jobs: most other nouns after "I'm a" are no job ("a mess", "a morning person"). */
const JOBS =
  'accountant|actor|actress|actuary|administrator|adviser|advisor|agent|analyst|anaesthetist|animator|apprentice|archaeologist|architect|archivist|artist|assistant|astronomer|attorney|auditor|author|baker|banker|barber|barista|bartender|biologist|bookkeeper|bricklayer|broker|builder|butcher|buyer|captain|carer|caretaker|caregiver|carpenter|cashier|ceo|cto|cfo|chef|chemist|choreographer|cleaner|clerk|composer|conductor|consultant|contractor|controller|cook|coordinator|copywriter|counsellor|counselor|courier|curator|data scientist|dentist|designer|detective|developer|dietitian|director|dj|doctor|dressmaker|driver|economist|editor|electrician|engineer|estate agent|executive|farmer|filmmaker|firefighter|fisherman|fitter|florist|founder|freelancer|gardener|geologist|goldsmith|guard|guide|hairdresser|handyman|head of [a-z]+|historian|housekeeper|illustrator|instructor|interpreter|intern|investigator|janitor|jeweller|jeweler|journalist|judge|labourer|laborer|landscaper|lawyer|lecturer|librarian|lifeguard|locksmith|machinist|manager|marketer|masseuse|mathematician|mechanic|meteorologist|midwife|miner|model|musician|nanny|nurse|nutritionist|officer|operator|optician|optometrist|painter|paralegal|paramedic|pastor|pediatrician|pharmacist|phd student|student|philosopher|photographer|physicist|physiotherapist|physio|pilot|plumber|podcaster|policeman|police officer|politician|porter|postdoc|postman|potter|priest|principal|producer|product manager|professor|programmer|psychiatrist|psychologist|realtor|receptionist|recruiter|reporter|researcher|restorer|roofer|sailor|salesman|salesperson|scientist|sculptor|seamstress|secretary|server|sheriff|social worker|soldier|solicitor|stylist|supervisor|surgeon|surveyor|tailor|tattooist|teacher|technician|teller|tester|therapist|tiler|trader|trainee|trainer|translator|treasurer|truck driver|tutor|undertaker|underwriter|upholsterer|veterinarian|vet|violinist|pianist|waiter|waitress|warden|watchmaker|web developer|welder|writer|zoologist';
const WORDS = "(?:[\\w'’&/-]{2,18} ){0,3}?";
const JOB = `(?<v>${WORDS}(?:${JOBS}))`;
const AFTER =
  '(?=$|[,.;:!]| (?:at|in|for|with|by|from|on|and|who|now|here|these|too|but|since|again|specialising|specializing|specialised|currently|full|part|myself|so|working|of|as|\\())';
const ORG =
  '(?<v>(?!least|night|home|the (?:moment|same|weekend)|work|myself|a living|hours|years|months|him|her|it|free|that|this|them)[\\p{L}\\d].+)';
const NO_CLASS = '(?!club|gym|choir|band|class|course)';
const GROUP =
  /\b(?:club|group|team|choir|band|orchestra|union|church|society|league|gym|association|troupe|class|congregation|crew|guild|scouts)\b/i;
const DEPARTMENTS =
  'billing|sales|marketing|finance|hr|human resources|engineering|operations|ops|facilities|support|customer support|accounting|legal|it|logistics|procurement|design|research|r&d|payroll|purchasing|security|product|growth|devops|infrastructure|admissions|radiology|oncology|paediatrics|pediatrics|cardiology|maternity|emergency';
const SCHOOL = '(?:University|College|School|Academy|Institute|Polytechnic|Conservatory)';

const SCHOOLS =
  'University College School Academy Institute Polytechnic Conservatory MIT ETH UCLA NYU Harvard Stanford Yale Oxford Cambridge';

const jobTitled = new RegExp(`^(?:an? |the |now an? |still an? |officially an? )?${JOB}${AFTER}`, 'i');
const AS_JOB =
  /^(?:(?:part[- ]time|full[- ]time|freelance|remotely|nights|mainly|currently|here|now) )*as (?<v>(?:an?|the|head|chief|lead|director|vice) .+)/i;

export const WORK_RULES: readonly Rule[] = [
  rule('job', 'state', 'work works worked working freelance freelancing', AS_JOB, 'job', {
    // "As a team", "as the others do": no jobs.
    read: match =>
      /\b(?:team|result|group|whole|rule)\b/i.test(match.groups?.v ?? '') ? undefined : match.groups?.v,
  }),
  rule('job', 'state', 'be', jobTitled, 'job', { oneOf: JOBS }),
  rule(
    'job',
    'state',
    'be',
    /^(?<v>unemployed|self[- ]employed|between jobs|retired|out of work|freelancing|on (?:maternity|paternity|parental) leave)\b/i,
    'words',
  ),
  rule('job', 'event', 'became become', jobTitled, 'job', { oneOf: JOBS }),
  rule('job', 'event', 'got be', /^(?:just )?promoted to (?<v>.+)/i, 'job'),
  rule(
    'job',
    'event',
    'started start starting began beginning',
    /^(?:work |working |out )?as (?<v>an? .+)/i,
    'job',
  ),
  rule(
    'job',
    'event',
    'got landed took accepted start started starting have',
    /^(?:an?|my|the) (?:new |full[- ]time |part[- ]time )?(?:job|position|role|gig|post) as (?<v>.+)/i,
    'job',
  ),
  rule(
    'job',
    'event',
    'got be',
    /^(?:offered|given|appointed|hired as|elected|made) (?:an? |the )?(?:job |position |role )?(?:as |of )?(?<v>.+)/i,
    'job',
    {
      read: match =>
        new RegExp(`\\b(?:${JOBS})\\b`, 'i').test(match.groups?.v ?? '') ? match.groups?.v : undefined,
    },
  ),
  rule(
    'department',
    'state',
    'work works worked working be',
    new RegExp(
      `^in (?:the )?(?<v>${DEPARTMENTS})(?: (?:department|team))?(?=$|[,.]| (?:at|for|now|here|department|team|in|too|and))`,
      'i',
    ),
    'thing',
    { oneOf: DEPARTMENTS },
  ),
  rule(
    'department',
    'event',
    'moved switched transferred moving joined',
    new RegExp(
      `^(?:over |across )?(?:to |into )?(?:the )?(?<v>${DEPARTMENTS})(?: (?:department|team))?(?=$|[,.]| )`,
      'i',
    ),
    'thing',
    { oneOf: DEPARTMENTS },
  ),
  rule(
    'employer',
    'state',
    'work works worked working volunteer',
    new RegExp(
      `^(?:(?:part[- ]time|full[- ]time|remotely|now|here|nights|mostly|currently|as [\\w -]{2,40}?|in [\\w -]{2,20}?) )*(?:at|for) ${ORG}`,
      'iu',
    ),
    'organization',
  ),
  rule('employer', 'state', 'be', new RegExp(`^employed (?:by|at|with) ${ORG}`, 'iu'), 'organization'),
  rule(
    'employer',
    'event',
    'started start starting began',
    new RegExp(
      `^(?:(?:a|my|the) new (?:job|role|position)|an? (?:job|role|position)|work|working|out)? ?(?:at|with(?= (?:an? |the )?\\p{Lu})) ${NO_CLASS}(?<v>(?!the gym)\\p{L}.+)`,
      'u',
    ),
    'organization',
    {
      read: match =>
        /^(?:\d|the (?:bottom|top|beginning|end)|noon|midnight|least|home|once|zero|uni|school|[\w ]*(?:college|university|school))/i.test(
          match.groups?.v ?? '',
        )
          ? undefined
          : match.groups?.v,
    },
  ),
  rule(
    'employer',
    'event',
    'got landed took accepted have',
    new RegExp(
      `^(?:an?|my|the) (?:new |dream |full[- ]time |part[- ]time |summer )*(?:job|position|role|gig|internship|offer)(?: as [\\w -]{2,40}?)? (?:at|with|from) ${ORG}`,
      'iu',
    ),
    'organization',
  ),
  rule('employer', 'event', 'got be', new RegExp(`^hired (?:by|at) ${ORG}`, 'iu'), 'organization'),
  rule('employer', 'event', 'joined join joining', /^(?<v>\p{Lu}.+)/u, 'organization', {
    read: match => (GROUP.test(match.groups?.v ?? '') ? undefined : match.groups?.v),
  }),
  rule('membership', 'event', 'joined join joining', /^(?<v>(?:an?|the|my|our) .+)/i, 'thing', {
    read: match => {
      const group = match.groups?.v ?? '';
      return GROUP.test(group) ? group : undefined;
    },
  }),
  rule('membership', 'state', 'be', /^(?:an? )?(?:\w+ )?member of (?<v>.+)/i, 'organization'),
  rule(
    'membership',
    'state',
    'sing sings sang play plays played playing singing be',
    /^in (?<v>(?:an?|the|my|our) (?:[\w'’-]+ ){0,3}(?:choir|band|orchestra|team|quartet|club))\b/i,
  ),
  rule('team', 'state', 'be', /^(?:on|in) (?:the )?(?<v>[\w&-]{2,20}(?: [\w&-]{2,20})?) team\b/i),
  rule(
    'team',
    'event',
    'moved switched transferred joined',
    /^(?:over )?(?:to )?the (?<v>[\w&-]{2,20}(?: [\w&-]{2,20})?) team\b/i,
  ),
  rule(
    'work_schedule',
    'state',
    'work works worked working be do doing',
    /^(?:on )?(?<v>(?:night|day|early|late|weekend|evening|morning)s?(?: shifts?)?|nights|days|weekends|part[- ]time|full[- ]time|from home|remotely|remote)(?= |$)(?! as| at| for| my)/i,
    'words',
  ),
  rule(
    'work_schedule',
    'event',
    'swapped switched changed moved',
    /^(?:over )?(?:to )(?<v>(?:night|day|early|late|weekend)s?(?: shifts?)?|part[- ]time|full[- ]time)(?= |$|[,.])/i,
    'words',
  ),
  rule(
    'salary',
    'state',
    'earn earns make makes making earning',
    /^(?:about |around |over )?(?<v>[£$€]?\d[\d.,]*(?: ?k)?(?: ?(?:euros|dollars|pounds|eur|usd|gbp))? (?:a|an|per) (?:year|month|week|hour|day))/i,
    'words',
  ),
  rule(
    'studies',
    'state',
    'study studies studied studying',
    /^(?!for|hard|at|in|all|it|until|with|every)(?<v>[\p{L}].+)/iu,
    'thing',
  ),
  rule('studies', 'state', 'major majoring majors majored', /^in (?<v>.+)/i),
  rule(
    'studies',
    'state',
    'do doing finishing pursue pursuing have got did',
    /^(?:an?|my|his|her|the) (?<v>(?:phd|doctorate|master['’]?s?|bachelor['’]?s?|mba|degree|msc|bsc|ba|ma|apprenticeship|diploma|postdoc)\b(?: degree)?(?: (?:in|of) [\p{L}][\p{L} &-]{2,40})?)/iu,
    'words',
    {
      oneOf:
        'phd doctorate master masters bachelor bachelors mba degree msc bsc ba ma apprenticeship diploma postdoc',
    },
  ),
  rule(
    'studies',
    'ever',
    'graduated',
    /^(?:(?:from|at) [^,]{2,40}? )?(?:with (?:an? )?(?:degree )?)?in (?<v>(?!the |an? |january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)\p{L}[\p{L} &-]{2,30})/iu,
  ),
  rule('school', 'ever', 'graduated', /^from (?<v>.+)/i, 'organization'),
  rule('school', 'ever', 'studied', /^(?:at|in) (?<v>\p{Lu}.+)/u, 'organization'),
  rule(
    'school',
    'state',
    'go goes going attend attends attending attended went study studying studies be',
    new RegExp(
      `^(?:[a-z ]{0,30}?(?:to|at) )?(?<v>(?:the )?(?:\\p{Lu}[\\p{L}'’.]+ ){0,4}${SCHOOL}(?: of (?:the )?\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)?)?|MIT|ETH|UCLA|NYU|Harvard|Stanford|Yale|Oxford|Cambridge)(?=$|[,. ])`,
      'u',
    ),
    'organization',
    { oneOf: SCHOOLS },
  ),
  rule(
    'volunteering',
    'state',
    'volunteer volunteers volunteering volunteered',
    /^(?:(?:regularly|weekly|sometimes|every \w+|on \w+) )?(?:at|for|with|in) (?<v>.+)/i,
    'organization',
  ),
];
