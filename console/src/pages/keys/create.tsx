import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Role } from '../../../../schemas/http/parts/roles.ts';
import { createApiKey } from '../../api/calls.ts';
import type { Me, NewApiKey } from '../../api/types.ts';
import { ErrorNotice } from '../../parts/frame/notices.tsx';

const ROLES: Record<Role, string> = {
  '*': 'everything, for every user',
  'memory:write': 'store',
  'memory:read': 'recall and list',
  'memory:curate': 'correct, name and hide',
  'memory:erase': 'erase for good',
  'usage:read': 'see usage',
  'keys:manage': 'create and revoke keys',
  'audit:read': 'read the audit log',
};
const NAMES = Object.keys(ROLES) as Role[];

/**
 * Shows the form for a new key. A key can't grant a role that it does not have, and only `*` creates keys for
 * other users.
 */
export const CreateKey = ({
  me,
  focused,
  onCreated,
}: {
  me: Me;
  /** Whether it replaces an element that had the focus. */
  focused: boolean;
  onCreated: (key: NewApiKey) => void;
}) => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>(['memory:write', 'memory:read']);
  const [user, setUser] = useState('');
  const [strict, setStrict] = useState(false);
  const [lastDay, setLastDay] = useState('');
  const [addresses, setAddresses] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const [error, setError] = useState<unknown>();
  const hasAll = me.roles.includes('*');
  const offered = hasAll ? NAMES : NAMES.filter(role => me.roles.includes(role));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const chosen = roles.filter(role => offered.includes(role));
    setError(undefined);
    if (name.trim() === '') {
      setFault('A key needs a name.');
      field.current?.focus();
      return;
    }
    if (chosen.length === 0) return setFault('A key needs a role.');
    setFault('');
    setBusy(true);
    try {
      onCreated(
        await createApiKey({
          name: name.trim(),
          roles: chosen,
          // Ids are not trimmed.
          ...(user === '' ? {} : { user_id: user }),
          ...(strict ? { strict } : {}),
          ...(lastDay === '' ? {} : { expires_at: `${lastDay}T23:59:59Z` }),
          ...(addresses.trim() === '' ? {} : { addresses: addresses.trim().split(/[\s,]+/) }),
        }),
      );
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };

  return (
    <form className="card create" onSubmit={submit} noValidate aria-labelledby="create-key">
      <h2 id="create-key">Create a key</h2>
      <div className="fields">
        <div className="field">
          <label htmlFor="key-name">
            Name <span className="muted">what it is for</span>
          </label>
          <input
            ref={field}
            id="key-name"
            type="text"
            autoComplete="off"
            maxLength={128}
            value={name}
            onChange={event => setName(event.target.value)}
            aria-invalid={fault !== '' && name.trim() === ''}
            aria-describedby="key-fault"
          />
        </div>
        {hasAll && <UserField self={me.user_id} value={user} onChange={setUser} />}
      </div>
      <Roles offered={offered} chosen={roles} onChange={setRoles} />
      <fieldset>
        <legend>Reach</legend>
        <label>
          <input type="checkbox" checked={strict} onChange={({ target }) => setStrict(target.checked)} />
          Strict <span className="muted">never leaves its user, whatever its roles</span>
        </label>
      </fieldset>
      <div className="fields">
        <div className="field">
          <label htmlFor="key-last-day">
            Last day <span className="muted">UTC; empty: it does not expire</span>
          </label>
          <input
            id="key-last-day"
            type="date"
            value={lastDay}
            onChange={event => setLastDay(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="key-addresses">
            Addresses <span className="muted">such as 192.0.2.0/24; empty: from anywhere</span>
          </label>
          <input
            id="key-addresses"
            type="text"
            autoComplete="off"
            value={addresses}
            onChange={event => setAddresses(event.target.value)}
          />
        </div>
      </div>
      <p className="fault" id="key-fault" role="alert">
        {fault}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      <button type="submit" className="primary" disabled={busy}>
        {busy ? 'Creating …' : 'Create'}
      </button>
    </form>
  );
};

/** Shows the field for the new key's user. */
const UserField = ({
  self,
  value,
  onChange,
}: {
  self: string;
  value: string;
  onChange: (user: string) => void;
}) => (
  <div className="field">
    <label htmlFor="key-user">
      User{' '}
      <span className="muted">
        empty: <bdi>{self}</bdi>
      </span>
    </label>
    <input
      id="key-user"
      type="text"
      autoComplete="off"
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  </div>
);

const Roles = ({
  offered,
  chosen,
  onChange,
}: {
  offered: readonly Role[];
  chosen: readonly Role[];
  onChange: (roles: readonly Role[]) => void;
}) => (
  <fieldset>
    <legend>Roles</legend>
    {offered.map(role => (
      <label key={role}>
        <input
          type="checkbox"
          checked={chosen.includes(role)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, role] : chosen.filter(one => one !== role))
          }
        />
        <code>{role}</code> <span className="muted">{ROLES[role]}</span>
      </label>
    ))}
  </fieldset>
);
