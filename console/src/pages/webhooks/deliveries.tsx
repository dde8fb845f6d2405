import { useEffect, useRef } from 'react';
import type { Webhook } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { deliveries } from '../../api/webhooks.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { dateTime, number } from '../../words/numbers.ts';
import { outcomeOf } from './words.ts';

/** Shows the last attempts of one webhook. */
export const Deliveries = ({ id, webhook }: { id: string; webhook: Webhook | undefined }) => {
  const loaded = useLoad(id, signal => deliveries(id, signal));
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another webhook's are announced like the first's
  useEffect(() => heading.current?.focus(), [id]);
  const { value, reload } = loaded;
  return (
    <section aria-labelledby="deliveries">
      <div className="heading">
        <h2 id="deliveries" ref={heading} tabIndex={-1} className="address">
          Last deliveries of <bdi>{webhook?.url ?? id}</bdi>
        </h2>
        <Refresh what="the deliveries" loading={loaded.state === 'loading'} onClick={reload} />
      </div>
      <p className="muted">
        The last hundred attempts, without words, kept for a week at most; an embedded service forgets them
        when it ends.
      </p>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === 'loading' && !value && <Loading what="the deliveries" />}
      {value?.length === 0 && <p role="status">Nothing was sent lately.</p>}
      {value && value.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
        <section className="scroll-x card" aria-label="Attempts" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">When (UTC)</th>
                <th scope="col">Event</th>
                <th scope="col">Outcome</th>
                <th scope="col">Attempt</th>
                <th scope="col">Took</th>
                <th scope="col">Message</th>
              </tr>
            </thead>
            <tbody>
              {value.map(one => (
                <tr key={`${one.webhook_id} ${one.at} ${one.attempt}`}>
                  <td>
                    <time dateTime={one.at} title={one.at}>
                      {dateTime(one.at)}
                    </time>
                  </td>
                  <td>{one.event}</td>
                  <td className={one.status === 'failed' ? 'fault' : undefined}>{outcomeOf(one)}</td>
                  <td>{one.attempt}</td>
                  <td>{number(one.duration_ms)} ms</td>
                  <td>
                    <code>{one.webhook_id}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
};
