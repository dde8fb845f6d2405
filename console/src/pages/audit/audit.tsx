import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { type AuditFilters, audit } from '../../api/audit.ts';
import type { Me } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Filter } from '../../parts/filter.tsx';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Unless } from '../../parts/unless.tsx';
import { pathOf } from '../../paths.ts';
import { ACTIONS } from './actions.ts';
import { Entry } from './entry.tsx';
import './audit.css';

const DAY = /^\d{4}-\d\d-\d\d$/;

const filtersIn = (search: URLSearchParams): AuditFilters => {
  const day = (name: string): string => {
    const given = search.get(name) ?? '';
    return DAY.test(given) && !Number.isNaN(Date.parse(given)) ? given : '';
  };
  return {
    action: search.get('action') ?? '',
    actor: search.get('actor') ?? '',
    since: day('since'),
    until: day('until'),
  };
};

const Filters = ({
  filters,
  set,
}: {
  filters: AuditFilters;
  set: (change: Partial<AuditFilters>) => void;
}) => (
  <form className="audit-filters" aria-label="Filters" onSubmit={event => event.preventDefault()}>
    <div className="field">
      <label htmlFor="audit-action">Action</label>
      <select
        id="audit-action"
        value={filters.action}
        onChange={event => set({ action: event.target.value })}
      >
        <option value="">all</option>
        {Object.entries(ACTIONS).map(([action, words]) => (
          <option key={action} value={action}>
            {words}
          </option>
        ))}
      </select>
    </div>
    <div className="field">
      <span className="label" aria-hidden="true">
        Who
      </span>
      <Filter label="Id of a key or a user" value={filters.actor} onChange={actor => set({ actor })} />
    </div>
    {(['since', 'until'] as const).map(name => (
      <div key={name} className="field">
        <label htmlFor={`audit-${name}`}>
          {name === 'since' ? 'From' : 'To'} <span className="muted">UTC</span>
        </label>
        <input
          id={`audit-${name}`}
          type="date"
          value={filters[name]}
          onChange={event => set({ [name]: event.target.value })}
        />
      </div>
    ))}
  </form>
);

const Log = () => {
  const [, go] = useLocation();
  const filters = filtersIn(new URLSearchParams(useSearch()));
  const { items, more, loading, error, next, reload } = usePages(
    JSON.stringify(filters),
    async (cursor, signal) => {
      const page = await audit(filters, cursor, signal);
      return { items: page.entries, cursor: page.next_cursor };
    },
  );
  const set = (change: Partial<AuditFilters>): void =>
    go(pathOf('/audit', { ...filters, ...change }), { replace: true });
  return (
    <>
      <Filters filters={filters} set={set} />
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
        <section className="scroll-x card" aria-label="Entries" tabIndex={0}>
          <table className="audit">
            <thead>
              <tr>
                <th scope="col">When (UTC)</th>
                <th scope="col">Who</th>
                <th scope="col">What</th>
                <th scope="col">To</th>
              </tr>
            </thead>
            <tbody>
              {items.map(entry => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {error !== undefined && <ErrorNotice error={error} retry={items.length > 0 ? next : reload} />}
      {loading && <Loading what="entries" />}
      {!loading && error === undefined && items.length === 0 && <p role="status">No entries.</p>}
      {more && !loading && error === undefined && (
        <button type="button" onClick={next}>
          Load more entries
        </button>
      )}
    </>
  );
};

/** The audit log: what was done with the organization, by whom, and what was refused. */
export const Audit = ({ me }: { me: Me }) => (
  <Page
    title="Audit log"
    className="wide"
    lead={
      <p>
        What was done with the organization, and what was refused. Entries hold ids and no words, and are kept
        for 400 days. Reads are one entry a key and hour.
      </p>
    }
  >
    <Unless me={me} needs="audit:read" what="read the audit log">
      <Log />
    </Unless>
  </Page>
);
