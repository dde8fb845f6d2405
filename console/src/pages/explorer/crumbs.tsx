import { Link } from '../../parts/link.tsx';
import { Stored } from './stored.tsx';

const inExplorer = (names: Record<string, string>): string => `/explorer?${new URLSearchParams(names)}`;

export const userPath = (user: string): string => inExplorer({ user });
export const sessionPath = (user: string, session: string): string => inExplorer({ user, session });
export const turnPath = (user: string, session: string, turn: string): string =>
  inExplorer({ user, session, turn });

/** Returns the path of a turn without its session, which a fact doesn't name. */
export const turnOfPath = (user: string, turn: string): string => inExplorer({ user, turn });

/** Shows the path to a page; the page's own name is its heading. */
export const Crumbs = ({ user }: { user?: string }) => (
  <nav aria-label="Breadcrumbs">
    <ol className="crumbs">
      <li>
        <Link href="/explorer">Users</Link>
      </li>
      {user !== undefined && (
        <li>
          <Link href={userPath(user)}>
            <Stored>{user}</Stored>
          </Link>
        </li>
      )}
    </ol>
  </nav>
);
