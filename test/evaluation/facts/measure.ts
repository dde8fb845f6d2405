/**
 * `npm run evaluate:facts -- [open | closed]`: the extractor beside two labellers, figures alone, nobody's words. See README.md.
 *
 * A fact that was found is right when a labeller has it for the same turn, those that they call optional included: when they share
 * half of their words (Dice, words of three letters and more, dates as months and years). Of what people say of themselves, the
 * share that was found is of the facts that aren't optional. Of facts that both give an attribute, attribute and value are right
 * together; an attribute is the same under another name (SAME), a value when one's words are all in the other's.
 */
import { readFileSync } from 'node:fs';
import { makeRulesExtractor, normaliseLabel } from '../../../projections/extraction/extract.ts';
import type { SaidObservation } from '../../../schemas/facts.ts';

interface Turn {
  chat: string;
  kind: string;
  turn: number;
  role: string;
  text: string;
  timestamp: string;
}
interface Label {
  text: string;
  by_self: boolean;
  attribute: string | null;
  value: string | null;
  optional: boolean;
}
interface Labels {
  chat: string;
  turn: number;
  facts: Label[];
  entities: { label: string; optional: boolean }[];
}

const read = <T>(name: string): T[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T);

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .replace(/(\d{4})-(\d\d)(-\d\d)?/g, (_, year, month) => `${MONTHS[Number(month) - 1] ?? ''} ${year}`)
      .match(/[\p{L}\d]{3,}/gu) ?? [],
  );

const dice = (a: string, b: string): number => {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const both = [...one].filter(word => other.has(word)).length;
  return one.size + other.size === 0 ? 0 : (2 * both) / (one.size + other.size);
};

/** Other names of attributes in the labels. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  parent: ['mother', 'father'],
  sibling: ['brother', 'sister'],
  relative: ['aunt', 'uncle', 'cousin', 'grandmother', 'grandfather', 'niece', 'nephew'],
  partner: ['husband', 'wife', 'boyfriend', 'girlfriend', 'marital_status'],
  child: ['son', 'daughter'],
  roommate: ['housemate', 'flatmate'],
  nickname: ['preferred_name', 'name'],
  relationship_status: ['marital_status', 'partner'],
  job: ['role', 'occupation', 'work_status'],
  employer: ['workplace'],
  hometown: ['birthplace', 'childhood_home'],
  vehicle: ['owns', 'car'],
  owns: ['vehicle', 'phone_model'],
  goal: ['plan', 'training', 'training_plan'],
  plan: ['goal', 'wish'],
  likes: ['hobby', 'preference'],
  hobby: ['likes', 'sport', 'training'],
  dislikes: ['disliked_food', 'preference'],
  preference: ['likes', 'dislikes', 'diet'],
};
const isSameAttribute = (found: string, label: string): boolean =>
  found === label || (SAME[found] ?? []).includes(label) || found.replace(/^favourite_/, '') === label;
const isSameValue = (found: string, label: string): boolean => {
  const [one, other] = [wordsOf(found), wordsOf(label)];
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  return fewer.size > 0 && [...fewer].every(word => more.has(word));
};

const share = (part: number, whole: number): string =>
  `${whole === 0 ? '–' : (part / whole).toFixed(3)} (${part} of ${whole})`;

const half = process.argv[2] ?? 'open';
const turns = read<Turn>(`${half}-turns.jsonl`);
const labellers = ['a', 'b'].map(
  name =>
    new Map(
      read<Labels>(`${half}-labels-${name}.jsonl`).map(labels => [`${labels.chat} ${labels.turn}`, labels]),
    ),
);
const extract = makeRulesExtractor();

const HALF_OF_WORDS = 0.5;
const sums = { found: 0, right: 0, given: 0, both: 0, attributesRight: 0 };
const own = labellers.map(() => ({ said: 0, found: 0 }));
const entities = labellers.map(() => ({ found: 0, right: 0, named: 0, seen: 0 }));

const isNear = (a: string, b: string): boolean => {
  const [one, other] = [normaliseLabel(a), normaliseLabel(b)];
  return one === other || ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);
};

for (const { chat, turn, role, text, timestamp } of turns) {
  const { observations, entities: named } = extract({ role, text, timestamp: Date.parse(timestamp) });
  const labels = labellers.map(one => one.get(`${chat} ${turn}`)!);
  const all = labels.flatMap(({ facts }) => facts);
  for (const one of observations) countFact(one, all);
  for (const [i, { facts, entities: labelled }] of labels.entries()) {
    for (const fact of facts.filter(({ by_self, optional }) => by_self && !optional)) {
      own[i]!.said++;
      if (observations.some(one => dice(one.text, fact.text) >= HALF_OF_WORDS)) own[i]!.found++;
    }
    // Who speaks is no finding; dates are no entities.
    const isSpeaker = (label: string): boolean => isNear(label, role);
    for (const { label, kind } of named) {
      if (isSpeaker(label) || kind === 'date') continue;
      const match = labelled.find(other => isNear(other.label, label));
      if (match?.optional) continue;
      entities[i]!.found++;
      if (match) entities[i]!.right++;
    }
    for (const { label, optional } of labelled) {
      if (optional || isSpeaker(label)) continue;
      entities[i]!.named++;
      if (named.some(one => isNear(one.label, label))) entities[i]!.seen++;
    }
  }
}

function countFact({ text, fact }: SaidObservation, labels: readonly Label[]): void {
  sums.found++;
  const matches = labels.filter(label => dice(text, label.text) >= HALF_OF_WORDS);
  if (matches.length > 0) sums.right++;
  if (!fact) return;
  sums.given++;
  const others = matches.filter(({ attribute, value }) => attribute !== null && value !== null);
  if (others.length === 0) return;
  sums.both++;
  const isRight = others.some(
    ({ attribute, value }) => isSameAttribute(fact.attribute, attribute!) && isSameValue(fact.value, value!),
  );
  if (isRight) sums.attributesRight++;
}

console.log(`${half} half: ${turns.length} turns`);
console.log(`facts that a labeller has: ${share(sums.right, sums.found)}`);
for (const [i, { said, found }] of own.entries())
  console.log(`of what people say of themselves, by labeller ${'ab'[i]}: ${share(found, said)}`);
console.log(`facts with an attribute: ${share(sums.given, sums.found)}`);
console.log(
  `attribute and value right where a labeller gives them too: ${share(sums.attributesRight, sums.both)}`,
);
for (const [i, { found, right, named, seen }] of entities.entries()) {
  const [precision, recall] = [right / found, seen / named];
  const f1 = (2 * precision * recall) / (precision + recall);
  console.log(
    `entities, by labeller ${'ab'[i]}: precision ${share(right, found)}, recall ${share(seen, named)}, F1 ${f1.toFixed(3)}`,
  );
}
