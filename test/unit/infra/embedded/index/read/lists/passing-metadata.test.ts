import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { conditionIn } from '../../../../../../../domain/filter/condition.ts';
import { decodeDocument } from '../../../../../../../domain/language/vectors/codec.ts';
import type { PassingMetadata } from '../../../../../../../domain/search/segments/run.ts';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../../infra/embedded/index/file/projection-store.ts';
import { askFor, passesAsked } from '../../../../../../../infra/embedded/index/read/lists/asked-metadata.ts';
import { openKnownMetadata } from '../../../../../../../infra/embedded/index/read/lists/known-metadata.ts';
import {
  openSwitchedReader,
  type ProjectionsReader,
  type SwitchedReader,
} from '../../../../../../../infra/embedded/index/read/projections-reader.ts';
import type { Filter } from '../../../../../../../schemas/http/queries/filter.ts';
import { fold } from '../../../../../../contracts/openers/embedded.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';
import { turnRecorded } from '../../../../../../support/worlds/builders.ts';

const TURNS = 250;
const LEAVES = 32;
/** As many leaves as a filter may have, each of a key that all have, with several values. */
const HOSTILE: Filter = {
  all: Array.from({ length: LEAVES }, (_, n) => ({ key: `k${n % 4}`, exists: true })),
};
const scope = (filter: Filter) => ({ org: 'acme', user: 'ada', filter: conditionIn(filter)! });

let folder: string;
let reader: SwitchedReader;
let stores: ReturnType<typeof openProjectionStore>[];
/** Rows that each statement of a read returned. */
let read: number[];

const storeAt = (name: string) => {
  const store = openProjectionStore(createProjectionsDatabase(join(folder, name)), decodeDocument);
  stores.push(store);
  return store;
};
const write = async (store: ReturnType<typeof storeAt>, first: number, count: number): Promise<void> => {
  const turns = Array.from({ length: count }, (_, i) =>
    turnRecorded(first + i, { metadata: { n: first + i, k0: [1, 2, 3], k1: 1, k2: true, k3: 'x' } }),
  );
  await store.apply({ ...fold(turns), positions: {} });
};
const counting = (): ProjectionsReader => ({
  exec: sql => reader.exec(sql),
  prepare: sql => {
    const { get, all } = reader.prepare(sql);
    return {
      get,
      all: (...values) => {
        const rows = all(...values);
        read.push(rows.length);
        return rows;
      },
    };
  },
});
const sizeOf = ({ numbers, except }: PassingMetadata) => [numbers.size, except];

beforeEach(async () => {
  folder = temporaryFolder();
  stores = [];
  read = [];
  await write(storeAt('0.db'), 0, TURNS);
  reader = openSwitchedReader(join(folder, '0.db'), Date.now);
});
afterEach(async () => {
  reader.close();
  for (const store of stores) await store.close();
});

it('looks at each metadata once for a filter, whatever its leaves, and yields in between', async () => {
  const known = openKnownMetadata(counting());
  let steps = 0;
  await known.prepare(scope(HOSTILE), async () => void steps++);
  expect(read).toEqual([100, 100, 50]);
  expect(steps).toBe(2);
  read = [];
  // Another object says the same, as of every call.
  for (let n = 0; n < 20; n++) expect(sizeOf(known.now(scope(HOSTILE)))).toEqual([TURNS, false]);
  expect(read).toEqual(Array.from({ length: 20 }, () => 0));
  await write(stores[0]!, TURNS, 7);
  read = [];
  expect(sizeOf(known.now(scope(HOSTILE)))).toEqual([TURNS + 7, false]);
  expect(read).toEqual([7]);
  expect(sizeOf(known.now(scope({ not: HOSTILE })))).toEqual([TURNS + 7, true]);
});

it('answers alike where little is remembered', async () => {
  const known = openKnownMetadata(counting(), 10);
  const filters: Filter[] = [HOSTILE, { key: 'n', lt: 100 }, { key: 'n', gte: 240 }];
  for (const _ of [1, 2]) {
    await Promise.all(filters.map(filter => known.prepare(scope(filter), () => new Promise(setImmediate))));
    expect(filters.map(filter => known.now(scope(filter)).numbers.size)).toEqual([TURNS, 100, 10]);
  }
});

it('knows nothing of another file, whose numbers are others', async () => {
  const known = openKnownMetadata(counting());
  expect(known.now(scope(HOSTILE)).numbers.size).toBe(TURNS);
  await write(storeAt('1.db'), 0, 3);
  reader.prepareSwitch(join(folder, '1.db')).commit();
  read = [];
  expect(known.now(scope(HOSTILE)).numbers.size).toBe(3);
  expect(read).toEqual([3]);
  expect(sizeOf(known.now({ ...scope(HOSTILE), user: 'nobody' }))).toEqual([0, false]);
});

it('answers statements by a number, of what is asked for last', () => {
  const asked = askFor({ numbers: new Set([3]), except: false });
  expect([3, 4, null].map(no => passesAsked(asked, no))).toEqual([1, 0, 0]);
  const others = askFor({ numbers: new Set([3]), except: true });
  expect([3, 4, null].map(no => passesAsked(others, no))).toEqual([0, 1, 1]);
  for (let n = 0; n < 64; n++) askFor({ numbers: new Set(), except: false });
  expect(() => passesAsked(asked, 3)).toThrow();
});
