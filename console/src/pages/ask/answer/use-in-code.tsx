import { type KeyboardEvent, useRef, useState } from 'react';
import type { RecallBody } from '../../../../../schemas/http/recall.ts';
import { Code } from '../../../parts/copy.tsx';
import { curl, pythonSnippet, typescript } from '../../../words/snippets.ts';

const LANGUAGES = [
  ['curl', curl],
  ['TypeScript', typescript],
  ['Python', pythonSnippet],
] as const;

/** Shows the call for a shell and for both clients. Arrow keys switch tabs. */
export const UseInCode = ({ body }: { body: RecallBody }) => {
  const [chosen, setChosen] = useState(0);
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const [name, write] = LANGUAGES[chosen]!;
  const move = ({ key }: KeyboardEvent): void => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const next = (chosen + by + LANGUAGES.length) % LANGUAGES.length;
    setChosen(next);
    tabs.current[next]?.focus();
  };
  return (
    <section aria-labelledby="use-in-code">
      <h3 id="use-in-code">Use in code</h3>
      <div role="tablist" aria-label="Language" className="tabs">
        {LANGUAGES.map(([language], index) => (
          <button
            key={language}
            ref={tab => {
              tabs.current[index] = tab;
            }}
            type="button"
            role="tab"
            id={`tab-${index}`}
            aria-selected={index === chosen}
            aria-controls="code"
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            onKeyDown={move}
          >
            {language}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="code" aria-labelledby={`tab-${chosen}`}>
        <Code text={write(window.location.origin, body)} what={`this call in ${name}`} />
      </div>
    </section>
  );
};
