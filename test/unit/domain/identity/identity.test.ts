import { describe, expect, it } from 'vitest';
import {
  entityId,
  extractionId,
  observationId,
  turnId,
  writeId,
} from '../../../../domain/identity/identity.ts';
import { minute, sessionKey } from '../../../support/worlds/builders.ts';

const key = sessionKey().identity;
const base = { org: 'acme', user: 'ada', session: 's', role: 'user', text: 'hello', timestamp: minute(1) };

describe('identity', () => {
  it('is the same for the same content, for ever', () => {
    expect(turnId(key, base)).toBe(turnId(key, { ...base }));
    // Written down once: another value here makes every stored turn a new one.
    expect(turnId(key, base)).toBe('trn_01c2b9a1f5fd81d07e1714ecf37e2c80');
    expect(`job_${writeId(key, 'acme', 'ada', 's', ['trn_1', 'trn_2'])}`).toBe(
      'job_b1c9fe4eec19d75f4335cb8c80bdef54',
    );
    expect(observationId(turnId(key, base), 'waves')).toBe('obs_01c2b9a1b5f03c0c05f8e0ddac10f934');
    expect(entityId('acme', 'ada', 'lisbon')).toBe('ent_84c426af3ee0264f8ce50b11');
    expect(extractionId(turnId(key, base), 'rules-1')).toBe(`ext_${turnId(key, base).slice(4)}_rules-1`);
  });

  it('differs with each part, and with how the parts are cut', () => {
    const ids = [
      turnId(key, base),
      turnId(sessionKey(2).identity, base),
      ...(['org', 'user', 'session', 'role', 'text'] as const).map(name =>
        turnId(key, { ...base, [name]: 'x' }),
      ),
      turnId(key, { ...base, timestamp: base.timestamp + 1 }),
      turnId(key, { ...base, role: 'userh', text: 'ello' }),
      turnId(key, { ...base, user: 'adas', session: '' }),
      turnId(key, { ...base, org: '4:acme', user: '3:ada' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    const writes = [['a', 'b'], ['b', 'a'], ['ab'], ['a'], ['a', 'b', 'b']].map(turns =>
      writeId(key, 'acme', 'ada', 's', turns),
    );
    expect(new Set(writes).size).toBe(writes.length);
  });

  it('begins with the minute of the content, at any time that RFC 3339 can write', () => {
    expect(turnId(key, base).slice(4, 12)).toBe(
      Math.floor(base.timestamp / 60_000)
        .toString(16)
        .padStart(8, '0'),
    );
    for (const timestamp of [-62_167_219_200_000, -1, 0, 253_402_300_799_999]) {
      expect(turnId(key, { ...base, timestamp })).toMatch(/^trn_[0-9a-f]{32}$/);
    }
  });
});
