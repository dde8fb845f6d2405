/** The pages, each in its own file, so that the first one loads sooner. */
import { type ComponentType, lazy } from 'react';
import type { Me } from '../api/types.ts';
import { NotLoaded } from '../parts/frame/boundary.tsx';

type PageOf = ComponentType<{ me: Me }>;

const FILES = {
  Overview: async (): Promise<PageOf> => (await import('./overview/overview.tsx')).Overview,
  UsersPage: async (): Promise<PageOf> => (await import('./users/users-page.tsx')).UsersPage,
  Compare: async (): Promise<PageOf> => (await import('./ask/compare/compare.tsx')).Compare,
  Audit: async (): Promise<PageOf> => (await import('./audit/audit.tsx')).Audit,
  Ask: async (): Promise<PageOf> => (await import('./ask/ask.tsx')).Ask,
  Usage: async (): Promise<PageOf> => (await import('./usage/usage.tsx')).Usage,
  Webhooks: async (): Promise<PageOf> => (await import('./webhooks/webhooks.tsx')).Webhooks,
  Keys: async (): Promise<PageOf> => (await import('./keys/keys.tsx')).Keys,
  Settings: async (): Promise<PageOf> => (await import('./settings/settings.tsx')).Settings,
};

const page = (load: () => Promise<PageOf>) =>
  lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new NotLoaded('a file of the page could not be loaded', { cause });
    }
  });

/** Makes the lazy pages. Must be called again for every retry: React never retries a failed component. */
export const makePages = () => ({
  Overview: page(FILES.Overview),
  Ask: page(FILES.Ask),
  UsersPage: page(FILES.UsersPage),
  Compare: page(FILES.Compare),
  Audit: page(FILES.Audit),
  Usage: page(FILES.Usage),
  Webhooks: page(FILES.Webhooks),
  Keys: page(FILES.Keys),
  Settings: page(FILES.Settings),
});

/** Prefetches the other pages, because later the service may be down or upgraded. */
export const fetchPages = (): void => {
  // A failure is retried, and reported, when the page is opened.
  for (const load of Object.values(FILES)) load().catch(() => undefined);
};
