import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entityId, scopeDigest } from '../../../../../../../domain/identity/identity.ts';
import { decodeDocument } from '../../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../../infra/embedded/index/file/projection-store.ts';
import { derivedDifferences } from '../../../../../../../infra/embedded/index/read/verify/verifiable-structures.ts';
import type { Origin, RecallWrite } from '../../../../../../../projections/recall/recall-writes.ts';
import { WHOLE } from '../../../../../../../projections/verify/sample.ts';
import { seededRandom } from '../../../../../../../tools/bench/load/conversation.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';

type Named = Extract<RecallWrite, { op: 'entity' }>;
type Enriched = Extract<RecallWrite, { op: 'enriched' }>;

const turnId = (n: number): string => `trn_${String(n).padStart(32, '0')}`;
const owner = (n: number) => ({ org: 'acme', user: n % 2 ? 'ada' : 'ben', session: `s${n % 4}` });
const originAt = (offset: number, changes: Partial<Origin> = {}): Origin => ({
  topic: 'observations',
  partition: 0,
  offset,
  recordedAt: 1_000 + offset,
  ...changes,
});

/** Writes of an event that names these entities in a turn. */
const found = (n: number, labels: readonly string[], origin: Origin): RecallWrite[] => [
  ...labels.map(
    (label): Named => ({
      op: 'entity',
      origin,
      ...owner(n),
      id: entityId('acme', owner(n).user, label.toLowerCase()),
      label,
      normalised: label.toLowerCase(),
      kind: label.startsWith('R') ? 'place' : 'person',
      turnId: turnId(n),
    }),
  ),
  { op: 'enriched', origin, ...owner(n), turnId: turnId(n), outcome: 'done', reason: null },
];
const failed = (n: number, origin: Origin): RecallWrite => ({
  op: 'enriched',
  origin,
  ...owner(n),
  turnId: turnId(n),
  outcome: 'failed',
  reason: 'too long',
});
const retracted = (n: number, origin: Origin): RecallWrite => ({
  op: 'retract',
  origin: { ...origin, topic: 'turns' },
  ...owner(n),
  turnId: turnId(n),
  observationId: undefined,
});
const erased = (n: number, origin: Origin, whole: boolean): RecallWrite => {
  const { org, user, session } = owner(n);
  const names = {
    owner: scopeDigest([org, user]),
    session: whole ? null : scopeDigest([org, user, session]),
  };
  return { op: 'erase', origin, org, ...names };
};

/** The same as a plain list of rows: the first of each counts. */
const makeModel = () => {
  const mentions = new Map<string, Named>();
  const outcomes = new Map<string, Enriched>();
  const hidden = new Set<string>();
  const removeWhere = <T>(rows: Map<string, T>, isGone: (row: T) => boolean): void => {
    for (const [key, row] of rows) if (isGone(row)) rows.delete(key);
  };
  const add = <T>(rows: Map<string, T>, key: string, row: T): void => {
    if (!rows.has(key)) rows.set(key, row);
  };
  return {
    apply: (write: RecallWrite): void => {
      if (write.op === 'entity' && !hidden.has(write.turnId))
        add(mentions, [write.user, write.turnId, write.label, write.kind].join('/'), write);
      if (write.op === 'enriched') add(outcomes, `${write.session}/${write.turnId}`, write);
      if (write.op === 'retract') {
        hidden.add(write.turnId);
        removeWhere(mentions, one => one.turnId === write.turnId);
      }
      if (write.op === 'erase') {
        const isGone = ({ org, user, session, origin }: Named | Enriched): boolean =>
          scopeDigest([org, user]) === write.owner &&
          (write.session === null || scopeDigest([org, user, session]) === write.session) &&
          origin.offset < write.origin.offset;
        removeWhere(mentions, isGone);
        removeWhere(outcomes, isGone);
      }
    },
    expire: (now: number): void =>
      removeWhere(mentions, ({ origin }) => (origin.expiresAt ?? Number.POSITIVE_INFINITY) <= now),
    rows: () => {
      const shown = Map.groupBy(mentions.values(), ({ user, normalised }) => `${user}/${normalised}`);
      const least = (values: readonly string[]): string => [...values].sort()[0]!;
      return {
        mentions: [...mentions.values()]
          .map(({ user, session, turnId, label, kind, origin }) =>
            [
              user,
              session,
              turnId.slice(4),
              label,
              kind,
              origin.offset,
              origin.recordedAt,
              origin.expiresAt ?? null,
            ].join(' '),
          )
          .sort(),
        entities: [...shown]
          .map(
            ([name, all]) => `${name} ${least(all.map(one => one.label))} ${least(all.map(one => one.kind))}`,
          )
          .sort(),
        outcomes: [...outcomes.values()]
          .map(({ session, turnId, outcome, reason, origin }) =>
            [session, turnId.slice(4), outcome, reason, origin.offset, origin.recordedAt].join(' '),
          )
          .sort(),
      };
    },
  };
};

