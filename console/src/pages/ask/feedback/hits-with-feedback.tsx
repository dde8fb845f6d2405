import type { Recalled } from '../../../api/types.ts';
import { ErrorNotice } from '../../../parts/frame/notices.tsx';
import { Hits } from '../answer/hits.tsx';
import { Feedback } from './feedback.tsx';
import { useVerdicts } from './use-verdicts.ts';

/** Shows hits, each turn and fact with buttons that say what it was worth. */
export const HitsWithFeedback = ({ hits, receipt }: { hits: Recalled['hits']; receipt: string }) => {
  const verdicts = useVerdicts(receipt);
  return (
    <>
      {verdicts.error !== undefined && <ErrorNotice error={verdicts.error} retry={verdicts.reload} />}
      <Hits
        hits={hits}
        belowOf={({ kind, id }, rank) =>
          kind !== 'entity' && (
            <Feedback
              receipt={receipt}
              hit={id}
              name={`hit ${rank}`}
              given={verdicts.of(id)}
              onGiven={verdict => verdicts.set(id, verdict)}
            />
          )
        }
      />
    </>
  );
};
