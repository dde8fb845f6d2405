import type { RecallBody } from '../../../../../../schemas/http/requests.ts';
import { LABELS } from '../../words/labels.ts';
import { filtersOf } from './state.ts';

/** What may have kept the hits away, and the way around it. */
export const NoHits = ({
  body,
  onAskWithoutFilters,
}: {
  body: RecallBody;
  onAskWithoutFilters: () => void;
}) => {
  const filters = filtersOf(body);
  if (filters.length === 0) return null;
  return (
    <section className="card no-hits" aria-labelledby="filters">
      <h3 id="filters">Only a part was searched</h3>
      <dl className="figures">
        {filters.map(([member, value]) => (
          <div key={member}>
            <dt>{LABELS[member]}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onAskWithoutFilters}>
        Ask without them
      </button>
    </section>
  );
};
