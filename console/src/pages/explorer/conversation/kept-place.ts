/** Keeps the reader's place in the address, to restore it after a reload or after going back. */
import { useEffect } from 'react';
import type { Place } from './place.ts';

/** Milliseconds without movement before the address changes: browsers throttle changes in every frame. */
const RESTS_MS = 400;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the place in an address; undefined without one. */
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

/** `home`: the place where the session opens by default, which is not put in the address. */
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
