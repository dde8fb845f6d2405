import { retention } from '../../../api/calls.ts';
import type { Me } from '../../../api/types.ts';
import { useLoad } from '../../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { Link } from '../../../parts/link.tsx';
import { Unless } from '../../../parts/unless.tsx';
import { keptFor } from '../../settings/kept-for.ts';
import { Download } from './download.tsx';
import { EraseUser } from './erase.tsx';

/** How long a user's words are kept. */
const Expiry = () => {
  const loaded = useLoad('retention', retention);
  const { value } = loaded;
  return (
    <section aria-labelledby="expiry">
      <h2 id="expiry">Expiry</h2>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={loaded.reload} />}
      {loaded.state === 'loading' && !value && <Loading what="the retention" />}
      {value && (
        <p>
          A turn that was sent with an expiry of its own goes then; its details in the conversation say when.
          Everything else is kept {keptFor(value.days)} by the{' '}
          <Link href="/settings">retention of the organization</Link>.
        </p>
      )}
    </section>
  );
};

/** Shows what can be done with all that the memory has of a user. */
export const Data = ({ me, user }: { me: Me; user: string }) => (
  <>
    <Unless me={me} needs="memory:read" what="read the memory">
      <Download user={user} />
    </Unless>
    <Expiry />
    <EraseUser me={me} user={user} />
  </>
);
