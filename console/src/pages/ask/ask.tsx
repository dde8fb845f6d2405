import { useMemo } from 'react';
import { users } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Unless } from '../../parts/unless.tsx';
import { faultsOf } from '../../words/errors.ts';
import { FirstTurn } from '../first-turn.tsx';
import { Answer, inShort } from './answer/answer.tsx';
import { isSame, useAsked } from './asking.ts';
import { tellAll } from './form/check.ts';
import { AskFields } from './form/fields.tsx';
import { bodyOf, withoutFilters } from './state.ts';
import './ask.css';
import './answer/answer.css';

const Asking = ({ me }: { me: Me }) => {
  const { form, setForm, asking, answered, failed, ask } = useAsked();
  const { value: listed } = useLoad('users', signal => users({ limit: 200 }, signal));
  const refused = useMemo(() => faultsOf(failed?.error), [failed]);
  const body = bodyOf(form, me.org_id);
  const askWithoutFilters = (): void => {
    if (!answered) return;
    const plain = withoutFilters(form, answered.body);
    setForm(plain);
    ask(bodyOf(plain, me.org_id));
  };

  return (
    <>
      {listed?.users.length === 0 && <FirstTurn me={me} />}
      <AskFields
        form={form}
        users={listed?.users ?? []}
        refused={refused}
        busy={isSame(body, asking)}
        onChange={setForm}
        onAsk={() => ask(body)}
      />
      {/* Emptied by every question, so that an identical announcement is read again. */}
      <p className="hidden" role="status">
        {answered && !asking && inShort(answered.answer)}
      </p>
      {failed && !tellAll(refused) && <ErrorNotice error={failed.error} retry={() => ask(failed.body)} />}
      {asking && <Loading what="the answer" />}
      {answered && (
        <Answer {...answered} busy={asking !== undefined} onAskWithoutFilters={askWithoutFilters} />
      )}
    </>
  );
};

/** The recall playground. */
export const Ask = ({ me }: { me: Me }) => (
  <Page
    title="Ask"
    lead={<p>Ask in plain words and get what was said. A recall is billed like any other.</p>}
  >
    <Unless me={me} needs="memory:read" what="ask">
      <Asking me={me} />
    </Unless>
  </Page>
);
