import { checkIngest } from '../../../../schemas/http/ingestion.ts';

interface Scope {
  user_id?: unknown;
  session_id?: unknown;
}

/**
 * Returns the service's own messages about an invalid turn or scope; empty if both are valid. Uses the
 * service's schema, so that a file is checked before anything is sent.
 */
export const turnFaults = (turn: object, scope: Scope): string[] => {
  const checked = checkIngest({ scope: { org_id: '-', ...scope }, turns: [turn] });
  if (checked.ok) return [];
  // ["body", "turns", 0, member, …] and ["body", "scope", member]
  return checked.errors.map(
    ({ loc, message }) => `${loc.slice(loc[1] === 'turns' ? 3 : 2).join('.')} ${message}`,
  );
};

const FAULTLESS = { role: 'user', text: 'x', timestamp: '2026-01-01T00:00:00Z' };

/** Like `turnFaults`, for a scope alone. */
export const scopeFaults = (scope: Scope): string[] => turnFaults(FAULTLESS, scope);
