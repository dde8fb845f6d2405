import { observationId } from '../../domain/identity/identity.ts';
import { makeRecallProjection } from '../../projections/recall/recall-fold.ts';
import { isErase, type Retract, type StoredWrite } from '../../projections/recall/recall-writes.ts';
import { language } from '../contracts/openers/embedded.ts';
import {
  embedded,
  entityCorrected,
  extracted,
  retracted,
  sessionTitled,
  statement,
  turnRecorded,
  writeAccepted,
} from './worlds/builders.ts';

/** Writes of every kind; together they have a value in every column. */
export const writesOfEveryKind = (): (StoredWrite | Retract)[] => {
  const metadata = { channel: 'chat' };
  const plain = turnRecorded(1, { metadata, utc_offset: -300, observations: ['seen'] });
  const expires_at = '2027-01-01T00:00:00.000Z';
  const mortal = { ...turnRecorded(2, { observations: ['felt'] }), expires_at };
  const unsaid = { ...turnRecorded(15, { active: false }), expires_at };
  const identity = turnRecorded(3, { active: false });
  const said = statement(4, {
    text: 'Ada lives in Oslo.',
    fact: { subject: 'Ada', attribute: 'home', value: 'Oslo' },
    corrects: { observation_id: observationId(plain.id, 'x'), subject: 'Ada', attribute: 'home' },
  });
  const found = extracted(5, plain, {
    observations: [{ text: 'one', fact: { subject: 'Ada', attribute: 'job', value: 'pilot' } }],
    entities: [{ label: 'Oslo', kind: 'place' }],
  });
  const failed = {
    ...extracted(6, identity),
    type: 'extraction.failed',
    data: { ...extracted(6, identity).data, reason: 'too long' },
  };
  const events = [
    ...[plain, mortal, identity, said, found, failed, embedded(7, plain)],
    unsaid,
    { ...embedded(8, mortal), expires_at },
    {
      ...extracted(9, mortal, { entities: [{ label: 'Rome', kind: 'place' }] }),
      expires_at,
    },
    ...[
      writeAccepted(10, [plain, mortal]),
      sessionTitled(11, 'Soup'),
      entityCorrected(12, { entity: 'Oslo' }),
    ],
    ...[
      retracted(13, turnRecorded(90)),
      retracted(14, turnRecorded(91), observationId(turnRecorded(91).id, 'x')),
    ],
  ];
  const project = makeRecallProjection(language());
  return events.flatMap(event => project(event)).filter(write => !isErase(write));
};
