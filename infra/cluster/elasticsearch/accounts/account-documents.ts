import { createHash } from 'node:crypto';
import type { AccountKind, AccountState } from '../../../../projections/accounts/accounts-projection.ts';
import type { EventMarker, FoldedEntities } from '../../../../projections/accounts/folded-entities.ts';
import { endOfDocument } from '../../../../projections/accounts/lifetimes.ts';
import type { StoredKind } from './account-index.ts';

/** Returns a digest of an id: ids have any length and any characters, the engine's ids have not. */
const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

/** Returns a document's id. It contains no organization, as in Redis; the id of an event's marker does. */
export const documentId = (kind: AccountKind, id: string): string => `${kind}.${digest(id)}`;
export const markerId = (org: string, id: string): string => `event.${digest(org, id)}`;

/** The buckets of documents by organization; each has those of every 256th organization. */
export const BUCKETS = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

export interface StoredEntity {
  kind: StoredKind;
  owner: string;
  bucket: string;
  key: string;
  org: string;
  id: string;
  document?: string;
  retention?: true;
  attempt?: string;
  end?: number;
  partition?: number;
  offset?: number;
}

/**
 * A document with its version, which rises with the event that last changed it. The engine's lowest version
 * is 1.
 */
export interface VersionedEntity {
  source: StoredEntity;
  version: number;
}

const keysOf = (org: string, key: string) => {
  const owner = digest(org);
  return { owner, bucket: owner.slice(0, 2), key, org };
};

const ofState = ({ state, offset }: FoldedEntities['states'][number]): VersionedEntity => {
  const { kind, id, org, document } = state;
  const end = endOfDocument(state);
  return {
    source: {
      kind,
      ...keysOf(org, documentId(kind, id)),
      id,
      document: JSON.stringify(document),
      ...(state.kind === 'organization' && state.document.retention && { retention: true as const }),
      ...(end === undefined ? {} : { end }),
    },
    version: offset + 1,
  };
};

const ofMarker = ({ org, id, attempt, end, partition, offset }: EventMarker): VersionedEntity => ({
  source: {
    kind: 'event',
    ...keysOf(org, markerId(org, id)),
    id,
    attempt,
    partition,
    offset,
    ...(end === undefined ? {} : { end }),
  },
  version: offset + 1,
});

/**
 * Groups the documents to write. The groups are written one after the other, so that a part of them is never
 * mistaken for all. A sign-up that finds its organization changes nothing, so its key must be there first; an
 * event that finds its marker in Redis changes nothing, so all its changes must be there first.
 */
export const groupsOf = ({ states, markers }: FoldedEntities): VersionedEntity[][] => {
  const [organizations = [], others = []] = [true, false].map(are =>
    states.filter(({ state }) => (state.kind === 'organization') === are),
  );
  return [others.map(ofState), organizations.map(ofState), markers.map(ofMarker)].filter(
    group => group.length > 0,
  );
};

export const stateOf = ({ kind, id, org, document }: StoredEntity): AccountState =>
  ({ kind, id, org, document: JSON.parse(document!) }) as AccountState;

export const markerOf = ({
  org,
  id,
  attempt = '',
  end,
  partition = 0,
  offset = 0,
}: StoredEntity): EventMarker => ({ org, id, attempt, end, partition, offset });
