import { expect, it } from 'vitest';
import {
  beganOf,
  positionsOfBegan,
} from '../../../../../../services/use-cases/accounts/organizations/began.ts';

it('brings the ends of the log into an event, and back', () => {
  const ends = { 'turns/0': 3, 'turns/2': 5, 'observations/1': 7, 'accounts/0': 9, 'keys/0': 1 };
  const began = beganOf(ends);
  expect(began).toEqual({ turns: [3, 0, 5], observations: [0, 7], usage: [] });
  expect(positionsOfBegan(began)).toEqual({
    'turns/0': 3,
    'turns/1': 0,
    'turns/2': 5,
    'observations/0': 0,
    'observations/1': 7,
  });
  expect(positionsOfBegan(undefined)).toEqual({});
});
