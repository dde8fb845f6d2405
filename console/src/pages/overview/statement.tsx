import { useState } from 'react';
import { usageStatement } from '../../api/calls.ts';
import { ErrorNotice } from '../../parts/frame/notices.tsx';
import { save } from '../../parts/save.ts';
import { monthName } from '../../words/numbers.ts';

/** Downloads the signed statement of a month that is over. */
export const Statement = ({ month }: { month: string }) => {
  const [outcome, setOutcome] = useState<{ error: unknown } | 'loading'>();
  const download = async (): Promise<void> => {
    setOutcome('loading');
    try {
      const { statement } = await usageStatement(month);
      save([statement, '\n'], `${month}.jws`, 'application/jose');
      setOutcome(undefined);
    } catch (error) {
      setOutcome({ error });
    }
  };
  return (
    <>
      <p>
        <button
          type="button"
          className="small"
          aria-label={`Signed statement of ${monthName(month)}`}
          aria-disabled={outcome === 'loading'}
          onClick={download}
        >
          Signed statement
        </button>
      </p>
      {typeof outcome === 'object' && <ErrorNotice error={outcome.error} retry={download} />}
    </>
  );
};
