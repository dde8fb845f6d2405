import { expect, it } from 'vitest';
import { observationId, statementObservationId } from '../../../../../domain/identity/identity.ts';
import type { ExportedEvent } from '../../../../../services/use-cases/transfer/export-format.ts';
import { makeStatements } from '../../../../../services/use-cases/transfer/statements.ts';
import {
  extracted,
  type Logged,
  sessionKey,
  statement,
  turnRecorded,
} from '../../../../support/worlds/builders.ts';

const said = turnRecorded(1, { observations: ['Said.'] });
const found = extracted(1, said, { observations: [{ text: 'Found.' }] });
const correcting = (n: number, observation_id: string) =>
  statement(n, { text: `Corrected ${n}.`, corrects: { observation_id } });

/** The new ids under a key, with the turn's own new id given. */
const named = (seed: number, statements: readonly Logged<object>[], newTurn: string) => {
  const turnIds = new Map([[said.id, newTurn]]);
  const made = makeStatements(turnIds);
  for (const event of statements)
    made.add(event as unknown as ExportedEvent, { org: 'acme', identity: sessionKey(seed).identity });
  if (made.name()) {
    for (const event of [said, found]) made.find(event as unknown as ExportedEvent);
    made.name();
  }
  return { turnIds, made };
};

it('gives the same ids under the same key, and others under another', () => {
  const first = correcting(2, observationId(said.id, 'Found.'));
  const second = correcting(3, statementObservationId(first.id));
  const statements = [
    statement(0, { text: 'Plain.' }),
    first,
    correcting(4, observationId(said.id, 'Said.')),
    second,
  ];
  const same = named(1, statements, said.id);
  for (const { id } of statements) expect(same.turnIds.get(id)).toBe(id);

  const turn = `trn_${'a'.repeat(32)}`;
  const { turnIds, made } = named(2, statements, turn);
  expect(new Set(statements.map(({ id }) => turnIds.get(id))).size).toBe(4);
  const corrected = (of: typeof first) => made.renamed(of.data.stated!).corrects!.observation_id;
  expect(corrected(first)).toBe(observationId(turn, 'Found.'));
  expect(corrected(second)).toBe(statementObservationId(turnIds.get(first.id)!));
});

it('names what a correction is hidden with by the new ids', () => {
  const of = observationId(said.id, 'Found.');
  const first = statement(2, { text: 'First.', corrects: { observation_id: of, follows: [of, said.id] } });
  const by = statementObservationId(first.id);
  const second = statement(3, {
    text: 'Second.',
    corrects: { observation_id: by, follows: [by, of, said.id] },
  });
  const turn = `trn_${'a'.repeat(32)}`;
  const { turnIds, made } = named(2, [first, second], turn);
  expect(made.renamed(second.data.stated!).corrects!.follows).toEqual([
    statementObservationId(turnIds.get(first.id)!),
    observationId(turn, 'Found.'),
    turn,
  ]);
});

it('keeps the id of what the file does not have', () => {
  const gone = `obs_${'b'.repeat(32)}`;
  const one = correcting(2, gone);
  const { turnIds, made } = named(1, [one], said.id);
  expect(turnIds.get(one.id)).toBe(one.id);
  expect(made.renamed(one.data.stated!).corrects!.observation_id).toBe(gone);
});
