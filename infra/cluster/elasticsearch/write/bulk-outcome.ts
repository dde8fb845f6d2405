import { unavailable } from '../../../../core/errors.ts';

/** The outcome of one document of a bulk request. */
export interface BulkItem {
  status: number;
  error?: { type?: string; reason?: string };
}

/**
 * The errors that the document causes: a value that its field can't hold. All others have other causes,
 * whatever their status: a full shard, a closed index, a field that the mapping lacks or a limit of fields is
 * 400 as well, and would turn every document into a dead letter.
 */
const OF_THE_DOCUMENT = new Set(['document_parsing_exception', 'mapper_parsing_exception']);
/** Reported as a fault of the first document beyond the limit. */
const OF_THE_MAPPING = /Limit of (total fields|mapping depth|nested (fields|documents))/;

/**
 * The operator's remedy for refusals that don't go away by themselves. Only fixed words of the reason are
 * read.
 */
const REMEDIES: readonly [matches: (item: BulkItem) => boolean, reason: string][] = [
  [
    ({ error }) => /number of documents in the index can('t|not) exceed/i.test(error?.reason ?? ''),
    'a shard is full: replay recall into a generation with more shards (TURNSTONE_SHARDS)',
  ],
  [
    ({ error }) => /read-only-allow-delete|flood-stage/.test(error?.reason ?? ''),
    'a disk is almost full, so the index is read-only: free space or add nodes',
  ],
  [
    ({ error }) => error?.type === 'cluster_block_exception',
    'the index is blocked for writes: remove the block',
  ],
  [({ error }) => error?.type === 'index_closed_exception', 'the index is closed: open it'],
  [
    ({ error }) => error?.type === 'index_not_found_exception',
    'the index is missing: run `turnstone migrate`',
  ],
  [
    ({ error }) => error?.type === 'strict_dynamic_mapping_exception',
    'the mapping lacks a field of this release: run `turnstone replay recall`',
  ],
];

/**
 * Returns the outcome; `refused`: the document can never be stored. Throws `unavailable` if the index can't
 * take it now: the caller keeps it and tries again.
 */
export const outcomeOf = (item: BulkItem): 'stored' | 'refused' => {
  // 409: a copy of this event, or of an earlier one, is already stored.
  if (item.status < 300 || item.status === 409) return 'stored';
  const { type = 'fault', reason = '' } = item.error ?? {};
  if (item.status === 400 && OF_THE_DOCUMENT.has(type) && !OF_THE_MAPPING.test(reason)) return 'refused';
  const remedy = REMEDIES.find(([matches]) => matches(item))?.[1];
  throw unavailable(
    `Elasticsearch takes no writes now (${item.status}, ${type})${remedy === undefined ? '' : `: ${remedy}`}`,
    `${item.status}, ${type}`,
  );
};
