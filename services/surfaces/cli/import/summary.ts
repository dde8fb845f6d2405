import { grouped, print, printable, type Terminal } from '../../client/terminal.ts';
import type { Survey } from '../../importers/turns/survey.ts';

const MOST_SPEAKERS = 8;

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const speakersText = (speakers: Survey['speakers']): string => {
  const named = speakers
    .slice(0, MOST_SPEAKERS)
    .map(([role, turns]) => `${printable(role)} (${grouped(turns)})`);
  const more = speakers.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${grouped(more)} more` : named.join(', ');
};

const changedText = ({ renamed, split }: Survey): string =>
  [
    renamed > 0 ? `${grouped(renamed)} with a changed speaker name` : '',
    split > 0 ? `${grouped(split)} split because longer than a turn may be` : '',
  ]
    .filter(text => text !== '')
    .join(', ');

/** Prints a description of the file before anything is sent. */
export const printSummary = (
  terminal: Terminal,
  survey: Survey,
  { title, times }: { title: string; times: string | undefined },
): void => {
  const { conversations, turns, repeated, speakers, first, last, leftOut, tokens } = survey;
  const again = repeated > 0 ? `, of which ${grouped(repeated)} repeat others and are stored once` : '';
  const rows: [string, string][] = [
    ['format', title],
    ['conversations', grouped(conversations)],
    ['turns', grouped(turns) + again],
    ['speakers', speakersText(speakers)],
    ['time', first === undefined ? '' : `${minute(first)} to ${minute(last!)}`],
    ['time zone', times ?? ''],
    ['changed', changedText(survey)],
    ['tokens', tokens === undefined ? '' : `${grouped(tokens)}, less turns already stored`],
    ...leftOut.map(([reason, count], index): [string, string] => [
      index === 0 ? 'left out' : '',
      `${reason}: ${grouped(count)}`,
    ]),
  ];
  for (const [name, text] of rows) if (text !== '') print(terminal, `${name.padEnd(15)}${text}`);
};
