/** Events of the deletion of an organization, on the topic `accounts`. */

/** An owner or an operator asked for it. */
export type OrgDeletionAsked = Record<never, never>;

/** Names the event `org.deletion_asked` that it is about: of others it changes nothing. */
interface AboutAsked {
  asked: string;
}

/** The request was taken back. */
export type OrgDeletionWithdrawn = AboutAsked;
/** The request was confirmed: nobody gets in from here on, and what is stored is erased. Recorded once. */
export type OrgDeleted = AboutAsked;
/** Everything that was stored is erased. Recorded once. */
export type OrgEmptied = AboutAsked;

interface About {
  /** `org.deletion_asked`: derived from random digits; the others: from the event that they are about. */
  id: string;
  org_id: string;
  recorded_at: string;
}

/** As the fold of accounts reads them. */
export type DeletionEvent = About &
  (
    | { type: 'org.deletion_asked'; data: OrgDeletionAsked }
    | { type: 'org.deletion_withdrawn'; data: OrgDeletionWithdrawn }
    | { type: 'org.deleted'; data: OrgDeleted }
    | { type: 'org.emptied'; data: OrgEmptied }
  );

const aboutAsked = {
  type: 'object',
  required: ['asked'],
  properties: { asked: { type: 'string', minLength: 1 } },
} as const;

export const deletionEventSchemas = {
  'org.deletion_asked': { type: 'object', required: [], properties: {} },
  'org.deletion_withdrawn': aboutAsked,
  'org.deleted': aboutAsked,
  'org.emptied': aboutAsked,
};
