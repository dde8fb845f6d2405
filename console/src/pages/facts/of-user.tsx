import { useState } from 'react';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { Empty, ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Link } from '../../parts/link.tsx';
import { subjectPath } from '../../paths.ts';
import { counted } from '../../words/numbers.ts';
import { Stored } from '../explorer/stored.tsx';
import { useChangeFact } from './change-fact.tsx';
import { type FactActions, FactTable } from './fact-table.tsx';
import { makeNamed, subjectsOf, withoutFacts } from './known.ts';
import { type Known, loadKnown } from './load-facts.ts';
import { Names } from './names.tsx';

const Subjects = ({
  user,
  known,
  actions,
}: {
  user: string;
  known: Known;
  actions: FactActions | undefined;
}) => {
  const [isOpen, setOpen] = useState(false);
  const subjects = subjectsOf(known.facts, Date.now());
  const named = makeNamed(known.facts, known.entities);
  const count = (of: 'holds' | 'held'): number =>
    subjects.flatMap(({ attributes }) => attributes.flatMap(one => one[of])).length;
  const held = count('held');
  const shown = subjects.filter(
    ({ attributes }) => isOpen || attributes.some(one => one.holds.length + one.planned.length > 0),
  );
  return (
    <>
      {subjects.length > 0 && (
        <div className="heading">
          <p className="muted">
            {counted(count('holds'), 'fact holds', 'facts hold')},{' '}
            {counted(held, 'no longer does', 'no longer do')}.
          </p>
          <label className="history">
            <input type="checkbox" checked={isOpen} onChange={event => setOpen(event.target.checked)} />
            Show what held before
          </label>
        </div>
      )}
      {shown.map(subject => (
        <section key={subject.id} className="subject" aria-labelledby={subject.id}>
          <h2 id={subject.id}>
            <Link href={subjectPath(user, subject.label)}>
              <Stored>{subject.label}</Stored>
            </Link>
          </h2>
          <FactTable subject={subject} isOpen={isOpen} named={named} actions={actions} />
        </section>
      ))}
      <Names
        title={subjects.length > 0 ? 'Also named' : 'Named'}
        user={user}
        entities={withoutFacts(known.entities, subjects)}
      />
      {known.more && (
        <p className="muted">There is more than this page shows. A name's own page has all of its facts.</p>
      )}
    </>
  );
};

/** Shows all facts about a user and about the people and things they speak of. */
export const OfUser = ({ me, user }: { me: Me; user: string }) => {
  const loaded = useLoad(`known ${user}`, signal => loadKnown(user, signal));
  const { actions, notice } = useChangeFact(me, loaded.reload);
  const known = loaded.value;
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (!known) return <Loading what="what is known" />;
  if (known.facts.length + known.entities.length === 0)
    return (
      <>
        {notice}
        <Empty title="Nothing is known of this user">
          <p>
            Facts are found in what is said, a moment after it was stored, or sent with it. Statements such as
            "I live in Porto" become facts; small talk does not.
          </p>
        </Empty>
      </>
    );
  return (
    <>
      {notice}
      <Subjects user={user} known={known} actions={actions} />
    </>
  );
};
