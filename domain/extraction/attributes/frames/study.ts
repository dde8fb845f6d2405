import { ANY_MONTH } from '../../dates/calendar.ts';
import { hasComma, textOf } from '../../reading/tokens.ts';
import { type Frame, frame } from '../frame.ts';
import { organization } from '../organization-type.ts';
import { matching, type ValueType, words, wordsIn } from '../values.ts';

const KIND_OF_SCHOOL =
  /^(?:nursery|primary|secondary|high|grammar|middle|elementary|school|college|uni|university|kindergarten|preschool|academy)$/;
export const SCHOOL =
  /\b(?:University|College|School|Academy|Institute|Polytechnic|Conservatory|Primary|Kindergarten|[Nn]ursery|Secondary|Grammar|High|Elementary|[Pp]reschool)\b|^(?:MIT|ETH|UCLA|NYU|Harvard|Stanford|Yale|Oxford|Cambridge|Princeton|Columbia|Caltech)\b/;
const school: ValueType = item => {
  const text = organization(item);
  if (text === undefined) return undefined;
  // "Larkspur nursery", "Ancrum Road primary school": the kind in small letters.
  const { tokens, phrase } = item;
  const after = phrase.from + text.split(' ').length;
  let to = after;
  while (to < item.end && KIND_OF_SCHOOL.test(tokens[to]!.lower) && !hasComma(tokens[to - 1]!)) to++;
  const whole = to > after ? textOf(tokens, phrase.from, to) : text;
  return SCHOOL.test(whole) || to > after ? whole : undefined;
};
const named: ValueType = item => {
  const text = organization(item);
  return text !== undefined && /\p{Lu}/u.test(text) ? text : undefined;
};
const NO_SUBJECT =
  /^(?:for|hard|at|in|all|it|until|with|every|together|abroad|alone|online|late|more|exam|exams|test|tests)\b/i;
const subjectOfStudy: ValueType = item => {
  // "I'm studying the menu", "your email".
  const text = item.phrase.bare < item.phrase.from ? undefined : wordsIn(item, 4);
  return text === undefined || NO_SUBJECT.test(text) ? undefined : text;
};
/** "I'm a student of chemistry at Aarhus University". */
const studentAt: ValueType = item =>
  item.tokens.slice(0, item.phrase.from).some(({ lower }) => lower === 'student' || lower === 'phd')
    ? named(item)
    : undefined;
const DEGREE = new RegExp(
  `^(?:an? |my |his |her |the )?(?<v>(?:phd|doctorate|master['’]?s?|bachelor['’]?s?|mba|degree|msc|bsc|ba|ma|apprenticeship|diploma|postdoc)\\b(?: degree)?(?: (?:in|of) (?!(?:${ANY_MONTH}|spring|summer|autumn|fall|winter|the)\\b)[\\p{L}][\\p{L} &-]{2,40})?)`,
  'iu',
);
/** "A master's in law": the whole phrase, as it has an owner's ending. */
const degree: ValueType = ({ tokens, phrase, end }) =>
  DEGREE.exec(textOf(tokens, phrase.bare, end))?.groups?.v;
const GRADUATED_IN = new RegExp(
  `^(?<v>(?!the |an? |week |${ANY_MONTH}|spring|summer|autumn|fall|winter|\\d)\\p{L}[\\p{L} &-]{2,30})`,
  'iu',
);

/** Subjects that people change between: "I switched from maths to physics". */
const SUBJECTS =
  'maths|mathematics|physics|chemistry|biology|law|medicine|history|philosophy|economics|psychology|sociology|engineering|computer science|nursing|architecture|linguistics|literature|geography|geology|statistics|accounting|business|politics|anthropology|archaeology|theology|pharmacy|dentistry|astronomy|biochemistry|neuroscience|journalism|education|art history|fine art|design|music|drama|classics|data science';
const SUBJECT = new RegExp(`^(?:${SUBJECTS})$`, 'i');
/** The new one of two subjects. */
const subjectInstead: ValueType = item => {
  const from = item.tokens.findIndex(({ lower }) => lower === 'from');
  const text = wordsIn(item, 3);
  const former = from < 0 ? '' : textOf(item.tokens, from + 1, item.phrase.bare - 1);
  return text !== undefined && SUBJECT.test(text) && SUBJECT.test(former) ? text : undefined;
};

export const STUDY_FRAMES: readonly Frame[] = [
  frame('studies', 'state', 'be', 'a|an student of', subjectOfStudy),
  frame('school', 'state', 'be', '~at', studentAt),
  frame('studies', 'state', 'study', '', subjectOfStudy),
  frame('studies', 'state', 'major', 'in', words),
  frame('studies', 'state', 'do finish pursue have get', '', degree),
  frame('studies', 'ever', 'graduate', '~in', matching(GRADUATED_IN)),
  frame('school', 'ever', 'graduate', '~from', named),
  frame('school', 'event', 'start begin', 'school|university|college|uni|nursery|kindergarten at', named),
  frame('school', 'state', 'study', '~at', named),
  frame('school', 'state', 'go attend', '~to', school),
  frame('school', 'state', 'attend', '', school),
  frame('school', 'state', 'be', 'at', school),
  frame('studies', 'event', 'switch change move transfer', '~to', subjectInstead),
  frame(
    'school',
    'state',
    'be',
    'in my|his|her|their first|second|third|fourth|final|last year at|of',
    named,
  ),
];
