import type {
  FindRequest,
  FoundByWords,
  FoundWords,
  Retrieval,
  StoredFragment,
  TurnDetails,
} from '../../../core/ports.ts';
import type { Deadline } from '../../../core/timing/deadline.ts';
import type { Language } from '../../../domain/language/language.ts';
import { LIMITS, type Limits } from '../../../domain/search/candidates.ts';
import type { Candidate } from '../../../domain/search/document.ts';
import { sourceTurnsOf } from '../../../domain/search/fragment.ts';
import { makeWordScore, wordsOfDocument, wordsOfText } from '../../../domain/search/word-score.ts';
import { MOST_RANKED } from '../../../schemas/http/queries/list-operation.ts';

export interface FindPorts {
  retrieval: Retrieval;
  details: Pick<TurnDetails, 'observationsOf'>;
  language: Pick<Language, 'analyseQuery'>;
}

/** By words alone. */
const BY_WORDS: Limits = { ...LIMITS, all: MOST_RANKED, best: 0, words: MOST_RANKED, vectors: 0 };
/** Characters of a turn that tell why a user or a session was found. */
const TOLD = 500;

interface Ranked<Item> {
  item: Item;
  score: number;
  timestamp: number;
  id: string;
}

const best = <Item>(ranked: Ranked<Item>[]): Ranked<Item>[] =>
  ranked
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.timestamp - a.timestamp || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_RANKED);

/** In whole characters: of so many, none has more than two units. */
const beginningOf = (text: string): string =>
  Array.from(text.slice(0, 2 * TOLD + 1))
    .slice(0, TOLD)
    .join('');

/** A turn may be in the index and, for a moment, in the tail. */
const onceEach = (candidates: readonly Candidate[]): Candidate[] => {
  const seen = new Set<string>();
  return candidates.filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`));
};

const NOTHING: FoundWords = { found: [], total: 0 };

const foundAs = ({ item, score }: Ranked<StoredFragment>): FoundByWords => {
  const { key: _, isWaiting = false, ...fragment } = item;
  return { score, fragment, isWaiting };
};

/**
 * Finds what holds the words of a query: the candidates of a recall's first stage, ranked by their own words
 * alone. Observations that were extracted have no documents: they are read with their turns, which hold the
 * words, or with all turns of a small scope.
 */
export const makeFindWords =
  ({ retrieval, details, language }: FindPorts) =>
  async (request: FindRequest, deadline?: Pick<Deadline, 'signal'>): Promise<FoundWords> => {
    const { scope, q, tail, of, filter, from, limit } = request;
    const signal = deadline?.signal;
    // Every word counts, also a speaker's name.
    const query = language.analyseQuery(q, []);
    if (query.stems.length === 0) return NOTHING;
    const { candidates, statistics, complete, snapshot } = await retrieval.retrieve(
      scope,
      () => query,
      tail,
      signal,
      BY_WORDS,
    );
    const scoreOf = makeWordScore(query, statistics);
    const ranked = onceEach(candidates).map(item => ({
      item,
      score: scoreOf(wordsOfDocument(item.document)),
      timestamp: item.timestamp,
      id: item.id,
    }));
    const read = async (those: readonly Ranked<Candidate>[]): Promise<Ranked<StoredFragment>[]> => {
      const fragments = await retrieval.fragments(
        snapshot,
        those.map(({ item }) => item.key),
      );
      // Without what was erased meanwhile.
      return those.flatMap(one => {
        const item = fragments.get(one.item.key);
        return item ? [{ ...one, item }] : [];
      });
    };

    if (of === 'turns') {
      const turns = ranked.filter(
        ({ item }) => item.kind === 'turn' && (filter.role ?? item.role) === item.role,
      );
      const all = best(turns);
      return { found: (await read(all.slice(from, from + limit))).map(foundAs), total: all.length };
    }

    if (of === 'observations') {
      const isWanted = (one: StoredFragment): boolean =>
        (filter.source ?? one.source) === one.source &&
        (filter.turnId === undefined || sourceTurnsOf(one).includes(filter.turnId));
      const said = await read(best(ranked.filter(({ item }) => item.kind === 'observation')));
      const turns = ranked.filter(({ item }) => item.kind === 'turn');
      const ids = (complete ? turns : best(turns)).map(({ id }) => `trn_${id}`);
      const observed = ids.length === 0 ? [] : await details.observationsOf(scope, ids, signal);
      const found = new Map(said.map(one => [one.item.id, one]));
      for (const item of observed)
        if (!found.has(item.id)) {
          const { id, timestamp, text } = item;
          found.set(id, { item, id, timestamp, score: scoreOf(wordsOfText(text)) });
        }
      const all = best([...found.values()].filter(({ item }) => isWanted(item)));
      return { found: all.slice(from, from + limit).map(foundAs), total: all.length };
    }

    const groups = new Map<string, FoundByWords>();
    for (const one of await read(best(ranked.filter(({ item }) => item.kind === 'turn')))) {
      const { user, session } = one.item;
      const name = JSON.stringify(of === 'users' ? [user] : [user, session]);
      if (groups.has(name)) continue;
      const found = foundAs(one);
      groups.set(name, { ...found, fragment: { ...found.fragment, text: beginningOf(found.fragment.text) } });
    }
    return { found: [...groups.values()], total: groups.size };
  };
