/** What one id names: a turn, or what was observed in one. */
export interface NamedFragment {
  id: string;
  what: 'turn' | 'observation';
  /** The resource of the service. */
  path: string;
}

const SHAPE = /^(trn|obs)_[0-9a-z]{1,64}$/;

/** Undefined for an id of anything else. A fact has the id of its observation. */
export const namedFragment = (id: string): NamedFragment | undefined => {
  const kind = SHAPE.exec(id)?.[1];
  if (kind === undefined) return undefined;
  return kind === 'trn'
    ? { id, what: 'turn', path: `/memory/turns/${id}` }
    : { id, what: 'observation', path: `/memory/observations/${id}` };
};
