import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conditionIn } from '../../../../../domain/filter/condition.ts';
import { MOST_EVENTS } from '../../../../../schemas/events/envelope.ts';
import {
  eventOffsetOf,
  indexInRecord,
  isEventOffset,
  recordOffsetOf,
} from '../../../../../schemas/events/event-offset.ts';
import { makeCursor } from '../../../../../schemas/http/queries/cursor.ts';
import { keyAfter, nameOf, paged } from '../../../../../services/use-cases/lists/page.ts';
import { expectProperty } from '../../../../support/properties.ts';

const members = { user: 'string', session: 'string', timestamp: 'number', id: 'string' } as const;
const cursor = makeCursor('turns', members);
const observations = makeCursor('observations', members);

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 40 });
const key = fc.record(
  { user: wellFormed, session: wellFormed, timestamp: fc.maxSafeInteger(), id: wellFormed },
  { noNullPrototype: true },
);
const filter = fc.option(fc.string({ maxLength: 32 }), { nil: undefined });

it('a cursor is read as it was written, in characters of an address', () =>
  expectProperty(key, filter, (one, named) => {
    const text = cursor.encode(one, named);
    expect(text).toMatch(/^[\w-]+$/);
    expect(cursor.decode(text)).toEqual({ key: one, filter: named });
    expect(cursor.faults({ cursor: text })).toEqual([]);
  }));

it("another list's cursor is refused", () =>
  expectProperty(key, filter, (one, named) => {
    expect(cursor.decode(observations.encode(one, named))).toBeUndefined();
    expect(observations.faults({ cursor: cursor.encode(one, named) })).toHaveLength(1);
  }));

it('an event of a record keeps its place in the order of the log', () => {
  const address = fc.record({
    offset: fc.nat({ max: 2 ** 45 - 1 }),
    index: fc.nat({ max: MOST_EVENTS - 1 }),
  });
  expectProperty(address, address, (a, b) => {
    const at = eventOffsetOf(a);
    expect([isEventOffset(at), recordOffsetOf(at), indexInRecord(at)]).toEqual([true, a.offset, a.index]);
    expect(at - eventOffsetOf(b) > 0).toBe((a.offset - b.offset || a.index - b.index) > 0);
  });
});

it('a cursor that somebody wrote by hand is refused, or is a key like any other', () =>
  expectProperty(
    fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.jsonValue().map(value => Buffer.from(JSON.stringify(value)).toString('base64url')),
      fc
        .array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.double(),
            fc.constant(null),
            fc.boolean(),
            fc.bigInt().map(Number),
          ),
          { maxLength: 7 },
        )
        .map(parts => Buffer.from(JSON.stringify([1, 'turns', ...parts])).toString('base64url')),
      // One of the right form, with a member that may be of another type.
      fc
        .tuple(
          key,
          fc.constantFrom('user', 'session', 'timestamp', 'id'),
          fc.oneof(fc.double(), fc.string({ unit: 'binary' }), fc.constant('\ud800')),
        )
        .map(([one, name, value]) => cursor.encode({ ...one, [name]: value })),
      fc.tuple(key, fc.nat(), fc.string({ minLength: 1, maxLength: 1 })).map(([one, at, character]) => {
        const text = cursor.encode(one);
        const i = at % text.length;
        return text.slice(0, i) + character + text.slice(i + 1);
      }),
    ),
    text => {
      const read = cursor.decode(text);
      if (read === undefined) return;
      expect(Number.isSafeInteger(read.key.timestamp)).toBe(true);
      for (const name of ['user', 'session', 'id'] as const) expect(read.key[name].isWellFormed()).toBe(true);
      expect(cursor.decode(cursor.encode(read.key, read.filter))).toEqual(read);
    },
  ));

const some = conditionIn({ key: 'a', eq: 1 })!;
const another = conditionIn({ key: 'a', eq: 2 })!;

it('pages of any size, one after the other, are the whole list', () =>
  expectProperty(
    fc.uniqueArray(key, { selector: ({ timestamp }) => timestamp, maxLength: 30 }),
    fc.integer({ min: 1, max: 7 }),
    fc.constantFrom(undefined, some),
    (items, most, selected) => {
      const list = items
        .map(item => ({ ...item, user: 'ada', session: 's' }))
        .sort((a, b) => a.timestamp - b.timestamp);
      const scope = { org: 'acme', user: 'ada', session: 's', ...(selected && { filter: selected }) };
      const read: unknown[] = [];
      let next: string | null | undefined;
      while (next !== null) {
        const after = keyAfter(cursor, scope, next);
        const found = list.filter(({ timestamp }) => after === undefined || timestamp > after.timestamp);
        const page = paged(
          cursor,
          found,
          most,
          ({ user, session, timestamp, id }) => ({ user, session, timestamp, id }),
          selected,
        );
        read.push(...page.page);
        expect(page.next_cursor === null).toBe(found.length <= most);
        next = page.next_cursor;
      }
      expect(read).toEqual(list);
    },
  ));

it("another user's, session's or filter's cursor continues nothing", () =>
  expectProperty(
    key,
    fc.constantFrom(undefined, some, another),
    fc.constantFrom(undefined, some, another),
    (one, by, asked) => {
      const text = cursor.encode(one, nameOf(by));
      const scope = { org: 'acme', user: one.user, session: one.session, ...(asked && { filter: asked }) };
      const read = (changed: object): unknown => {
        try {
          return keyAfter(cursor, { ...scope, ...changed }, text);
        } catch (error) {
          return (error as { code?: string }).code;
        }
      };
      expect(read({})).toEqual(by === asked ? one : 'invalid');
      expect(read({ user: `${one.user}x` })).toBe('invalid');
      expect(read({ session: `${one.session}x` })).toBe('invalid');
    },
  ));
