import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../../../../domain/search/document.ts';
import { verifiedRow } from '../../../../projections/recall/verified-recall.ts';
import type { Difference } from '../../../../projections/verify/compare.ts';
import { type Row, unitOf } from '../../../../projections/verify/row.ts';
import { inSample, type Sample, shareOf } from '../../../../projections/verify/sample.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { RowsOf, StoredPicture, StoredRows } from '../../verifiable-rows.ts';
import { connectElasticsearch, type Elasticsearch } from '../elasticsearch-client.ts';
import { BOOKKEEPING, type DocumentKind, recallAlias, recallIndexOf } from '../index/index.ts';
import { rowIn, type Source } from '../stored-row.ts';
import { documentOf } from '../write/documents.ts';

type DecodeDocument = (bytes: Uint8Array) => Document;

const KEPT = '10m';
const PAGE = 1_000;
/** Page size for ids alone, which are small. */
const NAMES_PAGE = 10_000;
/** Below this share, ids are read first, then the sample's documents by id. */
const SMALL_SHARE = 0.5;
const TIMEOUT_MS = 60_000;

interface Hit {
  _id: string;
  _routing?: string;
  _source?: Source;
  fields?: { kind?: string[]; id?: string[]; turn?: string[] };
  sort: unknown[];
}

interface Answer {
  pit_id: string;
  hits: { hits: Hit[] };
}

/** Connects to the rows of a generation of recall, over its own connection. */
export const connectRecallRows = (
  config: ClusterConfig,
  decodeDocument: DecodeDocument,
  { generation, isServing }: RowsOf,
): StoredRows => {
  const elasticsearch = connectElasticsearch(config);
  const index = isServing ? recallAlias(config) : recallIndexOf(config, generation);
  return { open: () => pictureIndex(elasticsearch, index, decodeDocument), close: elasticsearch.close };
};

/** Opens a point in time of an index or an alias. Writers must have refreshed before. */
const pictureIndex = async (
  elasticsearch: Elasticsearch,
  index: string,
  decodeDocument: DecodeDocument,
): Promise<StoredPicture> => {
  const documents = await openPointInTime(elasticsearch, index);
  /** Differences in the rows that were read last. */
  let derived: Difference[] = [];
  return {
    rows: async function* (sample) {
      derived = [];
      for await (const hit of hitsOf(documents, sample)) {
        const stored = rowIn(hit._source!);
        const row = verifiedRow(stored.row);
        yield row;
        if (!isMadeFrom(hit, stored, decodeDocument))
          derived.push({
            ...named(row),
            how: 'derived',
            detail: 'its fields are not what its content makes',
          });
      }
    },
    derived: async () => derived,
    swept: units => sweptOf(documents, units),
    close: documents.close,
  };
};

interface PointInTime {
  /** Yields all documents that a search finds, page by page. */
  pages(size: number, search: object): AsyncGenerator<Hit[]>;
  byIds(ids: readonly string[], options?: object): AsyncGenerator<Hit>;
  close(): Promise<void>;
}

const openPointInTime = async (elasticsearch: Elasticsearch, index: string): Promise<PointInTime> => {
  const opened = await elasticsearch.ask<{ id: string }>('POST', `/${index}/_pit`, {
    query: { keep_alive: KEPT },
    timeoutMs: TIMEOUT_MS,
  });
  let id = opened.id;
  const page = async (body: object): Promise<Hit[]> => {
    const answer = await elasticsearch.ask<Answer>('POST', '/_search', {
      body: { pit: { id, keep_alive: KEPT }, track_total_hits: false, ...body },
      timeoutMs: TIMEOUT_MS,
    });
    id = answer.pit_id;
    return answer.hits.hits;
  };
  return {
    pages: async function* (size, search) {
      for (let last: unknown[] | undefined; ; ) {
        const hits = await page({
          size,
          sort: ['_shard_doc'],
          ...search,
          ...(last && { search_after: last }),
        });
        if (hits.length === 0) return;
        yield hits;
        last = hits.at(-1)!.sort;
      }
    },
    byIds: async function* (ids, options = {}) {
      for (let at = 0; at < ids.length; at += PAGE) {
        const values = ids.slice(at, at + PAGE);
        yield* await page({ size: values.length, query: { ids: { values } }, ...options });
      }
    },
    close: async () => {
      await elasticsearch.ask('DELETE', '/_pit', { body: { id }, accepted: [404] });
    },
  };
};

/** Kinds of documents that are not rows. */
const NO_ROWS: DocumentKind[] = ['hidden', 'expired'];
const must_not = { terms: { kind: [...Object.values(BOOKKEEPING), ...NO_ROWS] } };
const ROWS = { bool: { must_not } };

/** Yields the documents of a sample. */
async function* hitsOf(documents: PointInTime, sample: Sample): AsyncGenerator<Hit> {
  if (sample.only) return yield* hitsOfUnits(documents, [...sample.only]);
  if (shareOf(sample) >= SMALL_SHARE) {
    for await (const hits of documents.pages(PAGE, { query: ROWS }))
      for (const hit of hits) if (inSample(sample, unitOfHit(hit._id, hit._source!))) yield hit;
    return;
  }
  const names = { query: ROWS, _source: false, docvalue_fields: ['turn'] };
  for await (const hits of documents.pages(NAMES_PAGE, names)) {
    const wanted = hits.filter(({ _id, fields }) =>
      inSample(sample, unitOfHit(_id, { turn: fields?.turn?.[0] })),
    );
    yield* documents.byIds(wanted.map(({ _id }) => _id));
  }
}

async function* hitsOfUnits(documents: PointInTime, units: readonly string[]): AsyncGenerator<Hit> {
  for (let at = 0; at < units.length; at += PAGE) {
    const some = units.slice(at, at + PAGE);
    const turns = some.map(unit => `trn_${unit}`);
    // A document without a turn is a unit of its own id.
    const values = [...turns, ...some.map(unit => `job_${unit}`), ...some];
    const should = [{ ids: { values } }, { terms: { turn: turns } }];
    const query = { bool: { must_not, should, minimum_should_match: 1 } };
    for await (const hits of documents.pages(PAGE, { query })) yield* hits;
  }
}

/** A swept turn's identity has its id. */
const sweptOf = async (documents: PointInTime, units: ReadonlySet<string>): Promise<Set<string>> => {
  const ids = [...units].map(unit => `trn_${unit}`);
  const swept = new Set<string>();
  const kinds = { _source: false, docvalue_fields: ['kind'] };
  for await (const { _id, fields } of documents.byIds(ids, kinds))
    if (fields?.kind?.[0] === ('expired' satisfies DocumentKind)) swept.add(unitOf(_id));
  return swept;
};

/** Returns whether a document's fields equal those made from its content. */
const isMadeFrom = (
  { _id, _routing, _source }: Hit,
  { row, beside }: ReturnType<typeof rowIn>,
  decodeDocument: DecodeDocument,
): boolean => {
  try {
    // Compare the JSON that is sent, which drops undefined.
    const expected = JSON.parse(JSON.stringify(documentOf(row, beside, decodeDocument)));
    return isDeepStrictEqual({ id: _id, routing: _routing, source: _source }, expected);
  } catch {
    // Its fragment is unreadable.
    return false;
  }
};

const named = ({ kind, id, org, address, unit, hash }: Row) => ({ kind, id, org, address, unit, hash });

/** Returns the unit of the document's turn; turns, identities and jobs have their own id. */
const unitOfHit = (id: string, { turn }: Record<string, unknown>): string =>
  unitOf(typeof turn === 'string' ? turn : id);
