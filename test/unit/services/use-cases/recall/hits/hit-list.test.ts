import { describe, expect, it } from 'vitest';
import type { ChosenHit, Kind, StoredFragment } from '../../../../../../core/ports.ts';
import { standsAlone } from '../../../../../../domain/extraction/stands-alone.ts';
import { prepare } from '../../../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../../../domain/ranking/rank.ts';
import { chooseHits } from '../../../../../../services/use-cases/recall/hits/hits.ts';
import { language } from '../../../../domain/language/fixture.ts';
import { type Said, scopeOf } from '../../../../domain/ranking/scope.ts';

const QUESTION = 'Which pets does Ann have in Oslo?';
/** All say something of pets, so that they rank before the small talk. */
const PETS = [
  'My pets are a cat and a greyhound.',
  'The pets love Oslo.',
  'Pets, pets, pets!',
  'Yesterday the vet saw the pets, and then I bought a tortoise for them in Oslo.',
  'I have had pets since 1999, all of them strays.',
  'Are pets allowed in Oslo?',
  'Some pets of mine came from Oslo by train.',
  'A parrot is the loudest of my pets.',
];
const SMALL_TALK = Array.from({ length: 24 }, (_, n) => `Soup number ${n} was fine.`);
const scope = scopeOf([[...PETS, ...SMALL_TALK].map((text): Said => ({ role: 'Ann', text }))]);
const at = { user: 'ada', session: 's', role: 'Ann' };
const turns = scope.candidates.map(
  ({ key, id, timestamp }): StoredFragment => ({
    ...at,
    key,
    id: `trn_${id}`,
    kind: 'turn',
    text: [...PETS, ...SMALL_TALK][key]!,
    timestamp,
  }),
);
const factOf = (turn: number, text: string, source: 'rules' | 'client' = 'rules'): StoredFragment => ({
  ...at,
  key: 1_000 + turn,
  id: `obs_${String(turn).padStart(32, '0')}`,
  kind: 'observation',
  text,
  timestamp: turns[turn]!.timestamp,
  sourceTurnId: turns[turn]!.id,
  source,
});

interface World {
  facts?: readonly StoredFragment[];
  /** Observations of clients: they are ranked beside the turns. */
  observed?: readonly StoredFragment[];
  entities?: readonly { id: string; label: string; turn: number }[];
}

const ask = async (
  topK: number,
  { facts = [], observed = [], entities = [] }: World,
  kinds: readonly Kind[] = ['turn', 'observation', 'entity'],
): Promise<ChosenHit[]> => {
  const { query, statistics } = scope.ask(QUESTION);
  const candidates = [
    ...scope.candidates,
    ...observed.map(({ key, id, role, timestamp, text }) => ({
      ...scope.candidates[0]!,
      key,
      id: id.slice(4),
      kind: 'observation' as const,
      role,
      timestamp,
      document: language.analyse(text, { role, timestamp }),
    })),
  ];
  const prepared = prepare(query, statistics, candidates);
  const fragments = new Map([...turns, ...observed].map(one => [one.key, one]));
  const chosen = await chooseHits(
    {
      details: {
        observationsOf: async (_, ids) => facts.filter(({ sourceTurnId }) => ids.includes(sourceTurnId!)),
        turnsOf: async () => [],
        entitiesOf: async () =>
          entities.map(({ id, label, turn }) => ({ id, label, kind: 'thing', turnIds: [turns[turn]!.id] })),
      },
      language,
    },
    {
      prepared,
      ranked: rank(prepared, candidates),
      confidence: 1,
      follows: () => false,
      fragments: async keys => new Map(keys.map(key => [key, fragments.get(key)!])),
    },
    { scope: { org: 'acme' }, q: QUESTION, kinds: new Set(kinds), topK },
  );
  return chosen === 'erased' ? expect.fail('erased') : chosen;
};

const idOf = (hit: ChosenHit): string => (hit.kind === 'entity' ? hit.entity.id : hit.fragment.id);
const ranked = (await ask(30, {}, ['turn'])).map(idOf);
/** The turn at a rank, from 0. */
const turnAt = (rank: number): number => turns.findIndex(({ id }) => id === ranked[rank]);
/** Says all that its turn says. */
const wholeFact = (turn: number): StoredFragment =>
  factOf(turn, `Ann told everybody at length: ${turns[turn]!.text.replace(/\b(them|then)\b/g, 'pets')}`);

