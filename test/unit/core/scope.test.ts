import { describe, expect, it } from 'vitest';
import { boundSession, eraseScope, readScope, seesAll, writeScope } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';

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

describe('the scope of a strict key', () => {
  const bound = principal({ roles: ['*'], sessionId: 'private', strict: true });
  const own = { org: 'acme', user: 'ada', session: 'private' };
  const named = { user_id: 'ada', session_id: 'private' };
  const forbidden = expect.objectContaining({ code: 'forbidden' });

  it('is its user and its session, with * too', () => {
    for (const scope of [{}, named]) {
      expect(writeScope(bound, scope)).toEqual(own);
      expect(readScope(bound, scope)).toEqual(own);
      expect(eraseScope(bound, { form: 'query', ...scope })).toEqual(own);
    }
    expect(seesAll(bound)).toBe(false);
    expect(boundSession(bound)).toBe('private');
  });

  it('is left by no call', () => {
    for (const scope of [{ user_id: 'grace' }, { session_id: 'other' }, { ...named, session_id: 'other' }]) {
      expect(() => writeScope(bound, scope)).toThrow(forbidden);
      expect(() => readScope(bound, scope)).toThrow(forbidden);
      expect(() => eraseScope(bound, { form: 'body', ...scope })).toThrow(forbidden);
    }
  });

  it('is all sessions of its user when it has none', () => {
    const user = principal({ roles: ['*'], strict: true });
    expect(readScope(user, {})).toEqual({ org: 'acme', user: 'ada', session: undefined });
    expect(readScope(user, { session_id: 'any' }).session).toBe('any');
    expect(() => readScope(user, { user_id: 'grace' })).toThrow(forbidden);
    expect(boundSession(user)).toBeUndefined();
  });
});
