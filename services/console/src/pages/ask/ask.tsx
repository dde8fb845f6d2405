import { useState } from 'react';
import { recall } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { ErrorNotice, Loading } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer } from './answer.tsx';
import { AskFields } from './fields.tsx';
import { bodyOf, useAsked } from './state.ts';
import './ask.css';

/** The recall playground. */
export const Ask = ({ me }: { me: Me }) => {
  const { asked, setAsked } = useAsked();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const ask = async (): Promise<void> => {
    const body = bodyOf(asked.form, me.org_id);
    setBusy(true);
    setError(undefined);
    const began = performance.now();
    try {
      // What made the scores is for this page: the call that it shows for copying is the plain one.
      const answer = await recall({ ...body, explain: true });
      const milliseconds = performance.now() - began;
      setAsked(before => ({ ...before, answered: { body, answer, milliseconds } }));
    } catch (fault) {
      setError(fault);
      setAsked(before => ({ ...before, answered: undefined }));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Page
      title="Ask"
      lead={<p>A question in plain words, answered with what was said. A recall is billed as any other.</p>}
    >
      <AskFields
        form={asked.form}
        busy={busy}
        onChange={form => setAsked(before => ({ ...before, form }))}
        onAsk={() => void ask()}
      />
      {error !== undefined && <ErrorNotice error={error} retry={() => void ask()} />}
      {busy && !asked.answered && <Loading what="the answer" />}
      {asked.answered && <Answer {...asked.answered} />}
    </Page>
  );
};
