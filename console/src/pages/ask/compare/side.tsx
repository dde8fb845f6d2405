import { useMemo } from 'react';
import type { Hit, Me, Recalled } from '../../../api/types.ts';
import { ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { faultsOf } from '../../../words/errors.ts';
import { Gauge } from '../answer/gauge.tsx';
import { Hits } from '../answer/hits.tsx';
import { verdictOf } from '../answer/verdict.ts';
import { type Asking, isSame } from '../asking.ts';
import { tellAll } from '../form/check.ts';
import { AskFields } from '../form/fields.tsx';
import { type AskForm, bodyOf } from '../state.ts';
import { makeRankIn } from './overlap.ts';

/** Shows one of the two questions with its answer. `other`: the answer beside it. */
export const Side = ({
  name,
  me,
  asked,
  other,
  onAsk,
}: {
  name: string;
  me: Me;
  asked: Asking;
  other: Recalled | undefined;
  onAsk: (form: AskForm) => void;
}) => {
  const { form, setForm, asking, answered, failed } = asked;
  const refused = useMemo(() => faultsOf(failed?.error), [failed]);
  const rankIn = useMemo(() => other && makeRankIn(other), [other]);
  const noteOf = (hit: Hit): string | undefined => {
    if (!rankIn) return undefined;
    const rank = rankIn(hit);
    return rank === undefined ? 'only here · ' : `${rank} there · `;
  };
  return (
    <section className="side" aria-label={name}>
      <h2>{name}</h2>
      <AskFields
        form={form}
        isUserFixed={false}
        refused={refused}
        busy={isSame(bodyOf(form, me.org_id), asking)}
        onChange={setForm}
        onAsk={() => onAsk(form)}
      />
      {failed && !tellAll(refused) && <ErrorNotice error={failed.error} retry={() => onAsk(form)} />}
      {asking && <Loading what={`the answer to ${name}`} />}
      {answered && (
        <div className="answer" aria-busy={asking !== undefined}>
          <Gauge confidence={answered.answer.confidence} verdict={verdictOf(answered.answer)} />
          <Hits hits={answered.answer.hits} noteOf={noteOf} />
        </div>
      )}
    </section>
  );
};
