import type { Me } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { number } from '../../words/numbers.ts';

const capInWords = (tokens: number): string => (tokens === 0 ? 'no cap' : `${number(tokens)} tokens a day`);

/** Shows what the organization may use; only an operator can change it. */
export const Limits = ({ me: { plan, limits } }: { me: Me }) => (
  <section aria-labelledby="limits">
    <h2 id="limits">Limits</h2>
    <dl className="figures">
      <div>
        <dt>Plan</dt>
        <dd>{plan}</dd>
      </div>
      <div>
        <dt>Tokens in</dt>
        <dd>{capInWords(limits.tokens_in)}</dd>
      </div>
      <div>
        <dt>Tokens out</dt>
        <dd>{capInWords(limits.tokens_out)}</dd>
      </div>
    </dl>
    <p className="muted">
      An operator can change them: <code>turnstone orgs set-limits</code>. How much is used is on the{' '}
      <Link href="/">overview</Link>.
    </p>
  </section>
);
