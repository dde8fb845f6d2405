import { afterEach, describe, expect, it } from 'vitest';
import type { ReceiptAnswer } from '../../../../../../schemas/http/receipts.ts';
import { type Script, type StubService, startStub } from '../../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const ID = 'rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042';
const RECEIPT: ReceiptAnswer = {
  receipt_id: ID,
  recalled_at: '2026-03-10T08:00:00.000Z',
  expires_at: '2026-06-08T08:00:00.000Z',
  q: 'Where does Ada live?\u001b[2J',
  mode: 'active',
  as_of: null,
  ranker: '2026-11-21-0a1b2c3d4e5f',
  confidence: 0.81,
  feedback: { helpful: 0, wrong: 0 },
  hits: [
    {
      kind: 'turn',
      used_in: 'hits',
      status: 'shown',
      id: 'trn_1',
      score: 0.5,
      text: '[2026-01-05] [Ada] I moved to Lyon.',
      content: 'I moved\u001b[2J to Lyon.',
      said_at: '2026-01-05T09:30:00.000Z',
      user_id: 'ada',
      session_id: 's',
      role: 'Ada',
    },
    { kind: 'observation', used_in: 'context', status: 'erased', id: null, score: 0.25 },
    {
      kind: 'entity',
      used_in: 'hits',
      status: 'shown',
      id: 'ent_1',
      score: 0.125,
      label: 'Lyon',
    },
    {
      kind: 'observation',
      used_in: 'facts',
      status: 'shown',
      id: 'obs_1',
      score: null,
      text: 'Ada lives in Lyon.',
      content: 'Ada lives in Lyon.',
      said_at: '2026-01-05T09:30:00.000Z',
      user_id: 'ada',
      session_id: 's',
      source: 'rules',
    },
  ],
};

const command = async (script: Script, ...args: string[]) => {
  stub = await startStub(script);
  return runCommand(args, { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};
const answering =
  (body: object): Script =>
  ({ method, path }) =>
    method === 'GET' && path === `/recalls/${ID}` ? { status: 200, body } : undefined;

describe('turnstone receipt', () => {
  it('shows the answer as it was, and what became of its words', async () => {
    const { status, stdout, stderr } = await command(answering(RECEIPT), 'receipt', ID);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`Where does Ada live? [2J
asked 2026-03-10T08:00:00.000Z, until 2026-06-08T08:00:00.000Z
very likely answered (confidence 0.81), active, ranked by 2026-11-21-0a1b2c3d4e5f

  1  2026-01-05 Ada: I moved [2J to Lyon.
     turn · score 0.500 · ada / s · trn_1

  2  (an observation that was erased or hidden since)
     observation · in the context · score 0.250

  3  Lyon
     entity · score 0.125 · ent_1

  4  2026-01-05 Ada lives in Lyon.
     observation (rules) · said to hold, in the context · ada / s · obs_1
`);
  });

  it('says that the question was erased, and that nothing was found', async () => {
    const { stdout } = await command(
      answering({ ...RECEIPT, q: null, hits: [], as_of: '2026-03-01T00:00:00.000Z' }),
      'receipt',
      ID,
    );
    expect(stdout).toContain('(the question was erased)\n');
    expect(stdout).toContain(' as of 2026-03-01T00:00:00.000Z,');
    expect(stdout).toContain('Nothing was found.\n');
  });

  it('prints JSON unchanged, and 1 for an id that is not there', async () => {
    const { stdout } = await command(answering(RECEIPT), 'receipt', ID, '--json');
    expect(JSON.parse(stdout)).toEqual(RECEIPT);
    await stub!.close();
    const missing = await command(
      () => ({ status: 404, body: { message: 'There is no such receipt.' } }),
      'receipt',
      `${ID}1`,
    );
    expect([missing.status, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toContain('There is no such receipt.');
  });

  it('sends nothing for what is no id', async () => {
    for (const id of ['trn_1', 'rcl_', 'rcl_1/../x', '']) {
      const { status, stderr } = await command(() => undefined, 'receipt', id);
      expect([id, status]).toEqual([id, 2]);
      expect(stderr).toContain('not the id of a receipt (rcl_…)');
      expect(stub!.paths()).toEqual([]);
      await stub!.close();
    }
  });
});

describe('turnstone recall --receipt', () => {
  const recalled = {
    hits: { turns: [], observations: [], entities: [] },
    confidence: 0,
    timeline: null,
    context: 'What was said: nothing.',
    mode: 'active',
    receipt_id: ID,
    usage: { tokens_in: 1, tokens_out: 0 },
  };
  const script: Script = ({ path }) => (path === '/recall' ? { status: 200, body: recalled } : undefined);

  it('asks for one and prints its id apart from the answer', async () => {
    const answer = await command(script, 'recall', 'Where?', '--context', '--receipt');
    expect(answer).toEqual({
      status: 0,
      stdout: 'What was said: nothing.\n',
      stderr: `turnstone: the receipt: ${ID}\n`,
    });
    expect(stub!.seen.find(({ path }) => path === '/recall')!.body).toMatchObject({ receipt: true });
  });
});
