/**
 * `npm run fit:common -- FILE`: computes the mean direction of a data set's turns, by which the ranking
 * centres the vectors of scopes that have too few turns for a mean of their own. Writes
 * common-direction.json; run `npm run fit` after it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { quantise } from '../../../domain/language/analyse.ts';
import { makeLanguage } from '../../../domain/language/language.ts';
import { runCommand, wrongUsage } from '../command.ts';
import { readDataset } from '../datasets/read-dataset.ts';

await runCommand('fit:common', () => {
  const [file] = process.argv.slice(2);
  if (!file) throw wrongUsage('usage: npm run fit:common -- FILE');
  const folder = new URL('../../../domain/', import.meta.url);
  const language = makeLanguage(readFileSync(new URL('language/vectors/static-vectors.bin', folder)));
  const vectors = readDataset(file)
    .conversations.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns))
    .map(
      ({ role, text, timestamp }) =>
        language.analyse(text, { role, timestamp: Date.parse(timestamp) }).vector,
    );
  const mean = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) {
    const norm = Math.hypot(...vector) || 1;
    for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / norm / vectors.length;
  }
  const content = {
    madeBy: 'npm run fit:common',
    data: basename(file),
    turns: vectors.length,
    length: Math.round(Math.hypot(...mean) * 1e4) / 1e4,
    vector: Buffer.from(quantise(mean)).toString('base64'),
  };
  writeFileSync(
    new URL('ranking/vectors/common-direction.json', folder),
    `${JSON.stringify(content, null, 2)}\n`,
  );
});