describe('an extracted fact in the one list', () => {
  it('takes no place of the first three, and from the fourth on that of its turn, which moves behind all others', async () => {
    const facts = Array.from({ length: 6 }, (_, rank) => wholeFact(turnAt(rank)));
    const hits = await ask(30, { facts });
    expect(hits.slice(0, 3).map(idOf)).toEqual(ranked.slice(0, 3));
    expect(hits.slice(3, 6).map(idOf)).toEqual(facts.slice(3).map(({ id }) => id));
    expect(hits[3]).toMatchObject({ kind: 'observation', sourceTurnIds: [ranked[3]] });
    expect(hits.slice(6, 27).map(idOf)).toEqual(ranked.slice(6, 27));
  });

  it('has the score of that place, so that the score orders all kinds', async () => {
    const facts = Array.from({ length: 8 }, (_, rank) => wholeFact(turnAt(rank)));
    const entities = [{ id: 'ent_oslo', label: 'Oslo', turn: 0 }];
    const scores = (await ask(30, { facts, entities })).map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('leaves the place to its turn when it says less of what was asked, or far less at all', async () => {
    const turn = turnAt(4);
    expect(
      (await ask(10, { facts: [factOf(turn, 'Ann travelled through Norway last summer.')] })).map(idOf),
    ).toEqual(ranked.slice(0, 10));
    expect((await ask(10, { facts: [wholeFact(turn)] })).map(idOf)).not.toEqual(ranked.slice(0, 10));
  });

  it('leaves it when it can not be understood alone', async () => {
    const turn = turnAt(4);
    const dangling = factOf(turn, `${wholeFact(turn).text} It was great.`);
    expect((await ask(10, { facts: [dangling] })).map(idOf)).toEqual(ranked.slice(0, 10));
  });

  it('is among the first fifteen twice where two fit, though they say less', async () => {
    // Facts of turns at these places, which they may only take when facts are due.
    const facts = [13, 14, 15].map(rank =>
      factOf(turnAt(rank), `Ann cooked soup number ${rank} for everybody in Bergen.`),
    );
    const kinds = (await ask(15, { facts })).map(({ kind }) => kind);
    expect(kinds.filter(kind => kind === 'observation')).toHaveLength(2);
  });

  it('makes a shorter list the beginning of a longer one', async () => {
    const facts = Array.from({ length: 30 }, (_, rank) => wholeFact(turnAt(rank)));
    const entities = [{ id: 'ent_oslo', label: 'Oslo', turn: 0 }];
    const observed = [factOf(turnAt(5), turns[turnAt(5)]!.text, 'client')];
    const whole = (await ask(30, { facts, entities, observed })).map(idOf);
    for (let most = 1; most < 30; most++)
      expect((await ask(most, { facts, entities, observed })).map(idOf)).toEqual(whole.slice(0, most));
  });
});

describe("a client's observation in the one list", () => {
  it('that only repeats its turn gives its place to that turn, and is not there', async () => {
    const observed = [factOf(turnAt(7), 'Pets in Oslo: which pets does Ann have.', 'client')];
    const added = await ask(10, { observed });
    expect(added.some(({ kind }) => kind === 'observation')).toBe(true);
    const repeating = [factOf(turnAt(7), turns[turnAt(7)]!.text.replace('.', '!'), 'client')];
    const hits = await ask(10, { observed: repeating });
    expect(hits.map(({ kind }) => kind)).not.toContain('observation');
    expect(new Set(hits.map(idOf)).size).toBe(10);
    expect(hits.map(idOf)).toContain(ranked[7]);
  });
});

describe('an entity in the one list', () => {
  const entities = [
    { id: 'ent_oslo', label: 'Oslo', turn: 0 },
    { id: 'ent_bergen', label: 'Bergen', turn: 0 },
  ];

  it('takes one place in five, after the first ones, when the question names it', async () => {
    const hits = await ask(10, { entities });
    expect(hits.flatMap((hit, place) => (hit.kind === 'entity' ? [[place, hit.entity.id]] : []))).toEqual([
      [9, 'ent_oslo'],
    ]);
    expect((await ask(9, { entities })).map(idOf)).toEqual(ranked.slice(0, 9));
  });

  it('takes none that a turn would have otherwise', async () => {
    const hits = await ask(30, { entities: entities.slice(1) });
    expect(hits.map(idOf)).toEqual(ranked.slice(0, 30));
  });
});

describe('a fact that stands alone', () => {
  it.each([
    'Ada moved to Lisbon in March 2025.',
    "Ada's sister Grace works as a nurse in Bergen.",
    'On 7 May 2023 Caroline went to a support group for parents.',
    'Ada has a greyhound called Comet and two cats.',
  ])('%s', text => expect(standsAlone(text)).toBe(true));

  it.each([
    'Ada just did it on 19 October 2023.',
    'Ada took them to the beach in April.',
    'Melanie shared a photo of a painting of a sunset over a lake.',
    'Ada said kindness is the most important thing of all.',
    'Ada is excited for the new chapter in life.',
    'Ada went there with friends.',
    'Ada likes soup.',
  ])('not: %s', text => expect(standsAlone(text)).toBe(false));
});
