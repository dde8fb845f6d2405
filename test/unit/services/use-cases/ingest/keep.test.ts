import { expect, it, vi } from 'vitest';
import type { Admission, Admitted, RecordAddress } from '../../../../../core/ports.ts';
import { makeKeep } from '../../../../../services/use-cases/ingest/keep.ts';
import { sessionKey } from '../../../../support/worlds/builders.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const ID = `trn_${'0'.repeat(32)}`;
const TURN = { id: ID, role: 'user', text: 'Ada has a heron.', timestamp: NOW, tokens: 5, observations: [] };

const admitted: Admitted = {
  kind: 'admitted',
  attempt: 'a',
  fresh: new Map([[ID, { active: true, passive: true, recordedAt: NOW, tokens: 5 }]]),
  inactive: new Set(),
  tail: [],
};

const open = () => {
  const ended: string[] = [];
  const admission: Pick<Admission, 'admit' | 'remember' | 'release' | 'leave'> = {
    admit: async () => admitted,
    remember: async attempt => {
      ended.push(`remembered ${attempt}`);
      return new Map([[ID, 5]]);
    },
    release: async attempt => void ended.push(`released ${attempt}`),
    leave: async attempt => void ended.push(`left ${attempt}`),
  };
  const append = vi.fn(async (): Promise<RecordAddress[]> => [{ topic: 'turns', partition: 0, offset: 7 }]);
  const keep = makeKeep({ log: { append }, admission, clock: () => NOW });
  const write = (expires_at?: string) =>
    keep(
      {
        scope: { org: 'acme', user: 'ada', session: 's1' },
        apiKey: 'key_1',
        key: sessionKey(),
        write: { id: '0', turnIds: [ID], turns: new Map([[ID, TURN]]) },
        options: { write_active: true, write_passive: true },
        expiry: { expires_at },
        metadata: null,
        metadataTokens: 0,
      },
      { correlationId: '00000000-0000-4000-8000-000000000001', caps: { tokensIn: 0, tokensOut: 0 } },
    );
  return { write, append, ended };
};

it('remembers what it appended', async () => {
  const { write, ended } = open();
  expect(await write()).toMatchObject({ billed: 5, turns: [{ id: ID, offset: expect.any(Number) }] });
  expect(ended).toEqual(['remembered a']);
});

it('releases what was admitted when no records can be made of it, and appends nothing', async () => {
  const { write, append, ended } = open();
  await expect(write('2026-03-10T11:00:00Z')).rejects.toMatchObject({ code: 'invalid' });
  expect(append).not.toHaveBeenCalled();
  expect(ended).toEqual(['released a']);
});
