import { useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { noteAsked } from '../../api/questions.ts';
import type { Me } from '../../api/types.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { ASKED } from '../../paths.ts';
import { faultsOf } from '../../words/errors.ts';
import { formOf, keptQuery, wasAsked } from './address.ts';
import { Answer } from './answer/answer.tsx';
import { inShort } from './answer/verdict.ts';
import { isSame, useAsked } from './asking.ts';
import { tellAll } from './form/check.ts';
import { AskFields } from './form/fields.tsx';
import { Questions } from './questions.tsx';
import { type AskForm, bodyOf, firstForm, withoutFilters } from './state.ts';
import { Tools } from './tools.tsx';

/**
 * Keeps the form and the answer in step with the address. `pathOfForm` must be the same function as long as
 * the page is.
 */
const useAddress = (me: Me, user: string | undefined, pathOfForm: (form: AskForm) => string) => {
  const asked = useAsked();
  const { form, askedForm, setForm, showOrAsk } = asked;
  const search = useSearch();
  const [, go] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address leads; what is typed since is not in it
  useEffect(() => {
    const named = formOf(new URLSearchParams(search));
    const isOfPage = (one: AskForm): boolean => user === undefined || one.user === user;
    if (named.q === '') {
      // Without a question the page shows the last one again, which is then in its address.
      if (askedForm && isOfPage(askedForm)) go(pathOfForm(askedForm), { replace: true, state: ASKED });
      else if (user !== undefined && !isOfPage(form)) setForm({ ...firstForm, user });
      else if (named.user !== '') setForm({ ...form, user: named.user });
      return;
    }
    if (wasAsked()) showOrAsk(named, me.org_id);
    else setForm(named);
  }, [search, user]);
  const ask = (form: AskForm): void => {
    asked.ask(form, me.org_id);
    noteAsked(me.org_id, keptQuery(form));
    const path = pathOfForm(form);
    const isHere = path.slice(path.indexOf('?')) === search;
    go(path, { replace: isHere, state: ASKED });
  };
  return { ...asked, ask };
};

/** A question and its answer. `user`: of the page that it is on, whose memory alone is asked. */
export const AskPanel = ({
  me,
  user,
  pathOfForm,
}: {
  me: Me;
  user?: string;
  pathOfForm: (form: AskForm) => string;
}) => {
  const { form, askedForm, setForm, asking, answered, failed, ask } = useAddress(me, user, pathOfForm);
  const refused = useMemo(() => faultsOf(failed?.error), [failed]);
  const body = bodyOf(form, me.org_id);
  /** An answer to a question of another user stays on that user's page. */
  const isOfPage = user === undefined || answered?.body.scope.user_id === user;
  const askWithoutFilters = (): void => {
    if (answered) ask({ ...withoutFilters(form, answered.body), ...(user === undefined ? {} : { user }) });
  };

  return (
    <>
      <AskFields
        form={form}
        isUserFixed={user !== undefined}
        refused={refused}
        busy={isSame(body, asking)}
        onChange={setForm}
        onAsk={() => ask(form)}
      />
      <Questions
        organization={me.org_id}
        user={user}
        hrefOf={query => pathOfForm(formOf(new URLSearchParams(query)))}
      />
      {/* Emptied by every question, so that an identical announcement is read again. */}
      <p className="hidden" role="status">
        {answered && isOfPage && !asking && inShort(answered.answer)}
      </p>
      {failed && !tellAll(refused) && (
        <ErrorNotice error={failed.error} retry={() => ask(askedForm ?? form)} />
      )}
      {asking && <Loading what="the answer" />}
      {answered && isOfPage && (
        <>
          {askedForm && !asking && (
            <Tools organization={me.org_id} query={keptQuery(askedForm)} answer={answered.answer} />
          )}
          <Answer {...answered} busy={asking !== undefined} onAskWithoutFilters={askWithoutFilters} />
        </>
      )}
    </>
  );
};
