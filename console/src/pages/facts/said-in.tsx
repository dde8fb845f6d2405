import { turnIfKept } from '../../api/calls.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Link } from '../../parts/link.tsx';
import { turnPath } from '../../paths.ts';
import { dateTime } from '../../words/numbers.ts';
import { Stored } from '../explorer/stored.tsx';

/** Maximum turns that are loaded, one call each. */
const MOST_TURNS = 12;

/** Shows the turns that the facts come from, in chronological order. */
export const SaidIn = ({ user, ids }: { user: string; ids: readonly string[] }) => {
  const distinct = [...new Set(ids)];
  const shown = distinct.slice(0, MOST_TURNS);
  const loaded = useLoad(JSON.stringify([user, shown]), async signal => {
    const turns = await Promise.all(shown.map(id => turnIfKept(id, signal)));
    return turns
      .filter(turn => turn !== undefined)
      .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  });
  if (distinct.length === 0) return null;
  return (
    <section aria-label="Said in">
      <h2>Said in</h2>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={loaded.reload} />}
      {loaded.state === 'loading' && <Loading what="the turns" />}
      <ol className="said-in">
        {loaded.value?.map(turn => (
          <li key={turn.id} className="card">
            <p className="said" dir="auto">
              {turn.text}
            </p>
            <p className="muted">
              <Stored>{turn.role}</Stored> on {dateTime(turn.timestamp)} ·{' '}
              <Link href={turnPath(turn.user_id, turn.session_id, turn.id)}>Open conversation</Link>
            </p>
          </li>
        ))}
      </ol>
      {distinct.length > MOST_TURNS && (
        <p className="muted">
          {MOST_TURNS} of {distinct.length} turns are shown.
        </p>
      )}
    </section>
  );
};
