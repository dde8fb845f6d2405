import { revokeApiKey } from '../../api/calls.ts';
import type { ApiKey } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';

export const RevokeKey = ({ apiKey, onDone }: { apiKey: ApiKey; onDone: (revoked: boolean) => void }) => (
  <Confirm
    title={
      <>
        Revoke <bdi>{apiKey.name}</bdi>?
      </>
    }
    verb="Revoke"
    busyVerb="Revoking"
    act={() => revokeApiKey(apiKey.id)}
    onDone={onDone}
  >
    <p>
      Programs that use <code>{apiKey.prefix}…</code> will be rejected within a second. This can't be undone.
      If you signed in with this key, you will be signed out too.
    </p>
  </Confirm>
);
