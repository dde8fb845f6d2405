import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { turn as turnDetails, turns } from '../../api/calls.ts';
import { ApiError } from '../../api/error.ts';
import type { TurnDetails } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx';
import { makeDetailsStore } from './details.ts';
import { makePlace } from './place.ts';
import { TimeLine } from './time-line.tsx';
import { Turns } from './turns.tsx';
import { makeSessionWindow } from './window.ts';

interface Named {
  user: string;
  session: string;
  /** The turn that a link names. */
  turn: string | undefined;
}

/** A fact may name a turn that was never kept (`write_active: false`), or that is erased by now. */
const turnIfKept = (id: string, signal: AbortSignal): Promise<TurnDetails | undefined> =>
  turnDetails(id, signal).catch(error => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

/** The session's first and last turn, and the instant of the one that is to be shown. */
const useEnds = ({ user, session, turn }: Named) =>
  useLoad(JSON.stringify([user, session, turn]), async signal => {
    const scope = { user_id: user, session_id: session, limit: 1 };
    const [first, last, named] = await Promise.all([
      turns(scope, signal),
      turns({ ...scope, order: 'desc' }, signal),
      turn === undefined ? undefined : turnIfKept(turn, signal),
    ]);
    const [from, to] = [first.turns[0]?.timestamp, last.turns[0]?.timestamp];
    return { span: from && to ? { from, to } : undefined, at: named?.timestamp };
  });

export const Conversation = (named: Named) => {
  const { user, session, turn } = named;
  const ends = useEnds(named);
  const run = useMemo(
    () => makeSessionWindow({ user_id: user, session_id: session }, turns),
    [user, session],
  );
  const details = useMemo(() => makeDetailsStore(turnDetails), []);
  const state = useSyncExternalStore(run.subscribe, run.state);
  const place = useMemo(makePlace, []);

  const opensAt = ends.value?.at;
  const hasTurns = ends.value?.span !== undefined;
  useEffect(() => {
    if (hasTurns) void run.open(opensAt);
    return run.close;
  }, [run, hasTurns, opensAt]);

  if (ends.state === 'failed') return <ErrorNotice error={ends.error} retry={ends.reload} />;
  if (!ends.value) return <Loading what="the session" />;
  const { span, at } = ends.value;
  if (!span)
    return (
      <Empty title="This session has no turn">
        <p>It was erased, or its turns were written without being kept.</p>
      </Empty>
    );
  return (
    <div className="conversation">
      {turn !== undefined && at === undefined && (
        <p className="notice" role="status">
          The turn that you were led to is not kept. This is its session.
        </p>
      )}
      <TimeLine span={span} place={place} onScrub={(instant, towards) => void run.open(instant, towards)} />
      <Turns run={run} state={state} details={details} target={turn} place={place} />
    </div>
  );
};
