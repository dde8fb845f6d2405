import { users } from '../../api/calls.ts';
import type { Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { Page } from '../../parts/frame/page.tsx';
import { Unless } from '../../parts/unless.tsx';
import { FirstVisit } from '../first-visit/first-visit.tsx';
import { askPath } from './address.ts';
import { AskPanel } from './panel.tsx';
import './ask.css';
import './answer/answer.css';

const Asking = ({ me }: { me: Me }) => {
  const any = useLoad('any user', signal => users({ limit: 1 }, signal));
  return (
    <>
      {any.value?.users.length === 0 && <FirstVisit me={me} onStored={any.reload} />}
      <AskPanel me={me} pathOfForm={askPath} />
    </>
  );
};

/** The recall playground. */
export const Ask = ({ me }: { me: Me }) => (
  <Page
    title="Ask"
    lead={<p>Ask in plain words and get what was said. A recall is billed like any other.</p>}
  >
    <Unless me={me} needs="memory:read" what="ask">
      <Asking me={me} />
    </Unless>
  </Page>
);
