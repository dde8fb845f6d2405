/**
 * Measures the CPU of a recall whose keys have hundreds of facts, in this process: the search alone, without
 * admission and billing. Other source trees are asked the same questions in turns, each from a store of its
 * own, and have to answer the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchRequest, SearchResult } from '../../core/ports.ts';
import { temporaryFolder } from '../../test/support/processes/server.ts';
import { type Conversation, question, seededRandom, TURNS_OF_A_SESSION } from './load/conversation.ts';
import type { Part } from './measure/figures-table.ts';
import { quantile } from './measure/quantile.ts';

const TURNS = 10_000;
const WRITTEN_TOGETHER = 1_000;
const SCOPE = { org: 'local', user: 'user-0' };
const SEED = 7;
const WARM_UP = 40;
const MOMENT = Date.UTC(2024, 0, 1);

export interface FactsCpu {
  /** Facts of the key that has most of them. */
  mostFacts: number;
  trees: ReadonlyMap<string, Series>;
}

/** CPU milliseconds of each recall. */
interface Series {
  recalls: number[];
  /** By details that were opened for the question: no fact has been read before. */
  firstOfAUser: number[];
  /** By an index that has no facts to tell. */
  withoutFacts: number[];
}

type Search = (request: SearchRequest) => Promise<SearchResult>;

interface OpenedTree {
  search: Search;
  /** Opens the details of turns anew. */
  fresh(): Search;
  withoutFacts: Search;
  mostFacts: number;
  close(): void;
}

/** The modules of a source tree; another one's may differ in all but their names. */
const modulesOf = async (tree: string) => {
  const at = <Module>(path: string): Promise<Module> => import(join(tree, path));
  const [fairness, language, codec, create, store, listing, details, answers, retrieval] = await Promise.all([
    at<typeof import('../../core/fairness/yield-when-due.ts')>('core/fairness/yield-when-due.ts'),
    at<typeof import('../../domain/language/language.ts')>('domain/language/language.ts'),
    at<typeof import('../../domain/language/vectors/codec.ts')>('domain/language/vectors/codec.ts'),
    at<typeof import('../../infra/embedded/index/file/create-database.ts')>(
      'infra/embedded/index/file/create-database.ts',
    ),
    at<typeof import('../../infra/embedded/index/file/projection-store.ts')>(
      'infra/embedded/index/file/projection-store.ts',
    ),
    at<typeof import('../../infra/embedded/index/read/lists/listing.ts')>(
      'infra/embedded/index/read/lists/listing.ts',
    ),
    at<typeof import('../../infra/embedded/index/read/recall-details.ts')>(
      'infra/embedded/index/read/recall-details.ts',
    ),
    at<typeof import('../../infra/embedded/index/read/search/answers-reader.ts')>(
      'infra/embedded/index/read/search/answers-reader.ts',
    ),
    at<typeof import('../../infra/embedded/index/retrieval.ts')>('infra/embedded/index/retrieval.ts'),
  ]);
  const [fold, search, builders, rules, hearing] = await Promise.all([
    at<typeof import('../../projections/recall/recall-fold.ts')>('projections/recall/recall-fold.ts'),
    at<typeof import('../../services/use-cases/recall/search.ts')>('services/use-cases/recall/search.ts'),
    at<typeof import('../../test/support/worlds/builders.ts')>('test/support/worlds/builders.ts'),
    at<typeof import('../../domain/extraction/extract.ts')>('domain/extraction/extract.ts'),
    at<typeof import('../../services/workers/enricher/hearing.ts')>('services/workers/enricher/hearing.ts'),
  ]);
  return {
    ...fairness,
    ...language,
    ...codec,
    ...create,
    ...store,
    ...listing,
    ...details,
    ...answers,
    ...retrieval,
    ...fold,
    ...search,
    ...builders,
    ...rules,
    ...hearing,
  };
};

type Modules = Awaited<ReturnType<typeof modulesOf>>;

/** Yields what is written: turns, and what the rules find in them. */
async function* batches(
  { turnRecorded, extracted, makeRulesExtractor, makeHearing }: Modules,
  { body }: Conversation,
) {
  const extract = makeRulesExtractor();
  const hearing = makeHearing();
  for (let from = 0; from < TURNS; from += WRITTEN_TOGETHER) {
    const events = [];
    for (let first = from; first < from + WRITTEN_TOGETHER; first += TURNS_OF_A_SESSION) {
      const scope = { user: SCOPE.user, session: `session-${first / TURNS_OF_A_SESSION}` };
      const { turns } = JSON.parse(body(scope, first, TURNS_OF_A_SESSION)) as {
        turns: { role: string; text: string; timestamp: string }[];
      };
      const recorded = turns.map(({ role, text, timestamp }, i) =>
        turnRecorded(first + i, { org: SCOPE.org, ...scope, role, text, timestamp: Date.parse(timestamp) }),
      );
      events.push(...recorded);
      for (const [i, { before, own }] of hearing(recorded as never).entries()) {
        const turn = recorded[i]!;
        const { role, text } = turn.data;
        const timestamp = Date.parse(turn.data.timestamp);
        const found = await extract({ role, text, timestamp, utcOffset: undefined, before, own });
        events.push(extracted(turn.offset, turn, found as Parameters<typeof extracted>[2]));
      }
    }
    yield events;
  }
}

