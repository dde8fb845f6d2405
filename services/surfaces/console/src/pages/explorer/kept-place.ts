/** The reader's place in the address, so that a page that is loaded again, or come back to, is where it was. */
import { useEffect } from 'react';
import type { Place } from './place.ts';

/** Browsers refuse an address that changes with every frame. */
const RESTS_MS = 400;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The place that an address tells; undefined where it tells none. */
export const keptPlace = (search: URLSearchParams): string | undefined => {
  const at = search.get('at') ?? '';
  return INSTANT.test(at) && !Number.isNaN(Date.parse(at)) ? at : undefined;
};

const keep = (at: string | undefined): void => {
  const address = new URL(window.location.href);
  if (at === undefined) address.searchParams.delete('at');
  else address.searchParams.set('at', at);
  if (address.href !== window.location.href)
    window.history.replaceState(window.history.state, '', address.href);
};

/** `home`: where the session opens without it, which needs no telling. */
export const useKeptPlace = (place: Place, home: string | undefined): void =>
  useEffect(() => {
    let rests: ReturnType<typeof setTimeout>;
    const stop = place.subscribe(() => {
      clearTimeout(rests);
      rests = setTimeout(() => keep(place.at() === home ? undefined : place.at()), RESTS_MS);
    });
    return () => {
      stop();
      clearTimeout(rests);
    };
  }, [place, home]);
