/** Names that stand beside a relation, between commas: "Alex, my brother, lives in Oslo". */
import { relationOf } from '../reading/relations.ts';
import { mayNamePerson } from '../reading/subject.ts';

const NAME = "\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+){0,2}";
/** The words that go on; not "Honestly, my brother, he lives in Oslo". */
const REST = '(?!(?:he|she|they|it|who|which|and|or)\\b)(?=[a-z])';
const NAME_FIRST = new RegExp(`^(${NAME}), (my|our) ((?:[a-z]+ )?([a-z-]+)), ${REST}`, 'u');
const RELATION_FIRST = new RegExp(`^([Mm]y|[Oo]ur) ((?:[a-z]+ )?([a-z-]+)), (${NAME}), ${REST}`, 'u');

const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`;

/** Returns the sentence with the name behind its relation: "My brother Alex lives in Oslo". */
export const withoutApposition = (sentence: string): string => {
  if (!sentence.includes(',')) return sentence;
  const [first, name, own = '', phrase = '', relation = ''] = NAME_FIRST.exec(sentence) ?? [];
  if (first !== undefined && relationOf(relation) !== undefined && mayNamePerson(name!))
    return `${capital(own)} ${phrase} ${name} ${sentence.slice(first.length)}`;
  const [whole, mine = '', said = '', word = '', called] = RELATION_FIRST.exec(sentence) ?? [];
  if (whole === undefined || relationOf(word) === undefined || !mayNamePerson(called!)) return sentence;
  return `${mine} ${said} ${called} ${sentence.slice(whole.length)}`;
};
