import { Redirect } from 'wouter';
import { turnIfKept } from '../../../api/calls.ts';
import { useLoad } from '../../../api/use-load.ts';
import { Empty, ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { turnPath } from '../../../paths.ts';

/** Redirects to the conversation of a turn that is named without its session. */
export const LinkedTurn = ({ user, turn }: { user: string; turn: string }) => {
  const loaded = useLoad(turn, async signal => (await turnIfKept(turn, signal)) ?? 'not kept');
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Loading what="the turn" />;
  if (loaded.value === 'not kept')
    return (
      <Empty title="This turn is not stored">
        <p>It was erased or hidden, or only what was found in it was kept.</p>
      </Empty>
    );
  return <Redirect to={turnPath(user, loaded.value.session_id, turn)} replace />;
};
