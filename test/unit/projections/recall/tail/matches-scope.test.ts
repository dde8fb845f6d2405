import { describe, expect, it } from 'vitest';
import { matchesScope } from '../../../../../projections/recall/tail/matches-scope.ts';

const TURN = { org: 'acme', user: 'ada', session: 'monday', timestamp: 1_000 };

describe('whether a turn belongs to a scope', () => {
  it.each([
    ['a whole organization', { org: 'acme' }, true],
    ['another organization', { org: 'other' }, false],
    ['its user', { org: 'acme', user: 'ada' }, true],
    ['another user', { org: 'acme', user: 'bob' }, false],
    ['its session', { org: 'acme', session: 'monday' }, true],
    ['another session', { org: 'acme', user: 'ada', session: '' }, false],
    ['exactly its instant', { org: 'acme', since: 1_000, until: 1_000 }, true],
    ['what is later', { org: 'acme', since: 1_001 }, false],
    ['what is earlier', { org: 'acme', until: 999 }, false],
    ['all before 1970', { org: 'acme', until: 0 }, false],
  ] as const)('%s', (_, scope, expected) => {
    expect(matchesScope(scope, TURN)).toBe(expected);
  });
});
