import { afterEach, describe, expect, it } from 'vitest';
import {
  type Script,
  type StubAnswer,
  type StubService,
  startStub,
} from '../../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const command = async (script: Script, ...ids: string[]) => {
  stub = await startStub(script);
  return runCommand(['forget', ...ids], { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

/** Answers the deletions of a path one after the other; a path without answers is a 404. */
const deletions = (answers: Record<string, StubAnswer[]>): Script => {
  const left = structuredClone(answers);
  return ({ method, path }) =>
    method === 'DELETE'
      ? (left[path]?.shift() ?? { status: 404, body: { message: 'There is no such turn.' } })
      : undefined;
};
const deleted = (): string[] =>
  stub!.seen.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
const hidden = { status: 204 };

describe('turnstone forget', () => {
  it('hides turns and observations, each once, and prints them', async () => {
    const script = deletions({ '/memory/turns/trn_1a': [hidden], '/memory/observations/obs_2b': [hidden] });
    expect(await command(script, 'trn_1a', 'obs_2b', 'trn_1a')).toEqual({
      status: 0,
      stdout: 'hidden: turn trn_1a\nhidden: observation obs_2b\n',
      stderr: '',
    });
    expect(deleted()).toEqual(['/memory/turns/trn_1a', '/memory/observations/obs_2b']);
  });

  it('names every id of something else, and sends nothing', async () => {
    const faulty = ['ent_1', 'trn_', 'trn_../turns', 'obs_1\u001b[2J', ''];
    const { status, stdout, stderr } = await command(deletions({}), 'trn_1a', ...faulty);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'turnstone: neither the id of a turn (trn_…) nor of an observation (obs_…): ent_1, trn_, trn_../turns, obs_1 [2J, (empty); nothing was hidden\n',
    );
    expect(stub!.paths()).toEqual([]);
  });

  it('ends with 1 for what does not exist, and hides the rest', async () => {
    const script = deletions({ '/memory/turns/trn_2': [hidden] });
    expect(await command(script, 'trn_1', 'obs_1', 'trn_2')).toEqual({
      status: 1,
      stdout: 'hidden: turn trn_2\n',
      stderr: 'turnstone: there is no such turn: trn_1\nturnstone: there is no such observation: obs_1\n',
    });
  });

  it('takes a 404 after a 503 for hidden: the first attempt did it', async () => {
    const script = deletions({
      '/memory/turns/trn_1': [{ status: 503, body: { message: 'The projections are behind.' } }],
    });
    expect(await command(script, 'trn_1')).toMatchObject({ status: 0, stdout: 'hidden: turn trn_1\n' });
    expect(deleted()).toHaveLength(2);
  });

  it('stops at a refusal, with what was hidden before', async () => {
    const refused = { status: 403, body: { message: 'The credential lacks the role memory:write.' } };
    const script = deletions({
      '/memory/turns/trn_1': [hidden],
      '/memory/turns/trn_2': [refused],
      '/memory/turns/trn_3': [hidden],
    });
    const { status, stdout, stderr } = await command(script, 'trn_1', 'trn_2', 'trn_3');
    expect([status, stdout]).toEqual([77, 'hidden: turn trn_1\n']);
    expect(stderr).toContain('lacks the role memory:write');
    expect(deleted()).toHaveLength(2);
  });

  it('wants an id', async () => {
    expect((await command(deletions({}))).status).toBe(2);
  });
});
