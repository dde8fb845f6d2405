import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../../../../core/log/events.ts';
import type { TurnDetails } from '../../../../../../core/ports.ts';
import { DAY_MS } from '../../../../../../core/time.ts';
import { openRecallDetails } from '../../../../../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../../../../../infra/embedded/index/read/search/answers-reader.ts';
import { fold, openProjections } from '../../../../../contracts/openers/embedded.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { extracted, minute, turnRecorded } from '../../../../../support/worlds/builders.ts';
import { drawing } from '../../../../../support/worlds/history.ts';

const NOW = minute(1_000_000);
const ada = { org: 'acme', user: 'ada' };

interface Opened {
  details: TurnDetails;
  /** Returns how many mentions statements looked at since the last call. */
  looked(): number;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens the details of a file with these events, through views that count the mentions they look at. */
const openCounted = async (events: readonly Event[], retentionDays?: number): Promise<Opened> => {
  const folder = temporaryFolder();
  const path = join(folder, 'projections.db');
  const { store, close } = await openProjections(folder, () => NOW);
  closing.push(close);
  for (let from = 0; from < events.length; from += 500)
    await store.apply({ ...fold(events.slice(from, from + 500)), positions: {} });
  if (retentionDays !== undefined) {
    const writer = new DatabaseSync(path);
    writer
      .prepare('INSERT INTO retentions (org, since, until, ms) VALUES (?, 0, ?, ?)')
      .run('acme', 2 * NOW, retentionDays * DAY_MS);
    writer.close();
  }
  const database = openAnswersReader(path, () => NOW);
  closing.push(() => database.close());
  let looked = 0;
  database.function('look', () => {
    looked += 1;
    return 1;
  });
  const views = database
    .prepare(
      "SELECT name, sql FROM temp.sqlite_schema WHERE type = 'view' AND sql LIKE '%named%' OR name = 'mentions'",
    )
    .all();
  for (const { name, sql } of views) {
    database.exec(`DROP VIEW temp.${name}`);
    database.exec(`${String(sql).replace('CREATE VIEW', 'CREATE TEMP VIEW')} AND look()`);
  }
  return {
    details: openRecallDetails(database),
    looked: () => {
      const since = looked;
      looked = 0;
      return since;
    },
  };
};

const LABELS = ['Lisbon', 'lisbon', 'LISBON', 'Lisbon.'] as const;
const KINDS = ['place', 'person', 'thing'] as const;
const AT = [100, 200, 300, 400, 500].map(n => n * DAY_MS);

interface Mention {
  turn: string;
  label: string;
  kind: string;
  recorded: number;
  expires: number | undefined;
}

/** Returns turns that all name one city, in spellings that depend on chance, and what they say of it. */
const mentioning = (
  size: number,
  draw: (below: number) => number,
): { events: Event[]; mentions: Mention[] } => {
  const mentions: Mention[] = [];
  const events = Array.from({ length: size }, (_, n): Event[] => {
    const recorded = NOW - AT[draw(AT.length)]!;
    const expires = [NOW - 1, NOW + 1, undefined, undefined][draw(4)];
    const common = {
      recorded_at: new Date(recorded).toISOString(),
      ...(expires !== undefined && { expires_at: new Date(expires).toISOString() }),
    };
    const turn = turnRecorded(2 * n);
    const [label, kind] = [LABELS[draw(LABELS.length)]!, KINDS[draw(KINDS.length)]!];
    mentions.push({ turn: turn.id, label, kind, recorded, expires });
    const found = extracted(2 * n + 1, turn, { entities: [{ label, kind }] });
    return [
      { ...turn, ...common },
      { ...found, ...common, ...(expires === undefined && { kept_from: common.recorded_at }) },
    ];
  }).flat();
  return { events, mentions };
};

const smallest = (values: readonly string[]): string => values.toSorted((a, b) => (a < b ? -1 : 1))[0]!;

describe('how an entity is spelled', () => {
  it.each([
    ['without a retention', undefined],
    ['with a retention of 350 days', 350],
  ])('is the smallest label and kind of its living mentions, %s', async (_, days) => {
    let named = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      const { events, mentions } = mentioning(6, drawing(seed));
      const { details } = await openCounted(events, days);
      const ids = mentions.map(({ turn }) => turn);
      for (const asOf of [undefined, ...AT.map(ago => NOW - ago)]) {
        const living = mentions.filter(
          ({ expires, recorded }) =>
            (expires === undefined ? days === undefined || recorded > NOW - days * DAY_MS : expires > NOW) &&
            (asOf === undefined || recorded <= asOf),
        );
        const [entity, ...others] = await details.entitiesOf({ ...ada, ...(asOf && { asOf }) }, ids);
        expect(others).toEqual([]);
        if (living.length === 0) {
          expect(entity).toBeUndefined();
          continue;
        }
        named += 1;
        expect(entity).toMatchObject({
          label: smallest(living.map(({ label }) => label)),
          kind: smallest(living.map(({ kind }) => kind)),
        });
      }
    }
    expect(named).toBeGreaterThan(30);
  });

  it.each([
    ['as of an instant', undefined, NOW],
    ['where an organization has a retention', 36_500, undefined],
  ])('is found without its other mentions, %s', async (_, days, asOf) => {
    const looked: number[] = [];
    for (const size of [100, 800]) {
      const turns = Array.from({ length: size }, (_, n) => turnRecorded(2 * n));
      const entities = [{ label: 'Lisbon', kind: 'place' }];
      const events = turns.flatMap((turn, n) => [
        turn,
        { ...extracted(2 * n + 1, turn, { entities }), kept_from: turn.recorded_at },
      ]);
      const opened = await openCounted(events, days);
      const [entity] = await opened.details.entitiesOf({ ...ada, ...(asOf && { asOf }) }, [turns[3]!.id]);
      expect(entity).toMatchObject({ label: 'Lisbon', kind: 'place', turnIds: [turns[3]!.id] });
      looked.push(opened.looked());
    }
    expect(looked[0]).toBeGreaterThan(0);
    expect(looked[1]).toBe(looked[0]);
    expect(looked[1]).toBeLessThan(5);
  });
});
