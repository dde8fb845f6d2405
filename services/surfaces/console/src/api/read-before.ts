/** How far a list was read, kept in the entry of the browser's history: who comes back to it goes on where they left. */
export interface ReadBefore {
  /** Entries that were there. */
  shown: number;
  /** The link that was followed, as it stands in the document. */
  followed: string;
}

export const readBefore = (): ReadBefore | undefined => {
  const { shown, followed } = (window.history.state as { read?: Partial<ReadBefore> } | null)?.read ?? {};
  return typeof shown === 'number' && typeof followed === 'string' ? { shown, followed } : undefined;
};

export const keepRead = (read: ReadBefore): void =>
  window.history.replaceState({ ...window.history.state, read }, '');
