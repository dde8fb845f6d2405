/** Finds passages of the documentation by words, with typing errors and beginnings of words. */
import MiniSearch from 'minisearch';

/** As the service sends them (services/surfaces/http/docs/search/search-index.ts). */
export interface Passage {
  /** With the anchor of its heading: `/docs/concepts/recall#confidence`. */
  address: string;
  /** Title of its page. */
  page: string;
  heading: string;
  text: string;
}

export interface Found extends Passage {
  /** Words of the passage that the query matched, in lower case. */
  words: string[];
}

const MOST = 20;
/** Below this length another letter makes another word. */
const TYPO_LENGTH = 4;

/** Records of decisions and measurements have most of the words, and are rarely meant. */
const INTERNALS = '/docs/internals/';
const INTERNALS_WEIGHT = 0.4;

const WEIGHTS = { heading: 6, page: 2, text: 1 };

/** Returns the search over the passages, the best first; without a word in the query nothing is found. */
export const makeFind = (passages: readonly Passage[]): ((query: string) => Found[]) => {
  const index = new MiniSearch<Passage & { id: number }>({
    fields: Object.keys(WEIGHTS),
    searchOptions: {
      boost: WEIGHTS,
      boostDocument: id => (passages[id as number]!.address.startsWith(INTERNALS) ? INTERNALS_WEIGHT : 1),
      prefix: term => term.length > 1,
      fuzzy: term => (term.length >= TYPO_LENGTH && !/^\d+$/.test(term) ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  return query => {
    const all = index.search(query, { combineWith: 'AND' });
    // Where no passage has every word, those with some are better than none.
    const results = all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
    return results
      .slice(0, MOST)
      .map(({ id, match }) => ({ ...passages[id as number]!, words: Object.keys(match) }));
  };
};
