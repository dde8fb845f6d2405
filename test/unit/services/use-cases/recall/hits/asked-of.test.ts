import { expect, it } from 'vitest';
import type { StoredFragment } from '../../../../../../core/ports.ts';
import { saysOther } from '../../../../../../services/use-cases/recall/hits/asked-of.ts';

const fact = (text: string, subject: string, attribute: string, value: string): StoredFragment =>
  ({ text, fact: { subject, attribute, value }, role: 'user' }) as unknown as StoredFragment;

const NIECE = fact('The user\u2019s niece is allergic to walnuts.', 'niece', 'allergy', 'walnuts');
const SISTER = fact("The user's sister is called Ida.", 'The user', 'sibling', 'Ida');
const TEA = fact('The user likes tea.', 'The user', 'likes', 'tea');

it.each([
  ['What am I allergic to?', 'allergy', NIECE, true],
  ['What is my wife called?', 'partner', SISTER, true],
  ['What is my sister called?', 'sibling', SISTER, true],
  // Nothing of what is asked for, of anybody.
  ['Where does my brother live?', 'home', TEA, false],
  ['What am I allergic to?', 'allergy', TEA, false],
])('the facts of a turn may be of others: %s (%s)', (q, attribute, one, isOther) => {
  const asking = { q, asked: new Set([attribute]) };
  expect(saysOther([one], asking, () => 0)).toBe(isOther);
  expect(saysOther([one], asking, () => 2)).toBe(false);
  expect(saysOther([], asking, () => 0)).toBe(false);
});
