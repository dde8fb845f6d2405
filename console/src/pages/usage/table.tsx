import type { ReactNode } from 'react';
import type { UsageShare, UsageSplit } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { sessionPath, userPath } from '../../paths.ts';
import { number } from '../../words/numbers.ts';
import { Stored } from '../explorer/stored.tsx';
import { restsOf, type Sort, sortedShares, totalOf } from './rows.ts';

const COLUMNS = [
  ['in', 'Tokens in'],
  ['out', 'Tokens out'],
  ['total', 'Together'],
] as const;

const keyOf = ({ user_id, session_id, key_id }: UsageShare): string =>
  JSON.stringify([user_id, session_id, key_id]);

/** `keyNames`: names of keys by their ids. */
const Name = ({ share, keyNames }: { share: UsageShare; keyNames: ReadonlyMap<string, string> }) => {
  const { user_id, session_id, key_id } = share;
  if (user_id === undefined) {
    if (key_id === undefined || key_id === null) return 'Imported';
    const name = keyNames.get(key_id);
    return (
      <>
        {name !== undefined && (
          <>
            <bdi>{name}</bdi>{' '}
          </>
        )}
        <code>{key_id}</code>
      </>
    );
  }
  const user = (
    <Link href={userPath(user_id)}>
      <Stored>{user_id}</Stored>
    </Link>
  );
  if (session_id === undefined) return user;
  return (
    <>
      {user}
      {' / '}
      {session_id === null ? (
        <span className="muted">recalls</span>
      ) : (
        <Link href={sessionPath(user_id, session_id)}>
          <Stored>{session_id}</Stored>
        </Link>
      )}
    </>
  );
};

const Row = ({ name, tokens }: { name: ReactNode; tokens: { tokens_in: number; tokens_out: number } }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{number(tokens.tokens_in)}</td>
    <td>{number(tokens.tokens_out)}</td>
    <td>{number(totalOf(tokens))}</td>
  </tr>
);

/** Shows the shares, then what belongs to none of them, and their sum. */
export const SplitTable = ({
  split,
  sum,
  sort,
  onSort,
  keyNames,
}: {
  split: UsageSplit;
  sum: { tokens_in: number; tokens_out: number };
  sort: Sort;
  onSort: (sort: Sort) => void;
  keyNames: ReadonlyMap<string, string>;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
  <section className="scroll-x card" aria-label={`Tokens by ${split.by}`} tabIndex={0}>
    <table className="numbers split">
      <thead>
        <tr>
          <th scope="col">
            {split.by === 'session' ? 'User / session' : split.by === 'key' ? 'Key' : 'User'}
          </th>
          {COLUMNS.map(([column, name]) => (
            <th key={column} scope="col" aria-sort={sort === column ? 'descending' : undefined}>
              <button type="button" className="quiet small" onClick={() => onSort(column)}>
                {name}
                <span aria-hidden="true">{sort === column ? ' ↓' : ''}</span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sortedShares(split.shares, sort).map(share => (
          <Row key={keyOf(share)} name={<Name share={share} keyNames={keyNames} />} tokens={share} />
        ))}
        {restsOf(split).map(rest => (
          <Row key={rest.name} name={<span className="muted">{rest.name}</span>} tokens={rest} />
        ))}
      </tbody>
      <tfoot>
        <Row name="Total" tokens={sum} />
      </tfoot>
    </table>
  </section>
);
