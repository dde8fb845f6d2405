import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import type { Me } from '../../../api/types.ts';
import { Page } from '../../../parts/frame/page.tsx';
import { Link } from '../../../parts/link.tsx';
import { Unless } from '../../../parts/unless.tsx';
import { ASKED, pathOf } from '../../../paths.ts';
import { number } from '../../../words/numbers.ts';
import { formOf, keptQuery, wasAsked } from '../address.ts';
import { inMilliseconds } from '../answer/verdict.ts';
import { type Asking, useAsking } from '../asking.ts';
import type { Answered, AskForm } from '../state.ts';
import { haveSameBest, overlapOf } from './overlap.ts';
import { Side } from './side.tsx';
import '../ask.css';
import '../answer/answer.css';
import './compare.css';

const formIn = (search: string, side: 'a' | 'b'): AskForm =>
  formOf(new URLSearchParams(new URLSearchParams(search).get(side) ?? ''));

const Figures = ({ a, b }: { a: Answered; b: Answered }) => {
  const { both, onlyA, onlyB } = overlapOf(a.answer, b.answer);
  const rows: [string, string, string][] = [
    ['Confidence', a.answer.confidence.toFixed(2), b.answer.confidence.toFixed(2)],
    ['Took', inMilliseconds(a.milliseconds), inMilliseconds(b.milliseconds)],
    ['Tokens in', number(a.answer.usage.tokens_in), number(b.answer.usage.tokens_in)],
    ['Tokens out', number(a.answer.usage.tokens_out), number(b.answer.usage.tokens_out)],
    ['Hits only here', number(onlyA), number(onlyB)],
  ];
  return (
    <section className="card" aria-labelledby="compared">
      <h2 id="compared">
        {number(both)} {both === 1 ? 'hit is' : 'hits are'} in both answers;{' '}
        {haveSameBest(a.answer, b.answer) ? 'the first hit is the same' : 'the first hit differs'}
      </h2>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Question A</th>
            <th scope="col">Question B</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ofA, ofB]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{ofA}</td>
              <td>{ofB}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const Comparing = ({ me }: { me: Me }) => {
  const search = useSearch();
  const [, go] = useLocation();
  const [a, b] = [useAsking(), useAsking()];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address leads; what is typed since is not in it
  useEffect(() => {
    const follow = (side: Asking, form: AskForm): void => {
      if (form.q !== '' && wasAsked()) side.showOrAsk(form, me.org_id);
      else side.setForm(form);
    };
    follow(a, formIn(search, 'a'));
    follow(b, formIn(search, 'b'));
  }, [search]);
  /** Asks one side, and keeps both in the address. */
  const ask = (side: Asking, other: Asking, name: 'a' | 'b') => (form: AskForm) => {
    side.ask(form, me.org_id);
    const otherQuery = keptQuery(other.askedForm ?? other.form);
    const path = pathOf(
      '/ask/compare',
      name === 'a' ? { a: keptQuery(form), b: otherQuery } : { a: otherQuery, b: keptQuery(form) },
    );
    go(path, { replace: path.slice(path.indexOf('?')) === search, state: ASKED });
  };
  return (
    <>
      {a.answered && b.answered && <Figures a={a.answered} b={b.answered} />}
      <div className="sides">
        <Side name="Question A" me={me} asked={a} other={b.answered?.answer} onAsk={ask(a, b, 'a')} />
        <Side name="Question B" me={me} asked={b} other={a.answered?.answer} onAsk={ask(b, a, 'b')} />
      </div>
    </>
  );
};

/** Compares two questions, or the same one with two settings. */
export const Compare = ({ me }: { me: Me }) => (
  <Page
    title="Compare"
    className="wide"
    lead={
      <p>
        Two questions, or one with two settings, side by side. Each is billed.{' '}
        <Link href="/ask">Ask one</Link>
      </p>
    }
  >
    <Unless me={me} needs="memory:read" what="ask">
      <Comparing me={me} />
    </Unless>
  </Page>
);
