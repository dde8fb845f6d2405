/** Illnesses, conditions and parts of the body by their names. */
import { textOf } from '../../reading/tokens.ts';
import type { ValueType } from '../values.ts';

const CONDITIONS =
  "asthma|diabetes|type 1 diabetes|type 2 diabetes|migraine|migraines|adhd|anxiety|depression|insomnia|arthritis|epilepsy|coeliac|celiac|coeliac disease|celiac disease|high blood pressure|low blood pressure|flu|covid|cancer|eczema|psoriasis|hay fever|tinnitus|hypertension|anaemia|anemia|dyslexia|autism|ptsd|ocd|ibs|endometriosis|lupus|scoliosis|vertigo|sciatica|slipped disc|heart condition|concussion|stomach ulcer|sinus infection|crohn's|crohn's disease|parkinson's|pneumonia|bronchitis|sleep apnea|sleep apnoea|gout|osteoporosis|glaucoma|hernia|bad back|bad knee|bad hip|bad shoulder|thyroid problem|thyroid condition|pcos|fibromyalgia|reflux|alopecia|rosacea";
/** Names of illnesses by their end: "scarlet fever", "tonsillitis", "an ear infection". */
const ILLNESS =
  /^(?:[\p{L}'’-]+ ){0,2}(?:fever|infection|disease|syndrome|disorder|pox|measles|mumps|flu|knee|elbow|foot|cancer|[a-z]{3,}(?:itis|osis|aemia|emia|algia|pathy|plasia)|coma)$/iu;
/** "Cabin fever", "a sore foot": a mood, or nothing that lasts. */
const NO_ILLNESS = /^(?:cabin|spring|beach|gold|wedding|baby|a|my|the|left|right|one|big|cold|wet|dry)\b/i;
const ILL_PARTS = /(?:knee|elbow|foot)$/i;
const CONDITION_SET = new Set(CONDITIONS.split('|'));
export const PARTS = new Set(
  'arm leg ankle wrist knee foot hand finger thumb toe shoulder back hip rib ribs nose collarbone elbow neck hamstring achilles acl tooth calf heel jaw pinky wrist'.split(
    ' ',
  ),
);
/** Whether words name an illness or a condition. */
export const isCondition = (text: string): boolean => {
  const plain = text.toLowerCase().replace(/^(?:chronic|severe|mild|bad|terrible|seasonal|the|an?) /, '');
  return (
    CONDITION_SET.has(plain) ||
    (ILLNESS.test(plain) && !NO_ILLNESS.test(plain) && (!ILL_PARTS.test(plain) || /['’]s /.test(plain)))
  );
};
/** A condition that ends its phrase: "asthma", not "cancer screening" or "diabetes in my family". */
export const condition: ValueType = item => {
  const { tokens, phrase, end } = item;
  const text = textOf(tokens, phrase.from, phrase.to);
  return isCondition(text) && !(phrase.to < end && tokens[phrase.to]!.lower === 'in') ? text : undefined;
};
