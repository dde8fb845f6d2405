import { type ReactNode, useEffect, useRef } from 'react';
import { CopyButton } from './copy.tsx';

/** Shows the secret of something new, which neither this page stores nor the service shows again. */
export const NewSecret = ({
  id,
  title,
  secret,
  label,
  children,
  onDone,
}: {
  /** Id of the new thing: another one is announced like the first. */
  id: string;
  title: ReactNode;
  secret: string;
  /** Name of the field: "Secret of the key". */
  label: string;
  /** Text about what to do with it. */
  children: ReactNode;
  onDone: () => void;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another secret is announced like the first
  useEffect(() => heading.current?.focus(), [id]);
  return (
    <section className="card new-key" aria-labelledby="new-secret">
      <h2 id="new-secret" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <div className="secret">
        <input
          type="text"
          readOnly
          aria-label={label}
          value={secret}
          onFocus={event => event.target.select()}
        />
        <CopyButton text={secret} what="the secret" />
      </div>
      <button type="button" onClick={onDone}>
        I have copied it
      </button>
    </section>
  );
};
