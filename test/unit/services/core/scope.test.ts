import { describe, expect, it } from 'vitest';
import { readScope, writeScope } from '../../../../services/core/scope.ts';
import type { Principal } from '../../../../services/core/use-cases.ts';

const principal = (changes: Partial<Principal> = {}): Principal => ({
  orgId: 'acme',
  userId: 'ada',
  roles: ['memory:read', 'memory:write'],
  keyId: 'k',
  ...changes,
});
const all = principal({ roles: ['*'] });
const named = { org_id: 'other', user_id: 'grace', session_id: 's' } as { user_id: string };

describe('scope', () => {
  it("takes the organization from the token, whatever the body's is", () => {
    expect(writeScope(all, named)).toEqual({ org: 'acme', user: 'grace', session: 's' });
    expect(readScope(all, named)).toEqual({ org: 'acme', user: 'grace', session: 's' });
  });

  it('writes to the own user and a session of the token or the default one', () => {
    expect(writeScope(all, {})).toEqual({ org: 'acme', user: 'ada', session: 'default-session' });
    const bound = principal({ sessionId: 'bound' });
    expect(writeScope(bound, {})).toEqual({ org: 'acme', user: 'ada', session: 'bound' });
    expect(writeScope(bound, { session_id: 'named' })).toEqual({
      org: 'acme',
      user: 'ada',
      session: 'named',
    });
  });

  it('reads all that the principal may see', () => {
    expect(readScope(all, {})).toEqual({ org: 'acme', user: undefined, session: undefined });
    expect(readScope(principal(), {})).toEqual({ org: 'acme', user: 'ada', session: undefined });
    expect(readScope(principal({ sessionId: 'bound' }), {})).toEqual({
      org: 'acme',
      user: 'ada',
      session: 'bound',
    });
  });

  it('lets nobody without * name another user', () => {
    for (const scope of [readScope, writeScope]) {
      expect(() => scope(principal(), { user_id: 'grace' })).toThrow(
        expect.objectContaining({ code: 'forbidden' }),
      );
      expect(scope(principal(), { user_id: 'ada' }).user).toBe('ada');
    }
  });
});
