/** Describes an answer in short. */
import type { Recalled } from '../../../api/types.ts';
import { confidenceInWords } from '../../../words/confidence.ts';
import { counted, number } from '../../../words/numbers.ts';

export const countOf = ({ hits }: Recalled): number =>
  hits.turns.length + hits.observations.length + hits.entities.length;

export const verdictOf = (answer: Recalled): string =>
  countOf(answer) === 0 ? 'nothing found' : confidenceInWords(answer.confidence);

/** Returns the announcement of an answer for screen readers. */
export const inShort = (answer: Recalled): string =>
  countOf(answer) === 0 ? 'Nothing found' : `${counted(countOf(answer), 'hit')}, ${verdictOf(answer)}`;

export const inMilliseconds = (value: number): string =>
  `${value < 10 ? value.toFixed(1) : number(Math.round(value))} ms`;
