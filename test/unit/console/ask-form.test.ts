import { expect, test } from 'vitest';
import { bodyOf, filtersOf, firstForm, withoutFilters } from '../../../console/src/pages/ask/state.ts';

const form = {
  ...firstForm,
  q: ' Who? ',
  kinds: ['turn', 'entity'] as const,
  user: ' ada ',
  session: ' ',
  since: '2026-04-01',
  until: '2026-04-30',
  asOf: '2026-05-01T08:30',
  topK: '5',
};

test('an id is taken as it is typed, spaces and all', () => {
  expect(bodyOf(form, 'local', 0).scope).toEqual({ org_id: 'local', user_id: ' ada ', session_id: ' ' });
});

test('the filters of a call are told in words, and can be left out', () => {
  const body = bodyOf(form, 'local', 0);
  expect(filtersOf(body)).toEqual([
    ['scope.user_id', ' ada '],
    ['scope.session_id', ' '],
    ['kinds', 'turns, names'],
    ['since', '2026-04-01'],
    ['until', '2026-04-30'],
    ['as_of', '2026-05-01 08:30'],
  ]);
  const plain = bodyOf(withoutFilters({ ...form, q: 'not asked yet' }, body), 'local', 0);
  expect(plain).toEqual({
    scope: { org_id: 'local' },
    q: 'Who?',
    mode: 'active',
    include_timeline: true,
    top_k: 5,
  });
  expect(filtersOf(plain)).toEqual([]);
});

test('a call says where it is asked, unless that is in UTC', () => {
  expect(bodyOf(form, 'local', -480)).toMatchObject({ utc_offset: -480 });
  expect(bodyOf(form, 'local', 0)).not.toHaveProperty('utc_offset');
});
