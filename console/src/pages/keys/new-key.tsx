import { useEffect, useRef } from 'react';
import type { NewApiKey } from '../../api/types.ts';
import { CopyButton } from '../../parts/copy.tsx';

/** Shows the secret of a new key. It is stored neither by this page nor by the service. */
export const NewKey = ({ created, onDone }: { created: NewApiKey; onDone: () => void }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is announced like the first
  useEffect(() => heading.current?.focus(), [created.id]);
  return (
    <section className="card new-key" aria-labelledby="new-key">
      <h2 id="new-key" ref={heading} tabIndex={-1}>
        <bdi>{created.name}</bdi> was created
      </h2>
      <p>Copy its secret now: it is shown only once, and the service stores only a hash of it.</p>
      <div className="secret">
        <input
          type="text"
          readOnly
          aria-label="Secret of the key"
          value={created.api_key}
          onFocus={event => event.target.select()}
        />
        <CopyButton text={created.api_key} what="the secret" />
      </div>
      <button type="button" onClick={onDone}>
        I have copied it
      </button>
    </section>
  );
};