const openTree = async (tree: string, conversation: Conversation): Promise<OpenedTree> => {
  const modules = await modulesOf(tree);
  const table = readFileSync(join(tree, 'domain/language/vectors/static-vectors.bin'));
  const language = modules.makeLanguage(new Uint8Array(table));
  const path = join(temporaryFolder(), 'projections.db');
  const { decodeDocument, makeYieldWhenDue } = modules;
  const store = modules.openProjectionStore(modules.createProjectionsDatabase(path), decodeDocument);
  const project = modules.makeRecallProjection(language);
  for await (const events of batches(modules, conversation)) {
    const nothing = { usage: [], accounts: [], audit: [], activity: [], logged: [], positions: {} };
    await store.apply({ recall: events.flatMap(project), ...nothing });
  }
  await store.close();
  const reader = modules.openAnswersReader(path, () => MOMENT);
  const { analyse } = language;
  const retrieval = modules.openRetrieval({ reader, decodeDocument, analyse, makeYieldWhenDue });
  const listing = modules.openListing(reader, makeYieldWhenDue);
  const details = modules.openRecallDetails(reader);
  const searchOf = (own: typeof details): Search =>
    modules.makeSearch({ retrieval, details: own, listing, language });
  const [most] = reader
    .prepare(
      'SELECT count(*) AS n FROM fragments WHERE fact_key IS NOT NULL GROUP BY fact_key ORDER BY 1 DESC',
    )
    .all();
  return {
    search: searchOf(details),
    fresh: () => searchOf(modules.openRecallDetails(reader)),
    withoutFacts: searchOf({ ...details, facts: async () => ({ facts: [], corrections: [] }) }),
    mostFacts: Number(most!.n),
    close: () => reader.close(),
  };
};

const cpuOf = async <T>(work: () => Promise<T>): Promise<{ ms: number; made: T }> => {
  const before = process.cpuUsage();
  const made = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, made };
};

/** @param others source trees of other releases to compare with this one */
export const measureFactsCpu = async (
  conversation: Conversation,
  { count, others, say }: { count: number; others: readonly string[]; say: (line: string) => void },
): Promise<FactsCpu> => {
  const paths = new Map([
    ...others.map(tree => [tree, tree] as const),
    ['this', join(import.meta.dirname, '../..')],
  ]);
  const opened = new Map<string, OpenedTree>();
  const trees = new Map<string, Series>();
  for (const [name, path] of paths) {
    say(`a store of ${TURNS} turns: ${name}`);
    opened.set(name, await openTree(path, conversation));
    trees.set(name, { recalls: [], firstOfAUser: [], withoutFacts: [] });
  }
  const random = seededRandom(SEED);
  for (let i = -WARM_UP; i < count; i++) {
    const request: SearchRequest = {
      scope: SCOPE,
      q: question(random),
      mode: 'active',
      tail: [],
      kinds: ['turn', 'observation', 'entity'],
      topK: 15,
      moment: MOMENT,
    };
    let answer: string | undefined;
    // Each tree comes first as often as last.
    const inTurn = i % 2 === 0 ? [...opened] : [...opened].reverse();
    for (const [name, { search, fresh, withoutFacts }] of inTurn) {
      const { recalls, firstOfAUser, withoutFacts: floor } = trees.get(name)!;
      const again = await cpuOf(() => search(request));
      const one = fresh();
      const first = await cpuOf(() => one(request));
      const none = await cpuOf(() => withoutFacts(request));
      for (const { made } of [again, first]) {
        const text = JSON.stringify(made);
        answer ??= text;
        if (text !== answer) throw new Error(`${name} answers another thing to "${request.q}"`);
      }
      if (i < 0) continue;
      recalls.push(again.ms);
      firstOfAUser.push(first.ms);
      floor.push(none.ms);
    }
  }
  const [{ mostFacts }] = [...opened.values()] as [OpenedTree];
  for (const tree of opened.values()) tree.close();
  return { mostFacts, trees };
};

export const factsParts = ({ mostFacts, trees }: FactsCpu): Part[] =>
  [...trees].map(([name, { recalls, firstOfAUser, withoutFacts }]) => {
    const floor = quantile(withoutFacts, 0.5);
    const figure = (what: string, values: readonly number[], target?: { most: number }) => ({
      figure: `${what}, p50`,
      measured: quantile(values, 0.5),
      unit: 'ms',
      floor,
      note: `p90 ${quantile(values, 0.9).toFixed(1)}`,
      ...(target && { target }),
    });
    return {
      title: `CPU of a recall of ${name} from ${TURNS.toLocaleString('en-US')} turns whose keys have up to ${mostFacts} facts; floor: without facts`,
      figures: [
        figure('facts that were read before', recalls, { most: 8 }),
        figure('facts that nobody has read', firstOfAUser),
      ],
    };
  });
