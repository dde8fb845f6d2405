import { randomBytes } from 'node:crypto';
import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Me } from '../../../../clients/typescript/src/types.ts';
import type { Client } from '../../client/client.ts';
import { makeChecks, type Report } from './check.ts';
import { mayDo } from './key.ts';

/** How long a turn lives that can't be taken away. */
const LIVES_MS = 60 * 60_000;

/** The scope of this run alone: a session of its own and, where the key may name any, a user of its own. */
interface OwnScope {
  user_id?: string;
  session_id: string;
}

const ownScope = (me: Me): OwnScope => {
  const name = `turnstone-doctor-${randomBytes(8).toString('hex')}`;
  return { ...(me.roles.includes('*') && !me.strict && { user_id: name }), session_id: name };
};

/** Times a call; its failure is a check that failed. */
const timed = async <T>(
  report: Report,
  name: string,
  call: () => Promise<T>,
): Promise<{ answer: T; ms: number } | undefined> => {
  const began = performance.now();
  try {
    const answer = await call();
    return { answer, ms: Math.round(performance.now() - began) };
  } catch (error) {
    makeChecks(report, name).fail(
      (error as Error).message.split('\n')[0]!,
      'the checks above say what is not well; a 429 is a quota or a rate',
    );
    return undefined;
  }
};

const write = async (client: Client, scope: OwnScope, word: string, report: Report) => {
  const now = Date.now();
  const written = await timed(report, 'write', () =>
    client.call(
      operations.ingest({
        scope: { org_id: 'any', ...scope },
        turns: [
          {
            role: 'turnstone doctor',
            text: `The check word of this test is ${word}.`,
            timestamp: new Date(now).toISOString(),
          },
        ],
        // Nothing is to be understood of it, and no language model is asked.
        options: { write_passive: false, expires_at: new Date(now + LIVES_MS).toISOString() },
      }),
    ),
  );
  if (!written) return undefined;
  const { answer, ms } = written;
  makeChecks(report, 'write').ok(`a turn in ${ms} ms, ${answer.usage.tokens_in} tokens billed`);
  return answer.active_fragment_ids[0];
};

const recall = async (client: Client, scope: OwnScope, id: string, report: Report): Promise<void> => {
  const { ok, fail } = makeChecks(report, 'recall');
  const found = await timed(report, 'recall', () =>
    client.call(
      operations.recall({
        scope: { org_id: 'any', ...scope },
        q: 'What is the check word of this test?',
        kinds: ['turn'],
        top_k: 1,
      }),
    ),
  );
  if (!found) return;
  const { hits, usage } = found.answer;
  if (hits.turns[0]?.id === id)
    ok(`it is found in ${found.ms} ms, ${usage.tokens_in + usage.tokens_out} tokens billed`);
  else
    fail(
      'the turn that was just written is not found',
      'turnstone verify compares the index with the log; report it',
    );
};

/** Takes the turn away: by erasing its session or, with less rights, by hiding it. */
const takeAway = async (
  client: Client,
  me: Me,
  scope: OwnScope,
  id: string,
  report: Report,
): Promise<void> => {
  const { ok, warn, fail } = makeChecks(report, 'taken away');
  if (mayDo(me, 'memory:erase')) {
    const erased = await timed(report, 'taken away', () => client.call(operations.erase(scope)));
    if (!erased) return;
    if (erased.answer.erased.turns === 1) ok(`erased in ${erased.ms} ms`);
    else fail('the erasure does not count the turn', 'report it');
    return;
  }
  if (mayDo(me, 'memory:curate')) {
    const hidden = await timed(report, 'taken away', () => client.call(operations.retractTurn(id)));
    if (hidden) ok('hidden for good; the key may not erase it (memory:erase), so it expires in an hour');
    return;
  }
  warn(
    'the key may neither erase nor hide the turn, so it expires in an hour',
    `it is in the session ${scope.session_id}`,
  );
};

/**
 * Writes one turn in a scope of its own, finds it, and takes it away again. Nobody's data is read or changed:
 * a key that can't name such a scope writes nothing.
 */
export const checkMemory = async (client: Client, me: Me, report: Report): Promise<void> => {
  const { warn } = makeChecks(report, 'write');
  const lacking = ['memory:write', 'memory:read'].filter(role => !mayDo(me, role));
  if (lacking.length > 0) {
    warn(`not tried: the key lacks ${lacking.join(' and ')}`, 'use a key with both to have it tried');
    return;
  }
  if (me.strict && me.session_id !== null) {
    warn(`not tried: the key never leaves the session ${me.session_id}`, 'use a key that may name another');
    return;
  }
  const scope = ownScope(me);
  const id = await write(client, scope, randomBytes(6).toString('hex'), report);
  if (id === undefined) return;
  await recall(client, scope, id, report);
  await takeAway(client, me, scope, id, report);
};
