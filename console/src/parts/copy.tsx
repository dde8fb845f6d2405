import { useEffect, useState } from 'react';
import { Icon } from './icons.tsx';

const SHOWN_MS = 2_000;

/** Shows a button that copies a text; confirms it beside the button and to screen readers. */
export const CopyButton = ({
  text,
  what,
  label = 'Copy',
}: {
  text: string;
  what: string;
  /** Words of the button, to which `what` is added for screen readers. */
  label?: string;
}) => {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (!outcome) return;
    const over = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(over);
  }, [outcome]);
  // Without TLS, only a page from localhost can access the clipboard.
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return (
    <span className="copy">
      <span className={outcome === 'refused' ? 'muted' : 'hidden'} role="status">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'refused' && 'Select and copy it manually'}
      </span>
      <button type="button" className="small" onClick={copy} aria-label={`${label} ${what}`}>
        <Icon name={outcome === 'copied' ? 'done' : 'copy'} />
        {label}
      </button>
    </span>
  );
};

/** Shows a block of code with its copy button. It scrolls by itself, so it must be focusable. */
export const Code = ({ text, what }: { text: string; what: string }) => (
  <div className="code">
    <CopyButton text={text} what={what} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it */}
    <section tabIndex={0} aria-label={what}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  </div>
);
