import { expect, it } from 'vitest';
import { withoutHidden } from '../../../../../services/use-cases/transfer/without-hidden.ts';
import { recallJudged } from '../../../../support/worlds/builders.ts';

const TURN = `trn_${'a'.repeat(32)}`;
const SEEN = `obs_${'b'.repeat(32)}`;

it('leaves out what was said of a hidden turn, of a hidden observation, and of one whose turn is hidden', () => {
  const ofTurn = recallJudged(1, { hit_id: TURN });
  const ofSeen = recallJudged(2, { hit_id: SEEN, turn_id: TURN });
  for (const event of [ofTurn, ofSeen]) {
    expect(withoutHidden(event, new Set())).toBe(event);
    expect(withoutHidden(event, new Set([`trn_${'c'.repeat(32)}`]))).toBe(event);
    expect(withoutHidden(event, new Set([TURN]))).toBeUndefined();
  }
  expect(withoutHidden(ofSeen, new Set([SEEN]))).toBeUndefined();
});
