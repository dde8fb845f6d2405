import type { NewApiKey } from '../../api/types.ts';
import { NewSecret } from '../../parts/new-secret.tsx';
import { graceInWords } from './grace.ts';

export interface CreatedKey {
  key: NewApiKey;
  /** How long the key that it replaces still works; undefined if it replaces none. */
  graceSeconds?: number;
}

/** Shows the secret of a new key. It is stored neither by this page nor by the service. */
export const NewKey = ({
  created: { key, graceSeconds },
  onDone,
}: {
  created: CreatedKey;
  onDone: () => void;
}) => (
  <NewSecret
    id={key.id}
    title={
      <>
        <bdi>{key.name}</bdi> was {graceSeconds === undefined ? 'created' : 'rotated'}
      </>
    }
    secret={key.api_key}
    label="Secret of the key"
    onDone={onDone}
  >
    <p>
      Copy its secret now: it is shown only once, and the service stores only a hash of it.
      {graceSeconds !== undefined && ` The former key ${graceInWords(graceSeconds)}.`}
    </p>
  </NewSecret>
);
