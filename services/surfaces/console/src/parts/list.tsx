import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { keepRead, readBefore } from '../api/read-before.ts';
import { ErrorNotice, Loading } from './notices.tsx';

/**
 * A list of links that comes page by page. Whoever asks for more goes on from the first that has come, and whoever comes
 * back from the link that was followed.
 */
export const PagedList = ({
  what,
  label,
  loading,
  more,
  error,
  next,
  children,
}: {
  what: string;
  label: string;
  loading: boolean;
  more: boolean;
  error: unknown;
  next: () => void;
  children: ReactNode[];
}) => {
  const list = useRef<HTMLUListElement>(null);
  const goOnFrom = useRef(Number.POSITIVE_INFINITY);
  const count = children.length;
  useEffect(() => {
    if (count <= goOnFrom.current) return;
    const first = list.current?.children[goOnFrom.current]?.querySelector('a');
    goOnFrom.current = Number.POSITIVE_INFINITY;
    // The button is gone, and the focus with it, unless somebody has moved it on.
    if (document.activeElement === document.body) first?.focus();
  }, [count]);
  const back = useRef(readBefore());
  useEffect(() => {
    if (loading || !back.current) return;
    const { followed } = back.current;
    back.current = undefined;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    // Unless somebody has moved the focus on from where a page begins.
    if (document.activeElement?.matches('body, h1'))
      links.find(link => link.getAttribute('href') === followed)?.focus();
  }, [loading]);
  const keep = ({ target }: MouseEvent): void => {
    const followed = (target as Element).closest('a')?.getAttribute('href');
    if (followed) keepRead({ shown: count, followed });
  };
  const askForMore = (): void => {
    goOnFrom.current = count;
    next();
  };
  return (
    <>
      <ul ref={list} className="entries" aria-label={label} onClickCapture={keep}>
        {children}
      </ul>
      {error !== undefined && <ErrorNotice error={error} retry={askForMore} />}
      {loading && <Loading what={what} />}
      {more && !loading && error === undefined && (
        <button type="button" onClick={askForMore}>
          More {what}
        </button>
      )}
    </>
  );
};
