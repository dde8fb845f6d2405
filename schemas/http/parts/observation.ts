/** Rules between the members of an observation that a client sends. */
import type { Fault } from './faults.ts';

export const NEED_ATTRIBUTE = ['subject', 'about', 'value', 'valid_from', 'ended', 'stance'] as const;

/** Faults of facts: a fact needs an attribute and, unless it ended, a value. */
export const factFaults = (body: unknown): Fault[] => {
  const { turns } = Object(body) as { turns?: unknown };
  if (!Array.isArray(turns)) return [];
  const faults: Fault[] = [];
  for (const [i, turn] of turns.entries()) {
    const { observations } = Object(turn) as { observations?: unknown };
    if (!Array.isArray(observations)) continue;
    for (const [j, observation] of observations.entries()) {
      if (typeof observation === 'string') continue;
      const loc = ['body', 'turns', i, 'observations', j] as const;
      for (const [name, message] of memberFaults(Object(observation) as Record<string, unknown>))
        faults.push({ form: false, loc: [...loc, name], type: 'incomplete', message });
    }
  }
  return faults;
};

/** By the names of the members. */
export const memberFaults = (observation: Record<string, unknown>): [name: string, message: string][] => {
  const { attribute, value, ended } = observation;
  if (attribute !== undefined) {
    if (value !== undefined || ended === true) return [];
    return [['value', 'is missing: an attribute has a value, unless it has ended']];
  }
  return NEED_ATTRIBUTE.filter(name => observation[name] !== undefined).map(name => [
    name,
    'needs an attribute',
  ]);
};
