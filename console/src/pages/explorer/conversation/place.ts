/** The reader's place in a session. It changes with every frame of a scroll, so components subscribe. */
export interface Place {
  /** Returns the instant (RFC 3339) of the first turn on the screen; undefined until there is one. */
  at(): string | undefined;
  move(instant: string): void;
  subscribe(listener: () => void): () => void;
}

export const makePlace = (): Place => {
  const listeners = new Set<() => void>();
  let current: string | undefined;
  return {
    at: () => current,
    move: instant => {
      current = instant;
      for (const listener of listeners) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
