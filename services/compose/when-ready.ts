import { unavailable } from '../../core/errors.ts';

type Calls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * Guards calls: until the service has caught up with its log, each call throws `unavailable` with a
 * `Retry-After` of two seconds. This is the only readiness guard; nothing below it checks again.
 */
export const makeWhenReady =
  (isCaughtUp: () => boolean) =>
  <T extends { [Name in keyof T]: Calls[string] }>(calls: T): T => {
    const guarded = ([name, call]: [string, Calls[string]]): [string, Calls[string]] => [
      name,
      (...args) =>
        isCaughtUp()
          ? call(...args)
          : Promise.reject(
              unavailable('The service is building its projections from the log.', undefined, 2),
            ),
    ];
    return Object.fromEntries(Object.entries<Calls[string]>(calls).map(guarded)) as T;
  };
