import { afterEach, expect, it } from 'vitest';
import { recalled } from '../../../../support/http/mcp-tools.ts';
import { type StubService, startStub } from '../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(() => stub?.close());

const said = { timestamp: '1775122200', user_id: 'u', session_id: 's' };
const turn = { ...said, id: 't1', kind: 'turn', role: 'Ada', text: 'Grace is in Lisbon.', score: 0.5 };
const fact = {
  ...said,
  id: 'o1',
  kind: 'observation',
  text: 'Grace lives in Lisbon.',
  score: 0.75,
  source: 'rules',
  source_turn_ids: ['t1'],
  subject: { id: 'ent_1', label: 'Grace\u001b' },
  attribute: 'home',
  value: 'Lisbon',
  valid_from: '2026-04-02T09:30:00.000Z',
  ended: false,
};

it('recall marks what no longer holds, and names the attribute of a fact', async () => {
  const observations = [
    { ...fact, valid_until: '2026-06-05T10:00:00.000Z', superseded_by: 'o2' },
    { ...fact, score: 0.3 },
    { ...fact, score: 0.2, ended: true },
    { ...fact, score: 0.1, ended: true, value: '' },
  ];
  const answer = {
    ...recalled(),
    hits: {
      turns: [
        { ...turn, superseded_by: 'o2' },
        { ...turn, score: 0.4, later: 't2' },
      ],
      observations,
      entities: [],
    },
  };
  stub = await startStub(({ path }) => (path === '/recall' ? { status: 200, body: answer } : undefined));
  const { stdout } = await runCommand(['recall', 'Where did Grace live?', '--ever'], {
    TURNSTONE_URL: stub.url,
    TURNSTONE_API_KEY: 'ts_key',
  });
  expect(stub.seen.at(-1)!.body).toMatchObject({ holds: 'ever' });
  const details = stdout.split('\n').filter(line => line.includes('score'));
  expect(details.map(line => line.trim())).toEqual([
    'observation (rules) · home of Grace : Lisbon · no longer: since 2026-06-05 · score 0.750 · u / s',
    'turn · no longer holds · score 0.500 · u / s',
    'turn · likely no longer: t2 is later · score 0.400 · u / s',
    'observation (rules) · home of Grace : Lisbon · score 0.300 · u / s',
    'observation (rules) · home of Grace : no longer Lisbon · score 0.200 · u / s',
    'observation (rules) · home of Grace : none any more · score 0.100 · u / s',
  ]);
});
