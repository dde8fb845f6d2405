import { expect, it } from 'vitest';
import { countTokens } from '../../../../../../core/tokens/count.ts';
import type { Found } from '../../../../../../services/surfaces/importers/turns/found.ts';
import { survey } from '../../../../../../services/surfaces/importers/turns/survey.ts';

it('counts what will be billed: texts, observations and their facts, of a repeated turn once', async () => {
  const timestamp = '2026-01-05T09:30:00Z';
  const seen = {
    location: 1,
    turn: {
      role: 'Ada',
      text: 'We saw Saturn.',
      timestamp,
      observations: [
        'a planet',
        { text: 'with rings' },
        { text: 'Ada likes it', attribute: 'likes', value: 'Saturn' },
      ],
    },
  };
  const plain = { location: 2, turn: { role: 'Ben', text: 'Really?', timestamp } };
  async function* found(): AsyncGenerator<Found> {
    yield* [seen, plain, seen];
  }
  const { tokens, turns, repeated } = await survey(found(), { withTokens: true, onFault: () => {} });
  // A fact is of its speaker, where it names nobody.
  const fact = ['Ada likes it', 'Ada', 'likes', 'Saturn'];
  const kept = ['We saw Saturn.', 'a planet', 'with rings', ...fact, 'Really?'];
  expect({ tokens, turns, repeated }).toEqual({
    tokens: kept.reduce((sum, text) => sum + countTokens(text), 0),
    turns: 3,
    repeated: 1,
  });
});
