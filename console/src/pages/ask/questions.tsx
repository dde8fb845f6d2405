import { forgetAsked, toggleSaved, useQuestions } from '../../api/questions.ts';
import { Link } from '../../parts/link.tsx';
import { ASKED } from '../../paths.ts';
import { Stored } from '../explorer/stored.tsx';
import { formOf } from './address.ts';

const Question = ({
  organization,
  query,
  hrefOf,
  isSaved,
}: {
  organization: string;
  query: string;
  hrefOf: (query: string) => string;
  isSaved: boolean;
}) => {
  const { q, user } = formOf(new URLSearchParams(query));
  return (
    <li>
      <span>
        <Link href={hrefOf(query)} state={ASKED}>
          <Stored>{q}</Stored>
        </Link>{' '}
        {user !== '' && (
          <span className="muted">
            of <Stored>{user}</Stored>
          </span>
        )}
      </span>
      <button
        type="button"
        className="small quiet"
        aria-label={isSaved ? `Remove ${q}` : `Save ${q}`}
        onClick={() => toggleSaved(organization, query)}
      >
        {isSaved ? 'Remove' : 'Save'}
      </button>
    </li>
  );
};

/** Lists the questions that were saved and asked in this browser; a click asks one again. */
export const Questions = ({
  organization,
  user,
  hrefOf,
}: {
  organization: string;
  /** Lists only those of this user. */
  user: string | undefined;
  /** Returns the path of a question by the query of its address. */
  hrefOf: (query: string) => string;
}) => {
  const kept = useQuestions(organization);
  const isOfUser = (query: string): boolean =>
    user === undefined || new URLSearchParams(query).get('user') === user;
  const saved = kept.saved.filter(isOfUser);
  const asked = kept.asked.filter(query => isOfUser(query) && !saved.includes(query));
  if (saved.length + asked.length === 0) return null;
  return (
    <details className="kept-questions">
      <summary>Saved and earlier questions ({saved.length + asked.length})</summary>
      {saved.length > 0 && (
        <ul aria-label="Saved">
          {saved.map(query => (
            <Question key={query} {...{ organization, query, hrefOf }} isSaved />
          ))}
        </ul>
      )}
      {asked.length > 0 && (
        <ul aria-label="Asked before">
          {asked.map(query => (
            <Question key={query} {...{ organization, query, hrefOf }} isSaved={false} />
          ))}
        </ul>
      )}
      <p className="muted">
        Only this browser keeps them, without their answers. Signing out forgets those that are not saved.
        {asked.length > 0 && (
          <button type="button" className="small quiet" onClick={() => forgetAsked(organization)}>
            Forget earlier ones
          </button>
        )}
      </p>
    </details>
  );
};
