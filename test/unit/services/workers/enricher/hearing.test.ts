import { expect, it } from 'vitest';
import { makeHearing, type Recorded } from '../../../../../services/workers/enricher/hearing.ts';

const turn = (keyId: string, role: string, text: string): Recorded =>
  ({ keyId, data: { role, text } }) as unknown as Recorded;
const before = (heard: ReturnType<ReturnType<typeof makeHearing>>) => heard.map(each => each.before?.text);

it('tells each turn the one before in its session, over calls', () => {
  const hearing = makeHearing();
  expect(
    before(hearing([turn('a', 'assistant', 'Where?'), turn('a', 'user', 'Leeds'), turn('b', 'user', 'Hi')])),
  ).toEqual([undefined, 'Where?', undefined]);
  expect(before(hearing([turn('a', 'user', 'Yes'), turn('b', 'user', 'No')]))).toEqual(['Leeds', 'Hi']);
});

it('tells nothing of a session that was erased: it goes on under another key', () => {
  const hearing = makeHearing();
  hearing([turn('a', 'assistant', 'Still at Nordbeam?')]);
  expect(before(hearing([turn('a2', 'user', 'Yes')]))).toEqual([undefined]);
});

it('forgets the sessions that were silent for longest, and the beginning of a long turn', () => {
  const hearing = makeHearing();
  hearing([turn('first', 'assistant', 'Where?'), turn('long', 'assistant', `${'x'.repeat(9_000)}?`)]);
  for (let session = 0; session < 1_999; session++) hearing([turn(`s${session}`, 'user', 'Hi')]);
  const [long, first] = hearing([turn('long', 'user', 'Yes'), turn('first', 'user', 'Leeds')]);
  expect(first?.before).toBeUndefined();
  expect(long?.before?.text).toHaveLength(400);
});
