import type { DeletionEvent } from '../../schemas/events/deletion.ts';

/** Changes whose events are recognised when a part of the log is folded once more. */
export const MOST_CHANGES = 20;

/** The requests to delete an organization that is still there. */
export interface Deletion {
  /** Absent: it was taken back. `id`: that of the event; `at`: RFC 3339, UTC, milliseconds. */
  asked?: { id: string; at: string };
  /** The ids of the last events that asked, in the log's order. */
  changes: readonly string[];
}

/** The members of an organization's document that a deletion reads. */
interface Deletable {
  org_id: string;
  created_at: string;
  pruned_at?: string;
  erasing?: string;
  deletion?: Deletion;
}

/** Returns the document of an organization of which nothing but its id is left. `at`: since when. */
export const removedDocument = ({ org_id, created_at }: Deletable, at: string) => ({
  ...{ org_id, name: null, email: null, created_at, limits: null },
  ...{ began: { turns: [], observations: [], usage: [] }, pruned_at: at },
});

/**
 * Returns the document after an event; undefined where it changes nothing. Of a confirmation and a withdrawal
 * of what was asked, the first in the log counts.
 */
export const foldDeletion = <D extends Deletable>(
  found: D | undefined,
  event: DeletionEvent,
): D | (ReturnType<typeof removedDocument> & { erasing?: string }) | undefined => {
  if (!found) return undefined;
  const { recorded_at: at } = event;
  if (event.type === 'org.emptied')
    return found.erasing === event.data.asked ? removedDocument(found, at) : undefined;
  if (found.pruned_at !== undefined) return undefined;
  const { asked, changes } = found.deletion ?? { asked: undefined, changes: [] };
  if (event.type === 'org.deletion_asked') {
    if (changes.includes(event.id)) return undefined;
    const kept = [...changes, event.id].slice(-MOST_CHANGES);
    return { ...found, deletion: { asked: { id: event.id, at }, changes: kept } };
  }
  if (asked?.id !== event.data.asked) return undefined;
  if (event.type === 'org.deletion_withdrawn') return { ...found, deletion: { changes } };
  return { ...removedDocument(found, at), erasing: asked.id };
};
