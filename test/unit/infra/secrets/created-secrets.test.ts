import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createSecret, KEY_BYTES } from '../../../../infra/secrets/files.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

const FILES = new URL('../../../../infra/secrets/files.ts', import.meta.url).href;
const [STARTERS, ROUNDS] = [3, 150];

/** Creates each file at the same moment as the others do; posts the keys that it then reads. */
const STARTER = `
const { parentPort, workerData } = require('node:worker_threads');
const { join } = require('node:path');
import(${JSON.stringify(FILES)}).then(({ makeInstallationKey, readInstallationKeys }) => {
  const arrived = new Int32Array(workerData.arrived);
  const seen = [];
  for (let round = 0; round < workerData.rounds; round++) {
    Atomics.add(arrived, round, 1);
    while (Atomics.load(arrived, round) < workerData.starters);
    const path = join(workerData.folder, String(round));
    try {
      makeInstallationKey(path);
      seen.push(Buffer.from(readInstallationKeys(path)[0]).toString('base64'));
    } catch (error) {
      seen.push(error.message);
    }
  }
  parentPort.postMessage(seen);
});`;

it('of several that start at once, all have the one key that is in the file', async () => {
  const folder = temporaryFolder();
  const arrived = new SharedArrayBuffer(4 * ROUNDS);
  const starters = Array.from(
    { length: STARTERS },
    () =>
      new Worker(STARTER, {
        eval: true,
        workerData: { folder, arrived, starters: STARTERS, rounds: ROUNDS },
      }),
  );
  const seen = await Promise.all(
    starters.map(async starter => (await once(starter, 'message'))[0] as string[]),
  );
  const inFiles = Array.from({ length: ROUNDS }, (_, round) =>
    readFileSync(join(folder, String(round)), 'utf8'),
  );
  for (const keys of seen) expect(keys).toEqual(inFiles);
  expect(new Set(inFiles).size).toBe(ROUNDS);
  for (const key of inFiles) expect(Buffer.from(key, 'base64')).toHaveLength(KEY_BYTES);
  expect(readdirSync(folder)).toHaveLength(ROUNDS);
});

it('a secret that exists is kept, and a new one is its owner’s alone', () => {
  const path = join(temporaryFolder(), 'secret');
  createSecret(path, 'first');
  createSecret(path, 'second');
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
