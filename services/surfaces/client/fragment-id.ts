/** The turn or observation that an id names. */
export interface NamedFragment {
  id: string;
  what: 'turn' | 'observation';
}

const SHAPE = /^(trn|obs)_[0-9a-z]{1,64}$/;

/** Parses an id; undefined for an id of anything else. A fact has the id of its observation. */
export const namedFragment = (id: string): NamedFragment | undefined => {
  const kind = SHAPE.exec(id)?.[1];
  if (kind === undefined) return undefined;
  return { id, what: kind === 'trn' ? 'turn' : 'observation' };
};
