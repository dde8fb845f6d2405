import type { Engines, ReadModels } from '../../../../core/ports/engines.ts';
import type { Scope, StoredEntity, StoredFragment } from '../../../../core/ports.ts';
import type { ReceiptHit } from '../../../../schemas/events/receipt.ts';
import { tailEntries } from '../../lists/tail.ts';

export interface ReceiptWordsPorts
  extends Pick<Engines, 'admission'>,
    Pick<ReadModels, 'details' | 'listing'> {}

export type ReceiptFragment = Omit<StoredFragment, 'key' | 'isWaiting'>;

/** The hits of a receipt as they are today, by id: what is missing was erased or hidden. */
export interface ReceiptWords {
  fragments: ReadonlyMap<string, ReceiptFragment>;
  entities: ReadonlyMap<string, StoredEntity>;
}

const idsOf = (hits: readonly ReceiptHit[], kind: ReceiptHit['kind']): string[] => [
  ...new Set(hits.flatMap(hit => (hit.kind === kind && hit.id !== undefined ? [hit.id] : []))),
];

/** Reads the tail before the index: what is acknowledged is in at least one of the two. */
export const readWords = async (
  { admission, details, listing }: ReceiptWordsPorts,
  scope: Pick<Scope, 'org' | 'user'>,
  hits: readonly ReceiptHit[],
): Promise<ReceiptWords> => {
  const tail = await admission.tail(scope);
  const waiting = (['turn', 'observation'] as const).flatMap(kind => tailEntries(tail, { kind }));
  const naming = [...new Set(hits.flatMap(({ turns = [] }) => turns))];
  const [turns, observations, entities] = await Promise.all([
    details.turnsOf(scope, idsOf(hits, 'turn')),
    Promise.all(idsOf(hits, 'observation').map(id => listing.observation(scope, id))),
    naming.length === 0 ? [] : details.entitiesOf(scope, naming),
  ]);
  const fragments = new Map<string, ReceiptFragment>(
    [
      ...waiting.map(({ fragment }) => fragment),
      ...turns,
      ...observations.filter(found => found !== undefined),
    ]
      .filter(({ user }) => (scope.user ?? user) === user)
      .map(fragment => [fragment.id, fragment]),
  );
  return { fragments, entities: new Map(entities.map(entity => [entity.id, entity])) };
};
