import { useState } from 'react';
import { usageDaily, usageToday, users } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { CapMeter } from '../../parts/meter.tsx';
import { ErrorNotice, Loading } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { monthOf } from '../../words/numbers.ts';
import { FirstTurn } from '../first-turn.tsx';
import { MonthOfUsage } from './month.tsx';
import { State } from './state.tsx';
import './overview.css';

const Today = () => {
  const today = useLoad('today', usageToday);
  const { value } = today;
  if (today.state === 'failed') return <ErrorNotice error={today.error} retry={today.reload} />;
  if (!value) return <Loading what="today's usage" />;
  return (
    <div className="cards">
      <CapMeter
        name="Tokens in"
        hint="What was stored and asked."
        used={value.tokens_in}
        cap={value.limits.tokens_in}
        end={value.end}
      />
      <CapMeter
        name="Tokens out"
        hint="What recalls answered."
        used={value.tokens_out}
        cap={value.limits.tokens_out}
        end={value.end}
      />
    </div>
  );
};

/** Nothing is stored yet: what to do first. A key that may not look is told nothing of it. */
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
    <First me={me} />
    <section aria-labelledby="today">
      <h2 id="today">Today</h2>
      <Today />
    </section>
    <Month />
    <section aria-labelledby="state">
      <h2 id="state">The service</h2>
      <State />
    </section>
  </Page>
);
