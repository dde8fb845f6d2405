import { useLocation } from 'wouter';
import type { FactItem, Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Link } from '../../parts/link.tsx';
import { may } from '../../parts/unless.tsx';
import { ASKED, subjectPath, userPath } from '../../paths.ts';
import { counted } from '../../words/numbers.ts';
import { queryOf } from '../ask/address.ts';
import { firstForm } from '../ask/state.ts';
import { Stored } from '../explorer/stored.tsx';
import { useChangeFact } from './change-fact.tsx';
import { CorrectNames } from './correct-names.tsx';
import { FactTable, Sources } from './fact-table.tsx';
import { inWords, isNamed, makeNamed, namesOf, subjectsOf } from './known.ts';
import { loadSubject } from './load-facts.ts';
import { OtherNames } from './names.tsx';
import { SaidIn } from './said-in.tsx';

/** Shows the subjects whose facts name it: "Ada: sibling". */
const Relations = ({ facts }: { facts: readonly FactItem[] }) =>
  facts.length > 0 && (
    <section aria-label="Named by">
      <h2>Named by</h2>
      <ul className="relations">
        {facts.map(fact => (
          <li key={fact.id + fact.attribute}>
            <Link href={subjectPath(fact.user_id, fact.subject.label)}>
              <Stored>{fact.subject.label}</Stored>
            </Link>{' '}
            <span className="muted">as {inWords(fact.attribute)}</span> · <Sources fact={fact} />
          </li>
        ))}
      </ul>
    </section>
  );

/** Asks a recall for the name, to find the turns that name it. It is billed, so it needs a click. */
const AskAbout = ({ user, label }: { user: string; label: string }) => {
  const [, go] = useLocation();
  const find = (): void => {
    const form = { ...firstForm, q: label, user, kinds: ['turn'] as const };
    go(userPath(user, 'ask', { ...queryOf(form), user }), { state: ASKED });
  };
  return (
    <button type="button" className="small" onClick={find}>
      Find turns that name it
    </button>
  );
};

/** Shows one subject: its facts with their history, the facts that name it, and their turns. */
export const OfSubject = ({ me, user, subject }: { me: Me; user: string; subject: string }) => {
  const loaded = useLoad(JSON.stringify([user, subject]), signal => loadSubject(user, subject, signal));
  const { actions, notice } = useChangeFact(me, loaded.reload);
  const [, go] = useLocation();
  const known = loaded.value;
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (!known) return <Loading what="what is known" />;
  const [own] = subjectsOf(known.own, Date.now());
  const entity = known.entities.find(one => namesOf(one).some(name => isNamed(name, subject)));
  return (
    <>
      {notice}
      <div className="heading">
        <p className="muted">
          {entity && `${entity.kind}, named in ${counted(entity.turns, 'turn')}`}
          {entity && <OtherNames aliases={entity.aliases} />}
        </p>
        <AskAbout user={user} label={own?.label ?? entity?.label ?? subject} />
      </div>
      {entity && may(me, 'memory:curate') && (
        <CorrectNames
          entity={entity}
          others={known.entities.filter(({ id }) => id !== entity.id)}
          onCorrected={({ label }) => {
            go(subjectPath(user, label), { replace: true });
            loaded.reload();
          }}
        />
      )}
      {own ? (
        <FactTable subject={own} isOpen named={makeNamed(known.facts, known.entities)} actions={actions} />
      ) : (
        <p>No fact is about it.</p>
      )}
      <Relations facts={known.relations} />
      <SaidIn user={user} ids={[...known.own, ...known.relations].flatMap(fact => fact.source_turn_ids)} />
    </>
  );
};
