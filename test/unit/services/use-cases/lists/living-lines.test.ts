import { expect, it } from 'vitest';
import { makeLivingLines } from '../../../../../services/use-cases/lists/living-lines.ts';

const titled = (session: string, title: string | null): string =>
  JSON.stringify({
    type: 'session.titled',
    id: `t-${session}`,
    data: { user_id: 'ada', session_id: session, title },
  });
const corrected = (user: string, name: string): string =>
  JSON.stringify({
    type: 'entity.corrected',
    id: `c-${user}-${name}`,
    data: {
      user_id: user,
      entity: name,
      label: `${name}!`,
      merge_into: null,
      split: [],
      names: [],
      into_names: [],
    },
  });

/** Shown are: of session N the title "title N", and of each user the names that begin with A. */
const listing = () => {
  const asked: { titles: number[]; names: number[] } = { titles: [], names: [] };
  return {
    asked,
    titles: async (_org: string, sessions: readonly { session: string }[]) => {
      asked.titles.push(sessions.length);
      return sessions.map(({ session }) => (session === 'gone' ? undefined : `title ${session}`));
    },
    areNamed: async (_org: string, names: readonly { normalised: string }[]) => {
      asked.names.push(names.length);
      return names.map(({ normalised }) => normalised.startsWith('a'));
    },
  };
};

it('asks once for all titles of a page, and once for all names of all of its users', async () => {
  const shown = listing();
  const living = makeLivingLines({ listing: shown }, 'acme');
  const turn = '{"type":"turn.recorded","id":"trn_1"}';
  const page = Array.from({ length: 300 }, (_, n) => [
    titled(`s${n}`, `title s${n}`),
    corrected(`user ${n % 100}`, n % 2 ? 'Anna' : 'Bela'),
    turn,
  ]).flat();
  const left = await living(page);
  expect(shown.asked).toEqual({ titles: [300], names: [100] });
  expect(left.filter(line => line === turn)).toHaveLength(300);
  expect(left.filter(line => line.includes('session.titled'))).toHaveLength(300);
  expect(left.filter(line => line.includes('entity.corrected'))).toHaveLength(150);
});

it('asks nothing where there is nothing to ask, and keeps the order of the lines', async () => {
  const shown = listing();
  const living = makeLivingLines({ listing: shown }, 'acme');
  expect(await living(['{"type":"turn.recorded"}'])).toEqual(['{"type":"turn.recorded"}']);
  expect(shown.asked).toEqual({ titles: [], names: [] });
  const lines = [
    titled('s', 'an older title'),
    titled('s', 'title s'),
    titled('gone', 'title gone'),
    titled('s', null),
    corrected('ada', 'Anna'),
  ];
  expect(await living(lines)).toEqual([lines[1], lines[4]]);
});
