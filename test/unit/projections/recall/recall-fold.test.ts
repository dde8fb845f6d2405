import { describe, expect, it } from 'vitest';
import { observationId } from '../../../../domain/identity/identity.ts';
import type { Document } from '../../../../domain/search/document.ts';
import { makeRecallProjection } from '../../../../projections/recall/recall-fold.ts';
import { extracted, minute, recallMetered, turnRecorded } from '../../../support/worlds/builders.ts';

const document = { length: 3 } as Document;
const project = makeRecallProjection({ analyse: () => document, encodeDocument: () => Uint8Array.of(1) });

describe('the recall projection', () => {
  it('makes a turn and the observations of its client of a recorded turn', () => {
    const turn = turnRecorded(1, { role: 'Ada', observations: ['one', 'two'] });
    const scope = { org: 'acme', user: 'ada', session: 's1', role: 'Ada', timestamp: minute(1) };
    const [first, ...rest] = project(turn);
    expect(first).toMatchObject({
      op: 'turn',
      id: turn.id,
      ...scope,
      text: turn.data.text,
      active: true,
      passive: true,
      length: 3,
      address: { partition: 0, offset: 1, part: 0 },
      origin: { topic: 'turns', partition: 0, offset: 1, recordedAt: Date.parse(turn.recorded_at) },
    });
    expect(rest).toEqual(
      ['one', 'two'].map((text, i) => ({
        op: 'observation',
        origin: first!.origin,
        id: observationId(turn.id, text),
        ...scope,
        turnId: turn.id,
        text,
        source: 'client',
        document: Uint8Array.of(1),
        address: { partition: 0, offset: 1, part: i + 1 },
      })),
    );
  });

  it('keeps the identity alone of a turn that is not to be stored, and its observations all the same', () => {
    const writes = project(turnRecorded(1, { active: false, observations: ['one'] }));
    expect(writes[0]).toMatchObject({
      op: 'turn',
      active: false,
      text: '',
      document: new Uint8Array(),
      length: 0,
    });
    expect(writes[1]).toMatchObject({ op: 'observation', text: 'one' });
  });

  it('makes observations, entities and the end of enrichment of an extraction', () => {
    const turn = turnRecorded(1);
    const found = { observations: [{ text: 'a fact' }], entities: [{ label: 'Lisbon', kind: 'place' }] };
    const writes = project(extracted(1, turn, found));
    expect(writes.map(({ op }) => op)).toEqual(['observation', 'entity', 'enriched']);
    expect(writes[0]).toMatchObject({
      text: 'a fact',
      turnId: turn.id,
      source: 'rules',
      document: undefined,
    });
    expect(writes[1]).toMatchObject({ label: 'Lisbon', org: 'acme', user: 'ada', turnId: turn.id });
    expect(writes[2]).toMatchObject({ outcome: 'done', reason: null });
    const failed = {
      ...extracted(1, turn),
      type: 'extraction.failed',
      data: { turn_id: turn.id, reason: 'why' },
    };
    expect(project(failed)).toEqual([
      expect.objectContaining({
        op: 'enriched',
        org: 'acme',
        turnId: turn.id,
        outcome: 'failed',
        reason: 'why',
      }),
    ]);
  });

  it('makes a job of an accepted write, and nothing of any other event', () => {
    const data = {
      user_id: 'ada',
      session_id: 's1',
      job_id: 'job_1',
      turn_ids: ['a', 'b'],
      options: { write_active: true, write_passive: false },
    };
    const accepted = {
      id: 'job_1',
      type: 'write.accepted',
      org_id: 'acme',
      recorded_at: '2026-01-01T00:00:00.000Z',
      data,
      topic: 'turns',
      partition: 0,
      offset: 1,
    };
    const [job] = project(accepted);
    expect(job).toMatchObject({ op: 'job', id: 'job_1', org: 'acme', turnIds: ['a', 'b'], passive: false });
    expect(project(recallMetered(1))).toEqual([]);
  });
});
