import { useState } from 'react';
import { screening, setScreening } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { may, Unless } from '../../parts/unless.tsx';

const CHOICES = [
  ['default', 'as the installation does'],
  ['secrets', 'replace secrets'],
  ['off', 'store as it is sent'],
] as const;
type Choice = (typeof CHOICES)[number][0];

/** Shows whether secrets are replaced in what is sent, and sets it. */
export const Screening = ({ me }: { me: Me }) => {
  const loaded = useLoad('screening', screening);
  const [error, setError] = useState<unknown>();
  const { value, reload } = loaded;
  const choose = async (screen: Choice): Promise<void> => {
    setError(undefined);
    try {
      await setScreening(screen);
      reload();
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <section aria-labelledby="screening">
      <h2 id="screening">Screening</h2>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === 'loading' && !value && <Loading what="the screening" />}
      {value && (
        <p role="status">
          {value.screen === 'secrets'
            ? 'Keys, tokens, passwords and card numbers are replaced in what is sent, before it is stored.'
            : 'What is sent is stored as it is.'}{' '}
          {value.own ? 'The organization has set it.' : 'The installation has set it.'}
        </p>
      )}
      {value && may(me, '*') && (
        <div className="field">
          <label htmlFor="screen">From now on</label>
          <select
            id="screen"
            value={value.own ? value.screen : 'default'}
            onChange={event => void choose(event.target.value as Choice)}
          >
            {CHOICES.map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </select>
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <Unless me={me} needs="*" what="set the screening">
        {null}
      </Unless>
    </section>
  );
};
