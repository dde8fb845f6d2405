import { readFileSync } from 'node:fs';

/** Log-odds of the reader for each turn of cases that it was told nothing of: by case and the turn's name. */
export type Readings = Record<string, Record<string, number>>;

const FILE = new URL('./readings.json', import.meta.url);
let all: Readings | undefined;

/** Returns the readings of a case's turns; undefined unless all of them were read. */
export const readingsOf = ({ id, names }: { id: string; names: readonly string[] }): number[] | undefined => {
  all ??= JSON.parse(readFileSync(FILE, 'utf8')) as Readings;
  const ofCase = all[id];
  if (ofCase === undefined) return undefined;
  const readings = names.flatMap(name => ofCase[name] ?? []);
  return readings.length === names.length ? readings : undefined;
};
