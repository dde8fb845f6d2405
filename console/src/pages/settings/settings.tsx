import { retention } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { may, Unless } from '../../parts/unless.tsx';
import { dateTime } from '../../words/numbers.ts';
import { keptFor } from './kept-for.ts';
import { Limits } from './limits.tsx';
import { Screening } from './screening.tsx';
import { SetRetention } from './set-retention.tsx';

/** Shows how long the organization keeps turns without an expiry of their own. */
const Retention = ({ me }: { me: Me }) => {
  const loaded = useLoad('retention', retention);
  const { value, reload } = loaded;
  return (
    <section aria-labelledby="retention">
      <h2 id="retention">Retention</h2>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === 'loading' && !value && <Loading what="the retention" />}
      {value && (
        <>
          <p>What has no expiry of its own is kept {keptFor(value.days)}, from when it was recorded.</p>
          <p role="status">
            {value.next && (
              <span>
                From {dateTime(value.next.in_force_at)} UTC on, it is kept {keptFor(value.next.days)}. Until
                then you can set another.
              </span>
            )}
          </p>
          {may(me, '*') && <SetRetention value={value} onSet={reload} />}
        </>
      )}
      <Unless me={me} needs="*" what="set the retention">
        {null}
      </Unless>
    </section>
  );
};

export const Settings = ({ me }: { me: Me }) => (
  <Page title="Settings" lead={<p>Of the organization {me.org_id}.</p>}>
    <Retention me={me} />
    <Screening me={me} />
    <Limits me={me} />
  </Page>
);
