import { expect, it } from 'vitest';
import { makeHearing, type Recorded } from '../../../../../services/workers/enricher/hearing.ts';

const turn = (keyId: string | null, role: string, text: string): Recorded =>
  ({ keyId, data: { role, text } }) as unknown as Recorded;
const before = (heard: ReturnType<ReturnType<typeof makeHearing>>) => heard.map(each => each.before?.text);

it('tells each turn the question before in its session, over calls', () => {
  const hearing = makeHearing();
  const first = [turn('a', 'assistant', 'Where?'), turn('b', 'user', 'Hi'), turn('a', 'user', 'Leeds')];
  expect(before(hearing(first))).toEqual([undefined, undefined, 'Where?']);
  hearing([turn('b', 'assistant', 'Still there? ')]);
  expect(before(hearing([turn('a', 'user', 'Yes'), turn('b', 'user', 'No')]))).toEqual([
    undefined,
    'Still there? ',
  ]);
});

it('tells nothing of a session that was erased, which goes on under another key, and of none without a key', () => {
  const hearing = makeHearing();
  hearing([turn('a', 'assistant', 'Still at Nordbeam?'), turn(null, 'assistant', 'Where?')]);
  expect(before(hearing([turn('a2', 'user', 'Yes'), turn(null, 'user', 'Leeds')]))).toEqual([
    undefined,
    undefined,
  ]);
});

it('does not remember a question that expires', () => {
  const hearing = makeHearing();
  hearing([{ ...turn('a', 'assistant', 'Still at Nordbeam?'), expires_at: '2030-01-01T00:00:00.000Z' }]);
  expect(before(hearing([turn('a', 'user', 'Yes')]))).toEqual([undefined]);
});

it('tells what the same speaker said last, of the last two turns', () => {
  const hearing = makeHearing();
  hearing([turn('a', 'user', 'I moved to Leigh.'), turn('a', 'assistant', 'Lovely!')]);
  const [own] = hearing([turn('a', 'user', 'I meant Leeds, not Leigh.')]);
  expect(own).toMatchObject({ own: 'I moved to Leigh.', before: undefined });
  hearing([turn('a', 'assistant', 'Oh.'), turn('a', 'assistant', 'Leeds, then.')]);
  expect(hearing([turn('a', 'user', 'Yes.')])[0]?.own).toBeUndefined();
  expect(hearing([turn('a2', 'user', 'No, not Leigh.')])[0]?.own).toBeUndefined();
});

it('remembers a speaker for an hour, and no words of others', () => {
  const hearing = makeHearing();
  const at = (hour: number, text: string): Recorded => ({
    ...turn('a', 'user', text),
    recorded_at: new Date(Date.UTC(2025, 2, 3, hour)).toISOString(),
  });
  hearing([at(9, 'My friend wrote:\n> I live in Leigh.')]);
  expect(hearing([at(9, 'I meant Leeds, not Leigh.')])[0]?.own).not.toContain('Leigh');
  expect(hearing([at(11, 'No, not Leeds.')])[0]?.own).toBeUndefined();
});

it('forgets the sessions that were silent for longest, and the beginning of a long turn', () => {
  const hearing = makeHearing();
  hearing([turn('first', 'assistant', 'Where?'), turn('long', 'assistant', `${'x'.repeat(9_000)}?`)]);
  for (let session = 0; session < 1_999; session++) hearing([turn(`s${session}`, 'user', 'And?')]);
  const [long, first] = hearing([turn('long', 'user', 'Yes'), turn('first', 'user', 'Leeds')]);
  expect(first?.before).toBeUndefined();
  expect(long?.before?.text).toHaveLength(400);
});
