import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { apiKeys, usageDays, usageMonth } from '../../api/calls.ts';
import type { Me, UsageSplit } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { may, Unless } from '../../parts/unless.tsx';
import { date, monthBeside, monthName, monthOf } from '../../words/numbers.ts';
import { BY, type By, type Choices, choicesIn, daysOf, usagePath } from './address.ts';
import { SplitTable } from './table.tsx';
import './usage.css';

const MONTHS_BACK = 24;

interface Split {
  tokens_in: number;
  tokens_out: number;
  split: UsageSplit;
}

const load = async ({ by, month, day }: Choices, signal: AbortSignal): Promise<Split | undefined> => {
  const found =
    day === undefined
      ? await usageMonth(month, by, signal)
      : (await usageDays(month, by, signal)).days.find(one => one.day === day);
  return found?.split && { ...found, split: found.split };
};

const ChoicesForm = ({ choices, set }: { choices: Choices; set: (change: Partial<Choices>) => void }) => {
  const now = Date.now();
  const newest = monthOf(now);
  const back = Array.from({ length: MONTHS_BACK }, (_, i) => monthBeside(newest, -i));
  const months = back.includes(choices.month) ? back : [choices.month, ...back];
  return (
    <form className="usage-choices" aria-label="Choices" onSubmit={event => event.preventDefault()}>
      <div className="field">
        <label htmlFor="usage-by">By</label>
        <select id="usage-by" value={choices.by} onChange={({ target }) => set({ by: target.value as By })}>
          {Object.entries(BY).map(([by, words]) => (
            <option key={by} value={by}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="usage-month">Month</label>
        <select
          id="usage-month"
          value={choices.month}
          onChange={({ target }) => set({ month: target.value, day: undefined })}
        >
          {months.map(month => (
            <option key={month} value={month}>
              {monthName(month)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="usage-day">
          Day <span className="muted">UTC</span>
        </label>
        <select
          id="usage-day"
          value={choices.day ?? ''}
          onChange={({ target }) => set({ day: target.value === '' ? undefined : target.value })}
        >
          <option value="">the whole month</option>
          {daysOf(choices.month, now).map(day => (
            <option key={day} value={day}>
              {date(day)}
            </option>
          ))}
        </select>
      </div>
    </form>
  );
};

/** Returns the names of the keys that the caller may see, by their ids; none until they are loaded. */
const useKeyNames = (me: Me, isAsked: boolean): ReadonlyMap<string, string> => {
  const asks = isAsked && may(me, 'keys:manage');
  // Without them the ids are shown, so a failure is not worth a notice.
  const { value } = useLoad(`keys ${asks}`, async signal => (asks ? apiKeys(signal) : []));
  return useMemo(() => new Map(value?.map(({ id, name }) => [id, name])), [value]);
};

const SplitUsage = ({ me }: { me: Me }) => {
  const [, go] = useLocation();
  const choices = choicesIn(new URLSearchParams(useSearch()), Date.now());
  const { by, month, day, sort } = choices;
  const loaded = useLoad(JSON.stringify([by, month, day]), signal => load(choices, signal));
  const keyNames = useKeyNames(me, by === 'key');
  const { value, reload } = loaded;
  const period = day === undefined ? monthName(month) : date(day);
  const set = (change: Partial<Choices>): void => go(usagePath({ ...choices, ...change }));
  return (
    <>
      <ChoicesForm choices={choices} set={set} />
      <section aria-labelledby="split">
        <div className="heading">
          <h2 id="split">
            {period}, by {BY[by]}
          </h2>
          <Refresh what={period} loading={loaded.state === 'loading'} onClick={reload} />
        </div>
        {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={reload} />}
        {loaded.state === 'loading' && !value && <Loading what={period} />}
        {loaded.state === 'ready' && (!value || value.tokens_in + value.tokens_out === 0) && (
          <p role="status">No usage in this {day === undefined ? 'month' : 'day'}.</p>
        )}
        {value && value.tokens_in + value.tokens_out > 0 && (
          <SplitTable
            split={value.split}
            sum={value}
            sort={sort}
            onSort={chosen => set({ sort: chosen })}
            keyNames={keyNames}
          />
        )}
      </section>
    </>
  );
};

/** The tokens of a day or a month, split by user, session or key. */
export const Usage = ({ me }: { me: Me }) => (
  <Page
    title="Usage"
    lead={
      <p>
        {may(me, '*') ? `Tokens of ${me.org_id}` : `Tokens of ${me.user_id}`}, split. A turn counts to the
        user and the session that it was written to, a recall to the user that it searched, or to the key's
        user where it searched all.
      </p>
    }
  >
    <Unless me={me} needs="usage:read" what="see usage">
      <SplitUsage me={me} />
    </Unless>
  </Page>
);
