import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Receipt } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { receipt } from '../../api/user-calls.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Link } from '../../parts/link.tsx';
import { turnPath, userPath } from '../../paths.ts';
import { chance, counted, dateTime } from '../../words/numbers.ts';

type ReceiptHit = Receipt['hits'][number];

const USES: Record<ReceiptHit['used_in'], string> = {
  hits: 'a hit',
  context: 'quoted in the context alone',
  facts: 'a fact of the context',
};

const HitRow = ({ hit }: { hit: ReceiptHit }) => {
  const { kind, id, status, score, content, label, text, used_in, user_id, session_id } = hit;
  return (
    <li className="card">
      {status === 'erased' ? (
        <p className="muted">Erased or hidden since: it has no words any more.</p>
      ) : (
        <p className="said" dir="auto">
          {content ?? label ?? text}
        </p>
      )}
      <p className="muted">
        {kind === 'observation' ? 'fact' : kind === 'entity' ? 'name' : 'turn'}, {USES[used_in]}
        {score !== null && `, score ${chance(score)}`}
        {kind === 'turn' && id !== null && user_id !== undefined && session_id !== undefined && (
          <>
            {' · '}
            <Link href={turnPath(user_id, session_id, id)}>Open conversation</Link>
          </>
        )}
      </p>
    </li>
  );
};

const OneReceipt = ({ id }: { id: string }) => {
  const loaded = useLoad(id, signal => receipt(id, signal));
  const { value } = loaded;
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (!value) return <Loading what="the receipt" />;
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt" dir="auto">
        {value.q ?? 'The question was erased'}
      </h2>
      <p className="muted">
        Answered {dateTime(value.recalled_at)} UTC with confidence {value.confidence.toFixed(2)}, mode{' '}
        {value.mode}; {counted(value.hits.length, 'hit')}. Kept until {dateTime(value.expires_at)} UTC.
      </p>
      <ol className="said-in">
        {value.hits.map((hit, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: erased hits have no id, and the list never changes
          <HitRow key={index} hit={hit} />
        ))}
      </ol>
    </section>
  );
};

/** Reads again what a recall answered. `id`: of the receipt; empty for none. */
export const Receipts = ({ user, id }: { user: string; id: string }) => {
  const [, go] = useLocation();
  const [text, setText] = useState(id);
  useEffect(() => setText(id), [id]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') go(userPath(user, 'receipts', { receipt: text.trim() }));
  };
  return (
    <>
      <form className="ask" onSubmit={submit} aria-label="Receipt">
        <div className="question">
          <label className="hidden" htmlFor="receipt-id">
            Id of the receipt
          </label>
          <input
            id="receipt-id"
            type="text"
            autoComplete="off"
            placeholder="rcl_…"
            value={text}
            onChange={event => setText(event.target.value)}
          />
          <button type="submit" className="primary">
            Read
          </button>
        </div>
      </form>
      <p className="muted">
        A recall with “receipt” is kept for 90 days. Its words are read anew: what was erased since has none.{' '}
        <Link href={userPath(user, 'ask')}>Ask with a receipt</Link>
      </p>
      {id !== '' && <OneReceipt key={id} id={id} />}
    </>
  );
};
