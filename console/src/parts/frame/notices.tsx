import type { ReactNode } from 'react';
import { errorInWords } from '../../words/errors.ts';
import { Icon } from '../icons.tsx';

/** Describes a failed call; announced at once. */
export const ErrorNotice = ({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) => {
  const told = errorInWords(error, Date.now());
  return (
    <div className="notice error" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{told.title}</strong>
        {told.lines.map(line => (
          <p key={line}>{line}</p>
        ))}
        {retry && told.retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
};

/** Shows a loading indicator, announced politely. */
export const Loading = ({ what }: { what: string }) => (
  <p className="loading" role="status">
    <span className="pulse" aria-hidden="true" />
    Loading {what} …
  </p>
);

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
