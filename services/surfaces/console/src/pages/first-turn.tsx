import type { Me } from '../api/types.ts';
import { Code } from '../parts/copy.tsx';
import { Empty } from '../parts/notices.tsx';
import { firstTurn, ingestExample } from '../words/snippets.ts';

/** The first step of somebody who has stored nothing. The example is of a user of its own, whom only `*` may name. */
export const FirstTurn = ({ me }: { me: Me }) => (
  <Empty title="Nothing is stored yet">
    <p>
      These lines store one turn, with your API key in <code>TURNSTONE_API_KEY</code>:
    </p>
    <Code text={firstTurn(window.location.origin, me.org_id)} what="curl lines that store a turn" />
    {me.roles.includes('*') && (
      <>
        <p>
          Or, in the folder of the sources, the README's example: three conversations of Ada and Ben, seven
          turns.
        </p>
        <Code text={ingestExample(window.location.origin)} what="command that stores the example" />
      </>
    )}
    <p>Then reload this page.</p>
  </Empty>
);
