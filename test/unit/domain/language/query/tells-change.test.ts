import { describe, expect, it } from 'vitest';
import { tellsChange } from '../../../../../domain/language/query/tells-change.ts';

describe('what tells of a change', () => {
  it.each([
    'day one at Halvorsen, the badge photo is a crime',
    'From monday on I start at ten.',
    'As of June it is the early shift for me.',
    'we switched to the other provider',
    'I gave up the piano',
    'turns out it was the cheese all along',
    'he took over the whole group',
    'First night in our own flat!!',
    "it's going to be a girl after all",
    'Nobody lives there anymore.',
    'I handed the keys to Birgit',
    'three weeks without sugar',
  ])('%s', text => {
    expect(tellsChange(text)).toBe(true);
  });

  it.each([
    'I work for Halvorsen.',
    'The rent is 780 euros.',
    'every now and then we meet at the lake',
    'Tuesdays, always.',
    'My dentist hums while she drills.',
    '',
  ])('not: %s', text => {
    expect(tellsChange(text)).toBe(false);
  });

  it('looks no further than the beginning of a long text', () => {
    expect(tellsChange(`${'a '.repeat(5_000)}from now on`)).toBe(false);
  });
});
