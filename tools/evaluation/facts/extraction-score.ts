import {
  type ExtractionInput,
  makeRulesExtractor,
  normaliseLabel,
} from '../../../domain/extraction/extract.ts';

/** One label, or equivalent wordings of it. */
type Label = string | string[];

/** Matches dates, which the samples label too, but which are no entities since `rules-3`. */
const DATE_LABEL = /^\d{4}(?:-(?:\d\d|w\d\d))?(?:-\d\d)?$/;

export interface LabelledTurn {
  role: string;
  text: string;
  facts: Label[];
  entities: Label[];
  /** True but not worth asking for: right if extracted, not missed if not. */
  optional_facts?: Label[];
  optional_entities?: Label[];
}

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

export interface ExtractionScore {
  facts: Score;
  entities: Score;
  /** "+ made and wrong", "- labelled and not made". */
  errors: string[];
}

const EMPTY = new Set(
  'a an the and but so of to in on at for with that it is are was were has have had be been just also really their his her its other'.split(
    ' ',
  ),
);
const ALIKE = 0.7;
const MONTH = 'January|February|March|April|May|June|July|August|September|October|November|December';
const DATE = new RegExp(`(?:(?:\\d{1,2} )?(?:${MONTH}) )?(?<!\\d)(?:1[89]|20)\\d\\d(?!\\d)`, 'g');

const wordingsOf = (label: Label): string[] => (typeof label === 'string' ? [label] : label);
/**
 * Removes the speaker, whom the event has too: "Ada said the shop is closed" says the same as "The shop is
 * closed".
 */
const withoutAttribution = (fact: string, role: string): string => {
  const speaker = role === 'user' || role === 'assistant' ? `The ${role}` : role;
  return fact.startsWith(`${speaker} said `) ? fact.slice(speaker.length + 6) : fact;
};
/**
 * Returns the content words without a possessive, a plural's or a verb's -s: "Ada and others need" says the
 * same as "Ada needs".
 */
const contentOf = (fact: string): Set<string> =>
  new Set(
    (fact.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [])
      .map(word => word.replace(/['’]s$/, '').replace(/(?<=\p{L}{3})s$/u, ''))
      .filter(word => !EMPTY.has(word)),
  );
const ofSomebody = (fact: string): boolean =>
  /^(?!(?:s?he|it|that|there|who)['’])(?:The )?\S+['’]s? /i.test(fact);
/**
 * Whether two facts have one subject: "Ada's brother lives" is not "Ada lives", but "Ada's brother Ben lives"
 * is "Ben lives".
 */
function haveOneSubject(one: string, other: string): boolean {
  if (ofSomebody(one) === ofSomebody(other)) return true;
  const [relative, plain] = ofSomebody(one) ? [one, other] : [other, one];
  return relative.split(' ').slice(1, 4).includes(plain.split(' ')[0]!);
}
const isNegative = (fact: string): boolean => /n't\b|\b(?:not|never|no|nor|without|cannot)\b/i.test(fact);
const datesOf = (fact: string): string => [...new Set(fact.match(DATE) ?? [])].sort().join();

/**
 * Returns how alike two facts are, 0 to 1: the share of their content words that both hold (Dice); 0 if their
 * dates differ, if only one has a "not", or if one is about Ada and the other about Ada's brother.
 */
export function likeness(made: string, label: string, role: string): number {
  const one = withoutAttribution(made, role);
  const other = withoutAttribution(label, role);
  if (isNegative(one) !== isNegative(other) || datesOf(one) !== datesOf(other) || !haveOneSubject(one, other))
    return 0;
  const left = contentOf(one);
  const right = contentOf(other);
  const shared = [...left].filter(word => right.has(word)).length;
  return (2 * shared) / (left.size + right.size);
}

const combinations = (labels: readonly Label[]): string[] =>
  labels.reduce<string[]>(
    (texts, label) => texts.flatMap(text => wordingsOf(label).map(wording => `${text} ${wording}`.trim())),
    [''],
  );

/**
 * Removes the labels that a made fact states from `open`: the one most alike, or neighbours said in one
 * sentence.
 */
function takeMatch(made: string, open: Label[], role: string): number {
  let best = { from: 0, length: 0, likeness: 0 };
  for (let length = 1; length <= open.length; length++)
    for (let from = 0; from + length <= open.length; from++)
      for (const text of combinations(open.slice(from, from + length))) {
        const here = likeness(made, text, role);
        if (here > best.likeness) best = { from, length, likeness: here };
      }
  if (best.likeness < ALIKE) return 0;
  open.splice(best.from, best.length);
  return best.length;
}

function scoreOf(right: number, made: number, found: number, labelled: number): Score {
  const precision = right / made;
  const recall = found / labelled;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/**
 * Returns precision and recall of the rules on labelled turns. A fact is right if it states a label that no
 * other fact of its turn has stated.
 */
export function scoreExtraction(
  turns: readonly LabelledTurn[],
  timestamp: number,
  extract: ReturnType<typeof makeRulesExtractor> = makeRulesExtractor(),
): ExtractionScore {
  const facts = { right: 0, made: 0, found: 0, labelled: 0 };
  const entities = { right: 0, made: 0, found: 0, labelled: 0 };
  const errors: string[] = [];
  for (const turn of turns) {
    const input: ExtractionInput = { role: turn.role, text: turn.text, timestamp };
    const { observations, entities: names } = extract(input);
    const open = [...turn.facts];
    const optional = [...(turn.optional_facts ?? [])];
    for (const { text: made } of observations) {
      facts.made++;
      const found = takeMatch(made, open, turn.role);
      facts.found += found;
      if (found > 0 || takeMatch(made, optional, turn.role) > 0) facts.right++;
      else errors.push(`+ ${made}`);
    }
    facts.labelled += turn.facts.length;
    for (const label of open) errors.push(`- ${wordingsOf(label)[0]}   (${turn.text})`);

    const wanted = turn.entities
      .map(label => wordingsOf(label).map(normaliseLabel))
      .filter(wordings => !wordings.some(wording => DATE_LABEL.test(wording)));
    const allowed = (turn.optional_entities ?? []).flatMap(wordingsOf).map(normaliseLabel);
    const made = names.map(({ label }) => normaliseLabel(label));
    const missed = wanted.filter(wordings => !wordings.some(wording => made.includes(wording)));
    const wrong = made.filter(
      name => !allowed.includes(name) && !wanted.some(wordings => wordings.includes(name)),
    );
    entities.made += made.length;
    entities.right += made.length - wrong.length;
    entities.labelled += wanted.length;
    entities.found += wanted.length - missed.length;
    for (const name of wrong) errors.push(`+ #${name}   (${turn.text})`);
    for (const wordings of missed) errors.push(`- #${wordings[0]}   (${turn.text})`);
  }
  return {
    facts: scoreOf(facts.right, facts.made, facts.found, facts.labelled),
    entities: scoreOf(entities.right, entities.made, entities.found, entities.labelled),
    errors,
  };
}
