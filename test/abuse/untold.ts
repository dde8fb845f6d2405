/** Guessing with a key that may write and correct, but not read. Shared by both modes. */
import { expect } from 'vitest';
import { entityId } from '../../domain/identity/identity.ts';
import { operations } from '../../schemas/http/contract.ts';
import { RIGHTS, type Right } from '../../schemas/http/rights.ts';
import { connect, expectStatus, settled } from '../support/http/client.ts';
import { ownerOf } from './rights.ts';

const untoldIds = Object.entries<Right>(RIGHTS).flatMap(([id, { untold }]) => (untold ? [id] : []));

interface Guess {
  path: string;
  body?: unknown;
}

/** For each operation requests for what is there, and for what is not, in the order of the calls. */
interface Guesses {
  there: Guess[];
  missing: Guess[];
}

export const nothingIsTold = async (url: string, apiKey: string): Promise<void> => {
  const owner = await ownerOf(url, apiKey);
  const scope = { user_id: 'mia', session_id: 'home' };
  const org = expectStatus(await owner.request<{ org_id: string }>('GET', '/me'), 200).org_id;
  const { active_fragment_ids } = await owner.ingest({
    scope,
    turns: [
      {
        role: 'user',
        text: 'My sister Melanie lives in Porto.',
        timestamp: '2026-01-05T09:30:00Z',
        observations: [
          { text: 'Melanie lives in Porto.', subject: 'Melanie', attribute: 'home', value: 'Porto' },
        ],
      },
    ],
  });
  await settled(url);
  const turn = active_fragment_ids[0]!;
  const { observations } = expectStatus(
    await owner.request<{ observations: { id: string; source: string }[] }>('GET', `/memory/turns/${turn}`),
    200,
  );
  const observation = observations.find(({ source }) => source === 'client')!.id;
  const other = (id: string): string => `${id.slice(0, -6)}${id.endsWith('000000') ? '111111' : '000000'}`;
  const entity = (name: string) => `/memory/entities/${entityId(org, 'mia', name)}`;
  const melanie = entityId(org, 'mia', 'melanie');
  expectStatus(await owner.request('PATCH', `${entity('melanie')}?user_id=mia`, { label: 'Mel' }), 200);

  const facts = (id: string): Guess[] =>
    // The second is a fault where the value is another one; the third where it has no attribute.
    [{ value: 'Lyon' }, { text: 'She lives in Faro.' }, { stance: 'was' }].map(body => ({
      path: `/memory/observations/${id}`,
      body,
    }));
  const guesses: Record<string, Guesses> = {
    correct: { there: facts(observation), missing: facts(other(observation)) },
    correctEntity: {
      there: [
        { path: entity('melanie'), body: { label: 'M' } },
        { path: entity('melanie'), body: { merge_into: melanie } },
        { path: entity('melanie'), body: { split: [entityId(org, 'mia', 'zoe')] } },
      ],
      missing: [
        { path: entity('zoe'), body: { label: 'M' } },
        { path: entity('zoe'), body: { merge_into: melanie } },
        { path: entity('zoe'), body: { split: [melanie] } },
      ],
    },
    titleSession: {
      there: [{ path: '/memory/sessions/home', body: { title: 'T' } }],
      missing: [{ path: '/memory/sessions/work', body: { title: 'T' } }],
    },
    nameUser: { there: [{ path: '/memory/users/mia', body: { names: ['Mia'] } }], missing: [] },
    say: {
      there: [{ path: '/memory/observations', body: { scope: { org_id: 'x' }, text: 'Mel sings.' } }],
      missing: [{ path: '/memory/observations', body: { scope: { org_id: 'x' }, text: 'Mel dances.' } }],
    },
    retractObservation: {
      there: [
        { path: `/memory/observations/${observation}` },
        { path: `/memory/observations/${observation}` },
      ],
      missing: [{ path: `/memory/observations/${other(observation)}` }],
    },
    retractTurn: {
      there: [{ path: `/memory/turns/${turn}` }, { path: `/memory/turns/${turn}` }],
      missing: [{ path: `/memory/turns/${other(turn)}` }],
    },
  };
  expect(Object.keys(guesses).sort()).toEqual([...untoldIds].sort());

  const strict = await owner.newKey({
    roles: ['memory:write', 'memory:curate'],
    user_id: 'mia',
    strict: true,
  });
  const blind = await connect({ url, apiKey: strict.api_key });
  const said = { scope: { org_id: 'x', user_id: 'mia' }, text: 'Mel hides.' };
  const { id } = expectStatus(await owner.request<{ id: string }>('POST', '/memory/observations', said), 201);
  expectStatus(await owner.request('DELETE', `/memory/observations/${id}`), 204);
  guesses.say!.there.push({ path: '/memory/observations', body: said });

  for (const [operation, { there, missing }] of Object.entries(guesses)) {
    const { method, answer } = operations[operation]!;
    for (const { path, body } of [...there, ...missing]) {
      const told = await blind.request<object>(method.toUpperCase(), path, body);
      const about = `${operation} ${path} ${JSON.stringify(body) ?? ''}`;
      expect(told.status, about).toBe(answer.status);
      if (!answer.schema) continue;
      expect(Object.keys(told.body), about).toEqual(['id']);
      if (path !== '/memory/observations')
        expect(told.body, about).toEqual({ id: decodeURIComponent(path.split('/').at(-1)!) });
    }
  }

  // Without words of their own, users are answered alike.
  const nobody = await owner.newKey({ roles: ['memory:curate'], user_id: 'nobody' });
  const named = await (await connect({ url, apiKey: nobody.api_key })).request(
    'PUT',
    '/memory/users/nobody',
    {
      names: ['N'],
    },
  );
  expect([named.status, named.body]).toEqual([200, { id: 'nobody' }]);

  // Faults of the request itself are told, and so is what names somebody else.
  expect((await blind.request('PATCH', entity('melanie'), { label: 7 })).status).toBe(400);
  expect((await blind.request('PATCH', entity('melanie'), {})).status).toBe(422);
  expect((await blind.request('PATCH', `${entity('melanie')}?user_id=ada`, { label: 'x' })).status).toBe(403);

  // All that it asked was done, and a key that may read is told as before.
  expect((await owner.request('GET', `/memory/turns/${turn}`)).status).toBe(404);
  expect((await owner.request('DELETE', `/memory/turns/${turn}`)).status).toBe(404);
  expect((await owner.request('POST', '/memory/observations', said)).status).toBe(409);
};
