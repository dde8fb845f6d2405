import type { RecallBody } from '../../../../../schemas/http/recall.ts';
import { LABELS } from '../../../words/labels.ts';
import { filtersOf } from '../state.ts';

/** Lists the filters that may have excluded all hits, with a way to drop them. */
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
      <h3 id="filters">Filters were applied</h3>
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
        Ask without filters
      </button>
    </section>
  );
};
