import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { kidOf } from '../../../../core/log/keys/installation-keys.ts';
import {
  type RotatingInstallationKeys,
  rotatingInstallationKeys,
} from '../../../../infra/secrets/rotate-installation-keys.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

const [OLD, FRESH] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ELEVEN_MINUTES_MS = 11 * 60_000;

describe('the file of the installation keys', () => {
  let file: string;
  let keys: RotatingInstallationKeys;
  beforeEach(() => {
    file = join(temporaryFolder(), 'installation-key');
    write(OLD, FRESH);
    keys = rotatingInstallationKeys(file, Date.now);
  });
  const write = (...all: Buffer[]): void =>
    writeFileSync(file, all.map(key => `${key.toString('base64')}\n`).join(''));
  const kids = (): string[] => keys.list().map(({ kid }) => kid);

  it('keeps its mode', () => {
    chmodSync(file, 0o640);
    keys.add();
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it.skipIf(process.getuid?.() !== 0)('keeps its owner (only root can give a file away)', () => {
    chownSync(file, 1234, 2345);
    keys.use(kidOf(FRESH));
    expect(statSync(file)).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it('is changed by one command at a time, and a killed one is named', () => {
    const draft = `${file}.new`;
    writeFileSync(draft, '');
    const before = readFileSync(file, 'utf8');
    const steps = [() => keys.add(), () => keys.use(kidOf(FRESH)), () => keys.retire(kidOf(FRESH), true)];
    for (const step of steps) expect(step).toThrow(`remove ${draft}`);
    expect(readFileSync(file, 'utf8')).toBe(before);
    // The other one has its draft still.
    expect(existsSync(draft)).toBe(true);
    rmSync(draft);
    expect(keys.use(kidOf(FRESH))).toBe(true);
    expect(keys.use(kidOf(FRESH))).toBe(false);
    expect(() => keys.use('no such key')).toThrow('no installation key');
    expect(existsSync(draft)).toBe(false);
    expect(kids()).toEqual([kidOf(FRESH), kidOf(OLD)]);
  });

  it('keeps a key that another command used after it was found to be unused', () => {
    const other = rotatingInstallationKeys(file, Date.now);
    keys.assertUnused(kidOf(FRESH), true);
    other.use(kidOf(FRESH));
    expect(() => keys.retire(kidOf(FRESH), true)).toThrow('wraps');
    expect(() => keys.retire(kidOf(OLD), false)).toThrow('--force');
    expect(kids()).toEqual([kidOf(FRESH), kidOf(OLD)]);
    const before = (Date.now() - ELEVEN_MINUTES_MS) / 1_000;
    utimesSync(file, before, before);
    keys.retire(kidOf(OLD), false);
    expect(kids()).toEqual([kidOf(FRESH)]);
  });
});
