import { expect, it } from 'vitest';
import { observationId, statementObservationId } from '../../../../../domain/identity/identity.ts';
import { withoutHidden } from '../../../../../services/use-cases/transfer/without-hidden.ts';
import { statement, turnRecorded } from '../../../../support/worlds/builders.ts';

const said = turnRecorded(1, { observations: ['Said.'] });
const id = observationId(said.id, 'Said.');
const first = statement(2, { text: 'First.', corrects: { observation_id: id, follows: [id, said.id] } });
const of = statementObservationId(first.id);
const second = statement(3, {
  text: 'Second.',
  corrects: { observation_id: of, follows: [of, id, said.id] },
});
const other = statement(4, { text: 'Other.' });

it.each([
  { hidden: said.id, left: [] as string[] },
  { hidden: id, left: [] },
  { hidden: of, left: [] },
  { hidden: statementObservationId(second.id), left: ['First.'] },
])('exports no correction of what is hidden: %#', ({ hidden, left }) => {
  const events = [first, second, other].map(event => withoutHidden(event, new Set([hidden])));
  const texts = events.flatMap(event => (event?.data as typeof first.data | undefined)?.observations ?? []);
  expect(texts).toEqual([...left, 'Other.']);
});
