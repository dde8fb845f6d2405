import { Link } from '../../parts/link.tsx';
import { type Section, userPath } from '../../paths.ts';
import { Stored } from './stored.tsx';

/** Shows the path to a page; the page's own name is its heading. `show`: the section that leads here. */
export const Crumbs = ({ user, show }: { user?: string; show?: Section }) => (
  <nav aria-label="Breadcrumbs">
    <ol className="crumbs">
      <li>
        <Link href="/users">Users</Link>
      </li>
      {user !== undefined && (
        <li>
          <Link href={userPath(user, show)}>
            <Stored>{user}</Stored>
          </Link>
        </li>
      )}
    </ol>
  </nav>
);
