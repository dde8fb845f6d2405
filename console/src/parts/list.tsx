import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { keepRead, readBefore } from '../api/read-before.ts';
import { ErrorNotice, Loading } from './frame/notices.tsx';

/**
 * Shows a paged list of links. Focuses the first new entry after loading more, and the followed link on
 * return.
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
  const continueAt = useRef(Number.POSITIVE_INFINITY);
  const count = children.length;
  useEffect(() => {
    if (count <= continueAt.current) return;
    const first = list.current?.children[continueAt.current]?.querySelector('a');
    continueAt.current = Number.POSITIVE_INFINITY;
    // The focused button is gone; don't steal the focus if it has moved since.
    if (document.activeElement === document.body) first?.focus();
  }, [count]);
  const back = useRef(readBefore());
  useEffect(() => {
    if (loading || !back.current) return;
    const { followed } = back.current;
    back.current = undefined;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    // Don't steal the focus if it has moved since the page was opened.
    if (document.activeElement?.matches('body, h1'))
      links.find(link => link.getAttribute('href') === followed)?.focus();
  }, [loading]);
  const keep = ({ target }: MouseEvent): void => {
    const followed = (target as Element).closest('a')?.getAttribute('href');
    if (followed) keepRead({ shown: count, followed });
  };
  const askForMore = (): void => {
    continueAt.current = count;
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
          Load more {what}
        </button>
      )}
    </>
  );
};
