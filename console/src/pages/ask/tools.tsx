import { useRouter } from 'wouter';
import { toggleSaved, useQuestions } from '../../api/questions.ts';
import type { Recalled } from '../../api/types.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { ASKED, pathOf, userPath } from '../../paths.ts';
import { formOf } from './address.ts';

/** Returns the page that compares two questions, given by their queries. */
const comparePath = (a: string, b: string): string => pathOf('/ask/compare', { a, b });

/** Shows what can be done with an answered question. `query`: as the question is kept. */
export const Tools = ({
  organization,
  query,
  answer,
}: {
  organization: string;
  query: string;
  answer: Recalled;
}) => {
  const { base } = useRouter();
  const isSaved = useQuestions(organization).saved.includes(query);
  const { user } = formOf(new URLSearchParams(query));
  return (
    <div className="tools">
      <button
        type="button"
        className="small"
        aria-pressed={isSaved}
        onClick={() => toggleSaved(organization, query)}
      >
        {isSaved ? 'Saved' : 'Save question'}
      </button>
      <Link href={comparePath(query, query)} state={ASKED} className="button small">
        Compare
      </Link>
      <CopyButton text={`${window.location.origin}${base}/ask?${query}`} label="Copy link" what="to this" />
      {answer.receipt_id !== undefined && user !== '' && (
        <Link href={userPath(user, 'receipts', { receipt: answer.receipt_id })} className="button small">
          Receipt
        </Link>
      )}
    </div>
  );
};
