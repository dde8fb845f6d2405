import { mentionsIn, mentionText } from './attributes/subject.ts';
import { phraseOf } from './attributes/values.ts';
import type { Lexicon } from './sentences/lexicon.ts';
import type { Observed } from './wishes.ts';

const FORMERLY =
  / (?:back )?(?:when|while) ((?:I|we) (?:lived|worked|studied|was living|was working|was studying) (?:in|at|for|as) .+)/;

/** Returns clauses about a former home: "I ate it when I lived in Taichung" has a second fact. */
export const formerlyIn = (text: string): string[] => {
  const clause = / when | while /.test(text) ? FORMERLY.exec(text)?.[1] : undefined;
  return clause === undefined ? [] : [clause];
};

/** Returns the workplace next to a job: "A nurse at St Mary's". */
export function workplaceIn({ fact }: Observed, text: string, lexicon: Lexicon): Observed[] {
  if (fact?.attribute !== 'job' || fact.ended) return [];
  const at = text.toLowerCase().indexOf(fact.value.toLowerCase());
  const place = /^ (?:at|for|with) (?=\p{L})(?!(?:a|an) living|least|night|the moment|now|home)(.+)/u.exec(
    text.slice(at + fact.value.length),
  )?.[1];
  const value = at < 0 || place === undefined ? undefined : phraseOf(place, 'organization', lexicon);
  if (value === undefined) return [];
  const { subject } = fact;
  const where = place!.slice(0, place!.indexOf(value) + value.length).replace(/^(?:my|our) /i, 'their ');
  return [
    {
      text: `${subject.charAt(0).toUpperCase()}${subject.slice(1)} works at ${where}.`,
      fact: { ...fact, attribute: 'employer', value },
    },
  ];
}

/** Returns relations that a clause names with relation and name: "Ada's sister is called Ana." */
export function relatedIn(text: string, speaker: string, found: readonly Observed[]): Observed[] {
  return mentionsIn(text)
    .filter(
      ({ attribute, name }) =>
        !found.some(({ fact }) => fact?.attribute === attribute && fact.value === name),
    )
    .map(mention => ({
      text: mentionText(speaker, mention),
      fact: { subject: speaker, attribute: mention.attribute, value: mention.name },
    }));
}
