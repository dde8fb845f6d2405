import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { forgetAsked } from '../../api/questions.ts';
import { endSession } from '../../api/session.ts';
import type { Me } from '../../api/types.ts';
import { Palette } from '../../palette/palette.tsx';
import { Icon, Mark } from '../icons.tsx';
import { Link } from '../link.tsx';
import { ThemeToggle } from './theme.tsx';

const PAGES = [
  ['/', 'Overview'],
  ['/users', 'Users'],
  ['/ask', 'Ask'],
  ['/usage', 'Usage'],
  ['/audit', 'Audit'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'Keys'],
  ['/settings', 'Settings'],
] as const;

const skip = (): void => document.getElementById('main')?.focus();

/** Opens the search on Ctrl-K, or Cmd-K, from everywhere but another dialog. */
const useSearchKey = (open: () => void): void =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);

const isIn = (path: string, page: string): boolean =>
  path === page || (page !== '/' && path.startsWith(`${page}/`));

/** The frame around every page. */
export const Shell = ({ me, children }: { me: Me | undefined; children: ReactNode }) => {
  const [path] = useLocation();
  const [isSearching, setSearching] = useState(false);
  const openSearch = useCallback(() => setSearching(true), []);
  useSearchKey(openSearch);
  const organization = me?.org_id;
  const signOut = useCallback(() => {
    if (organization !== undefined) forgetAsked(organization);
    endSession();
  }, [organization]);
  return (
    <>
      <button type="button" className="skip" onClick={skip}>
        Skip to content
      </button>
      <header className="bar">
        <Link href="/" className="brand">
          <Mark />
          <span>Turnstone</span>
        </Link>
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(([to, name]) => (
              <li key={to}>
                <Link href={to} aria-current={isIn(path, to) ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="account">
          <button type="button" className="search" onClick={openSearch}>
            <Icon name="search" />
            <span className="words">Search</span>
            <kbd>Ctrl K</kbd>
          </button>
          {organization !== undefined && (
            <span className="organization" title="Organization">
              <span className="hidden">Organization </span>
              <bdi>{organization}</bdi>
            </span>
          )}
          <ThemeToggle />
          <button type="button" className="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {isSearching && <Palette me={me} onClose={() => setSearching(false)} signOut={signOut} />}
    </>
  );
};