const open = () => {
  const path = join(temporaryFolder(), 'projections.db');
  const database = createProjectionsDatabase(path);
  const store = openProjectionStore(database, decodeDocument);
  const rows = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map(row => Object.values(row).join(' '))
      .sort();
  const mentionsIn = (view: string): string[] =>
    rows(
      `SELECT p.user, s.name, lower(hex(m.turn)), m.label, m.kind, m.offset, m.recorded, m.expires FROM ${view} m
       JOIN entities e ON e.no = m.entity JOIN scopes p ON p.no = e.partition JOIN sessions s ON s.no = m.session`,
    );
  return {
    path,
    rows,
    write: (...recall: RecallWrite[]) =>
      store.apply({ recall, usage: [], accounts: [], audit: [], activity: [], logged: [], positions: {} }),
    sweep: (now: number) => store.sweep(now),
    stored: () => ({
      mentions: mentionsIn('mentions'),
      entities: rows(
        "SELECT p.user || '/' || e.normalised, e.label, e.kind FROM entities e JOIN scopes p ON p.no = e.partition",
      ),
      outcomes: rows(
        'SELECT s.name, lower(hex(e.turn)), e.outcome, e.reason, e.offset, e.recorded FROM enrichments e JOIN sessions s ON s.no = e.session',
      ),
    }),
    ofTurns: () => mentionsIn('turn_mentions'),
    differences: () => [...derivedDifferences(database, WHOLE, decodeDocument)],
    run: (sql: string) => database.prepare(sql).run(),
    close: () => store.close(),
  };
};

describe('findings', () => {
  it('are one row an event, whose first mentions and first outcome count', async () => {
    const { write, rows, stored, close } = open();
    // Only mentions expire.
    const mortal = { expiresAt: 9_000 };
    await write(failed(1, originAt(1, mortal)), ...found(1, ['Ada', 'Rome'], originAt(2, mortal)));
    await write(...found(1, ['Ada', 'ADA', 'Rome'], originAt(3)));
    await write(...found(1, ['Ada', 'ADA', 'Rome'], originAt(3)));
    expect(rows('SELECT offset, outcome, json_array_length(named) FROM findings')).toEqual([
      '1 failed ',
      '2  2',
      '3  1',
    ]);
    expect(rows('SELECT offset FROM findings WHERE expires IS NOT NULL')).toEqual(['2']);
    expect(stored().outcomes).toEqual([`s1 ${turnId(1).slice(4)} failed too long 1 1001`]);
    expect(stored().entities).toEqual(['ada/ada ADA person', 'ada/rome Rome place']);
    await close();
  });

  it('leave no name of a retracted turn, but how its enrichment ended', async () => {
    const { write, rows, stored, close } = open();
    await write(...found(1, ['Ada'], originAt(1)), ...found(3, ['ada', 'Rome'], originAt(2)));
    await write(retracted(3, originAt(3)));
    expect(rows('SELECT label FROM spellings')).toEqual(['Ada']);
    expect(rows('SELECT label FROM entities')).toEqual(['Ada']);
    expect(rows('SELECT count(*) FROM named')).toEqual(['1']);
    expect(stored().outcomes).toHaveLength(2);
    // A model may find others later, which are hidden.
    await write(...found(3, ['Oslo'], originAt(4)));
    expect(stored().entities).toEqual(['ada/ada Ada person']);
    await close();
  });

  it('leave no letter of an erased name in the file', async () => {
    const { write, rows, close, path } = open();
    await write(...found(1, ['Zanzibarka', 'Ada'], originAt(1)), ...found(3, ['Ada'], originAt(2)));
    await write(erased(1, originAt(3), false));
    expect(rows('SELECT label FROM entities')).toEqual(['Ada']);
    await close();
    const bytes = readFileSync(path).toString('latin1').toLowerCase();
    expect(bytes).toContain('ada');
    expect(bytes).not.toContain('zanzibarka');
  });

  it('differ where a turn is lost that names an entity', async () => {
    const { write, run, differences, close } = open();
    await write(...found(1, ['Ada'], originAt(1)), ...found(3, ['Ada'], originAt(2)));
    expect(differences()).toEqual([]);
    run('DELETE FROM named WHERE finding = (SELECT max(finding) FROM named)');
    expect(differences().map(({ kind, detail }) => ({ kind, detail }))).toEqual([
      { kind: 'entity', detail: 'has other turns than those that name it' },
    ]);
    await close();
  });

  it.each([1, 2, 3, 4, 5, 6])('are those of a plain list of rows: seed %i', async seed => {
    const random = seededRandom(seed);
    const below = (most: number): number => Math.floor(random() * most);
    const labels = ['Ada', 'ADA', 'ada', 'Rome', 'ROME', 'Ben', 'Oslo'];
    const { write, sweep, stored, ofTurns, differences, close } = open();
    const model = makeModel();
    for (let offset = 0; offset < 300; ) {
      const step: RecallWrite[] = [];
      for (let i = below(6); i >= 0; i--) {
        const n = below(12);
        const origin = originAt(offset++, random() < 0.3 ? { expiresAt: 1_000 + below(600) } : {});
        const kind = random();
        if (kind < 0.75)
          step.push(
            ...found(
              n,
              labels.filter(() => random() < 0.3),
              origin,
            ),
          );
        else if (kind < 0.85) step.push(failed(n, origin));
        else if (kind < 0.87) step.push(retracted(n, origin));
        else if (kind < 0.95) step.push(...found(n, labels, origin).slice(0, below(3)));
        else step.push(erased(n, originAt(below(offset)), random() < 0.3));
      }
      await write(...step);
      for (const one of step) model.apply(one);
      if (random() < 0.2) {
        const now = 1_000 + below(600);
        while (await sweep(now));
        model.expire(now);
      }
      expect(stored()).toEqual(model.rows());
      expect(ofTurns()).toEqual(model.rows().mentions);
      expect(differences()).toEqual([]);
    }
    await close();
  });
});
