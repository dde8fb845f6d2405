/** The pages, each a file of its own: the first one is there sooner. */
import { type ComponentType, lazy } from 'react';
import type { Me } from '../api/types.ts';
import { NotLoaded } from '../parts/boundary.tsx';

type PageOf = ComponentType<{ me: Me }>;

const FILES = {
  Overview: async (): Promise<PageOf> => (await import('./overview/overview.tsx')).Overview,
  Explorer: async (): Promise<PageOf> => (await import('./explorer/explorer.tsx')).Explorer,
  Ask: async (): Promise<PageOf> => (await import('./ask/ask.tsx')).Ask,
  Keys: async (): Promise<PageOf> => (await import('./keys/keys.tsx')).Keys,
};

const page = (load: () => Promise<PageOf>) =>
  lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new NotLoaded('a file of the page could not be loaded', { cause });
    }
  });

/** To be made anew for every try: React never asks again for what it could not load once. */
export const makePages = () => ({
  Overview: page(FILES.Overview),
  Explorer: page(FILES.Explorer),
  Ask: page(FILES.Ask),
  Keys: page(FILES.Keys),
});

/** Fetches the pages that nobody has looked at yet: later the service may be gone, or be another version. */
export const fetchPages = (): void => {
  // What fails now is tried again, and told, when somebody goes there.
  for (const load of Object.values(FILES)) load().catch(() => undefined);
};
