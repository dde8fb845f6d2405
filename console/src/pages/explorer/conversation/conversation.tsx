import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { turnIfKept, turns } from '../../../api/calls.ts';
import type { Me } from '../../../api/types.ts';
import { useLoad } from '../../../api/use-load.ts';
import { Empty, ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { may } from '../../../parts/unless.tsx';
import { makeDetailsStore } from './details.ts';
import { useKeptPlace } from './kept-place.ts';
import { makePlace } from './place.ts';
import { TimeLine } from './time-line.tsx';
import { Turns } from './turns.tsx';
import { makeSessionWindow } from './window.ts';

interface Named {
  user: string;
  session: string;
  /** The turn named by the link. */
  turn: string | undefined;
}

/** Loads the session's first and last turn, and the linked one. */
const useEnds = ({ user, session, turn }: Named) =>
  useLoad(JSON.stringify([user, session, turn]), async signal => {
    const scope = { user_id: user, session_id: session, limit: 1 };
    const [first, last, named] = await Promise.all([
      turns(scope, signal),
      turns({ ...scope, order: 'desc' }, signal),
      turn === undefined ? undefined : turnIfKept(turn, signal),
    ]);
    const [from, to] = [first.turns[0]?.timestamp, last.turns[0]?.timestamp];
    return { span: from && to ? { from, to } : undefined, named };
  });

/** Shows a conversation. `at`: the reader's position when the page was left, an RFC 3339 instant. */
export const Conversation = ({ me, at, ...link }: Named & { me: Me; at: string | undefined }) => {
  const { user, session, turn } = link;
  const ends = useEnds(link);
  const run = useMemo(
    () => makeSessionWindow({ user_id: user, session_id: session }, turns),
    [user, session],
  );
  const details = useMemo(() => makeDetailsStore(turnIfKept), []);
  const state = useSyncExternalStore(run.subscribe, run.state);
  const place = useMemo(makePlace, []);

  // Read once: from here on the address follows the reader's position.
  const [leftAt] = useState(at);
  const { span, named } = ends.value ?? {};
  const shown = named?.user_id === user && named.session_id === session ? named : undefined;
  const [hasTurns, linked, linkedAt] = [span !== undefined, shown?.id, shown?.timestamp];
  useEffect(() => {
    if (!hasTurns) return;
    void run.open(
      leftAt === undefined ? { instant: linkedAt, turn: linked } : { instant: leftAt, nearest: 'before' },
    );
    return run.close;
  }, [run, hasTurns, leftAt, linked, linkedAt]);
  useEffect(() => details.close, [details]);
  useKeptPlace(place, linkedAt ?? span?.from);

  if (ends.state === 'failed') return <ErrorNotice error={ends.error} retry={ends.reload} />;
  if (!ends.value) return <Loading what="the session" />;
  if (!span)
    return (
      <Empty title="This session has no turns">
        <p>It was erased or hidden, or its turns were ingested without being stored.</p>
      </Empty>
    );
  // Newer turns may have been loaded in the meantime.
  const to = [span.to, state.turns.at(-1)?.timestamp ?? ''].sort().at(-1)!;
  return (
    <div className="conversation">
      {turn !== undefined && !shown && (
        <p className="notice" role="status">
          {named
            ? 'The linked turn belongs to another session.'
            : 'The linked turn is not stored. This is its session.'}
        </p>
      )}
      <TimeLine
        span={{ from: span.from, to }}
        place={place}
        onScrub={(instant, nearest) => run.open({ instant, nearest })}
      />
      <Turns
        run={run}
        state={state}
        details={details}
        target={turn}
        place={place}
        mayCurate={may(me, 'memory:curate')}
        onHidden={ends.reload}
      />
    </div>
  );
};
