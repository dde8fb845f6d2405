import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { usageDaily, usageToday, users } from '../../api/calls.ts';
import type { Me, UsageToday } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { CapMeter } from '../../parts/meter.tsx';
import { may, Unless } from '../../parts/unless.tsx';
import { pathOf } from '../../paths.ts';
import { monthOf } from '../../words/numbers.ts';
import { FirstVisit } from '../first-visit/first-visit.tsx';
import { Activity } from './activity.tsx';
import { Memory } from './memory/memory.tsx';
import { MonthOfUsage } from './month.tsx';
import { State } from './state.tsx';
import './overview.css';

const Caps = ({ value }: { value: UsageToday }) => (
  <div className="cards">
    <CapMeter
      name="Tokens in"
      hint="Stored turns and questions."
      used={value.tokens_in}
      cap={value.limits.tokens_in}
      end={value.end}
    />
    <CapMeter
      name="Tokens out"
      hint="Answers to recalls."
      used={value.tokens_out}
      cap={value.limits.tokens_out}
      end={value.end}
    />
  </div>
);

const Today = () => {
  const today = useLoad('today', usageToday);
  const { value } = today;
  return (
    <section aria-labelledby="today">
      <div className="heading">
        <h2 id="today">Today</h2>
        <Refresh what="today" loading={today.state === 'loading'} onClick={today.reload} />
      </div>
      {today.state === 'failed' && <ErrorNotice error={today.error} retry={today.reload} />}
      {today.state === 'loading' && !value && <Loading what="today's usage" />}
      {value && <Caps value={value} />}
    </section>
  );
};

/** Shows the first steps, as long as the page is open, if nothing was stored when it was opened. */
const First = ({ me }: { me: Me }) => {
  const any = useLoad('any user', signal => users({ limit: 1 }, signal));
  return any.value?.users.length === 0 ? <FirstVisit me={me} /> : null;
};

const MONTH = /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/;

/** Returns this page's address with other choices in it. */
const inAddress = (search: URLSearchParams, choices: Record<string, string | undefined>): string =>
  pathOf('/', { ...Object.fromEntries(search), ...choices });

const Counts = () => {
  const search = new URLSearchParams(useSearch());
  return <Memory pathOfDays={days => inAddress(search, { days })} />;
};

const Month = () => {
  const [, go] = useLocation();
  const search = new URLSearchParams(useSearch());
  const month = MONTH.exec(search.get('month') ?? '')?.[0] ?? monthOf(Date.now());
  const days = useLoad(month, signal => usageDaily(month, signal));
  return (
    <MonthOfUsage
      month={month}
      onMonth={chosen => go(inAddress(search, { month: chosen }), { replace: true })}
      loaded={days}
    />
  );
};

export const Overview = ({ me }: { me: Me }) => (
  <Page title="Overview" className="wide">
    {may(me, 'memory:read') && (
      <>
        <First me={me} />
        <Counts />
        <Activity />
      </>
    )}
    <Unless me={me} needs="usage:read" what="see usage">
      <Today />
      <Month />
    </Unless>
    <section aria-labelledby="state">
      <h2 id="state">Service</h2>
      <State />
    </section>
  </Page>
);
