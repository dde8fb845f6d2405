import { useState } from 'react';
import { type GivenVerdict, giveFeedback } from '../../../api/user-calls.ts';
import { ErrorNotice } from '../../../parts/frame/notices.tsx';

const VERDICTS: [verdict: GivenVerdict, words: string][] = [
  ['helpful', 'Helpful'],
  ['wrong', 'Wrong'],
];

/** Says of a hit whether it was helpful. The last verdict counts; none can be taken back, only changed. */
export const Feedback = ({
  receipt,
  hit,
  name,
  given,
  onGiven,
}: {
  /** Id of the receipt whose hit it is. */
  receipt: string;
  /** Id of the turn or the observation. */
  hit: string;
  /** Names the hit for screen readers: "hit 1". */
  name: string;
  given: GivenVerdict | undefined;
  onGiven: (verdict: GivenVerdict) => void;
}) => {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const say = async (verdict: GivenVerdict): Promise<void> => {
    if (busy || verdict === given) return;
    setBusy(true);
    setError(undefined);
    try {
      onGiven((await giveFeedback(receipt, hit, verdict)).verdict);
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of the form of no question */}
      <div className="feedback" role="group" aria-label={`Was ${name} helpful?`}>
        {VERDICTS.map(([verdict, words]) => (
          <button
            key={verdict}
            type="button"
            className="small"
            aria-pressed={given === verdict}
            aria-disabled={busy}
            onClick={() => void say(verdict)}
          >
            {words}
          </button>
        ))}
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  );
};
