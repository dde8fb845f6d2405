import type { Me } from '../api/types.ts';
import { Code } from '../parts/copy.tsx';
import { Empty } from '../parts/frame/notices.tsx';
import { firstTurn, ingestExample } from '../words/snippets.ts';

/** Shows the first step while nothing is stored. The example has its own user, which only `*` may name. */
export const FirstTurn = ({ me }: { me: Me }) => (
  <Empty title="Nothing is stored yet">
    <p>
      To store a turn, run this with your API key in <code>TURNSTONE_API_KEY</code>:
    </p>
    <Code text={firstTurn(window.location.origin, me.org_id)} what="curl lines that store a turn" />
    {me.roles.includes('*') && (
      <>
        <p>
          Or store the README's example, in the source folder: three conversations between Ada and Ben, seven
          turns.
        </p>
        <Code text={ingestExample(window.location.origin)} what="command that stores the example" />
      </>
    )}
    <p>Then reload this page.</p>
  </Empty>
);
