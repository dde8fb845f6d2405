import { type ReactNode, useEffect, useState } from 'react';
import { apiKeys, users } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { Icon } from '../../parts/icons.tsx';
import { Link } from '../../parts/link.tsx';
import { may } from '../../parts/unless.tsx';
import { AskStep } from './ask-step.tsx';
import { StoreStep } from './store-step.tsx';
import './first-visit.css';

/** Milliseconds between looks whether something was stored, from a shell too. */
const LOOKS_MS = 4_000;

const Step = ({ title, isDone, children }: { title: string; isDone: boolean; children?: ReactNode }) => (
  <li className={isDone ? 'done' : undefined}>
    <p>
      <span className="tick">{isDone && <Icon name="done" />}</span>
      <strong>{title}</strong>
      <span className="hidden">{isDone ? ' (done)' : ' (to do)'}</span>
    </p>
    {children}
  </li>
);

/** Returns whether something is stored, looked up until it is. */
const useStored = (onStored: (() => void) | undefined) => {
  const loaded = useLoad('first user', signal => users({ limit: 1 }, signal));
  const isStored = (loaded.value?.users.length ?? 0) > 0;
  const { reload } = loaded;
  useEffect(() => {
    if (isStored) return;
    const looks = setInterval(() => document.hidden || reload(), LOOKS_MS);
    return () => clearInterval(looks);
  }, [isStored, reload]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (isStored) onStored?.();
  }, [isStored]);
  return { isStored, look: reload };
};

const KeyStep = ({ me }: { me: Me }) => {
  const keys = useLoad('number of keys', async signal => (await apiKeys(signal)).length);
  return (
    <Step title="Make a key for your program" isDone={(keys.value ?? 0) > 1}>
      <p className="muted">
        The key that you signed in with {me.roles.includes('*') ? 'may do everything' : 'is yours'}: a program
        gets one of its own. <Link href="/keys">Make one</Link>
      </p>
    </Step>
  );
};

/** The first steps, which tick themselves. `onStored`: called when something is stored, by whomever. */
export const FirstVisit = ({ me, onStored }: { me: Me; onStored?: () => void }) => {
  const { isStored, look } = useStored(onStored);
  const [isAsked, setAsked] = useState(false);
  return (
    <section className="empty first-visit" aria-labelledby="first-visit">
      <h2 id="first-visit">{isStored ? 'The first steps' : 'Nothing is stored yet'}</h2>
      <ol className="steps">
        <Step title="Sign in" isDone />
        <Step title="Store what somebody said" isDone={isStored}>
          {!isStored && <StoreStep me={me} onStored={look} />}
        </Step>
        {may(me, 'memory:read') && (
          <Step title="Get it back" isDone={isAsked}>
            {isStored && <AskStep me={me} onAsked={() => setAsked(true)} />}
          </Step>
        )}
        {may(me, 'keys:manage') && <KeyStep me={me} />}
      </ol>
    </section>
  );
};
