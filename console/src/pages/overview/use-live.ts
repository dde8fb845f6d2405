import { useEffect, useState } from 'react';
import { follow, type Written } from '../../api/events.ts';

/** Events that are kept. */
const MOST = 12;
const RETRY_MS = 5_000;

export type Liveness = 'connecting' | 'live' | 'off';

/** Follows what is written while the page is open and in sight. */
export const useLive = (): { events: readonly Written[]; liveness: Liveness } => {
  const [events, setEvents] = useState<readonly Written[]>([]);
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  useEffect(() => {
    let after = 'now';
    let gone = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      gone.abort();
      clearTimeout(retry);
    };
    const start = (): void => {
      stop();
      gone = new AbortController();
      const { signal } = gone;
      const again = (next: Liveness): void => {
        if (signal.aborted) return;
        setLiveness(next);
        retry = setTimeout(start, RETRY_MS);
      };
      follow(
        after,
        {
          onOpen: () => setLiveness('live'),
          onEvent: event =>
            setEvents(before => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, MOST)),
          onPosition: id => {
            after = id;
          },
        },
        signal,
      ).then(
        () => again('connecting'),
        () => again('off'),
      );
    };
    const onSight = (): void => {
      if (document.hidden) stop();
      else start();
    };
    onSight();
    document.addEventListener('visibilitychange', onSight);
    return () => {
      document.removeEventListener('visibilitychange', onSight);
      stop();
    };
  }, []);
  return { events, liveness };
};
