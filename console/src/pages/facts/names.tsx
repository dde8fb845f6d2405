import type { EntityItem } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { subjectPath } from '../../paths.ts';
import { counted } from '../../words/numbers.ts';
import { Stored } from '../explorer/stored.tsx';

/** Shows the other names by which turns call a person. */
export const OtherNames = ({ aliases }: Pick<EntityItem, 'aliases'>) =>
  aliases.length > 0 && (
    <span className="muted">
      {', also '}
      <Stored>{aliases.map(({ label }) => label).join(', ')}</Stored>
    </span>
  );

/** Shows names as links to their pages. */
export const Names = ({
  title,
  user,
  entities,
}: {
  title: string;
  user: string;
  entities: readonly EntityItem[];
}) =>
  entities.length > 0 && (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="name-links">
        {entities.map(({ id, label, kind, turns, aliases }) => (
          <li key={id}>
            <Link href={subjectPath(user, label)}>
              <Stored>{label}</Stored>
            </Link>{' '}
            <span className="muted">
              {kind}, {counted(turns, 'turn')}
            </span>
            <OtherNames aliases={aliases} />
          </li>
        ))}
      </ul>
    </section>
  );
