/** A rotation of the installation key while turns are written, with a kill in it. Shared by both modes. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Client } from '../support/http/client.ts';
import { runCommand, spawnCommand } from '../support/processes/command-line.ts';
import { until } from '../support/wait.ts';

const USERS = 40;

export interface RotationWorld {
  environment: Record<string, string>;
  /** The file of the installation's keys. */
  file: string;
  client(): Promise<Client>;
  /** Kills what wraps the keys anew. */
  kill(): Promise<void>;
  /** Starts again what was killed. */
  start(): Promise<void>;
  /** Starts every server anew. */
  restart(): Promise<void>;
}

const said = (user: number) => ({
  scope: { user_id: `user-${user}` },
  turns: [{ role: 'user', text: `The kettle number ${user} is blue.`, timestamp: '2026-01-01T00:00:00Z' }],
});

export const rotation = async ({
  environment,
  file,
  client,
  kill,
  start,
  restart,
}: RotationWorld): Promise<void> => {
  const command = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommand(['installation-keys', ...args], environment);
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const keys = async (): Promise<{ kid: string; state: string }[]> =>
    JSON.parse(await command('list', '--json'));

  const before = await client();
  for (let user = 0; user < USERS; user++) await before.ingest(said(user));
  const [old] = await keys();
  const fresh = await command('add');
  expect(await keys()).toEqual([
    { kid: old!.kid, state: 'wraps' },
    { kid: fresh, state: 'opens' },
  ]);
  await expect(command('retire', old!.kid)).rejects.toThrow('use another one first');

  let written = USERS;
  const first = readFileSync(file, 'utf8').split('\n')[0]!;
  const interrupted = spawnCommand(['installation-keys', 'use', fresh], environment);
  await until('the new key is the first', () => !readFileSync(file, 'utf8').startsWith(first));
  await before.ingest(said(written++));
  await kill();
  // Without its server it may go on by itself, and has the data folder then.
  await interrupted.catch(() => undefined);
  await start();

  const during = await client();
  const again = command('use', fresh);
  while (written < USERS + 10) await during.ingest(said(written++));
  expect(await again).toMatch(new RegExp(`^${fresh} wraps; the keys of \\d+ users were wrapped anew$`));
  await expect(command('retire', old!.kid)).rejects.toThrow('--force');
  // The second call has nothing left but what was wrapped by the old key meanwhile.
  await command('use', fresh);
  await command('retire', old!.kid, '--force');
  expect(await keys()).toEqual([{ kid: fresh, state: 'wraps' }]);
  expect(readFileSync(`${file}.retired-${old!.kid}`, 'utf8').trim()).toBe(first);

  await restart();
  const after = await client();
  await after.ingest(said(written++));
  for (const user of [0, 17, USERS, USERS + 9, USERS + 10]) {
    const { hits } = await after.recall({ q: `kettle ${user}`, scope: { user_id: `user-${user}` } });
    expect(hits.turns.map(({ text }) => text)).toEqual([
      expect.stringContaining(`The kettle number ${user} is blue.`),
    ]);
  }
  // Reads the whole log, which opens without the old key.
  const { status, stdout } = await runCommand(['verify', '--whole'], environment);
  expect(stdout).toContain('no differences');
  expect(status).toBe(0);
};
