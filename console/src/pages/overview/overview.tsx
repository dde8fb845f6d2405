import { useState } from 'react';
import { usageDaily, usageToday, users } from '../../api/calls.ts';
import type { Me, UsageToday } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { CapMeter } from '../../parts/meter.tsx';
import { may, Unless } from '../../parts/unless.tsx';
import { monthOf } from '../../words/numbers.ts';
import { FirstTurn } from '../first-turn.tsx';
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

/** Shows the first step, if nothing is stored yet. */
const First = ({ me }: { me: Me }) => {
  const any = useLoad('any user', signal => users({ limit: 1 }, signal));
  return any.value?.users.length === 0 ? <FirstTurn me={me} /> : null;
};

const Month = () => {
  const [month, setMonth] = useState(() => monthOf(Date.now()));
  const days = useLoad(month, signal => usageDaily(month, signal));
  return <MonthOfUsage month={month} onMonth={setMonth} loaded={days} />;
};

export const Overview = ({ me }: { me: Me }) => (
  <Page title="Overview">
    {may(me, 'memory:read') && <First me={me} />}
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
