/**
 * How far a list was read, stored in the browser's history entry, so that the reader continues there after
 * going back.
 */
export interface ReadBefore {
  /** Number of entries loaded. */
  shown: number;
  /** The followed link, as in the document. */
  followed: string;
}

export const readBefore = (): ReadBefore | undefined => {
  const { shown, followed } = (window.history.state as { read?: Partial<ReadBefore> } | null)?.read ?? {};
  return typeof shown === 'number' && typeof followed === 'string' ? { shown, followed } : undefined;
};

export const keepRead = (read: ReadBefore): void =>
  window.history.replaceState({ ...window.history.state, read }, '');
