import { expect, it } from 'vitest';
import { screenBody } from '../../../../../../services/surfaces/http/request/screened-body.ts';

const CARD = '4111111111111111';
const IS_CARD = '(secret: card-number)';
const by = { org: 'acme', signal: undefined };

const screened = async (json: string): Promise<unknown> => {
  const body = JSON.parse(json);
  const counts = await screenBody(body, by);
  return [JSON.stringify(body), counts];
};

it('screens each text of a body, also under names that an assignment would ignore', async () => {
  const body = (text: string) =>
    `{"turns":[{"text":"${text}","observations":["${text}",{"value":"${text}"}]}],"metadata":{"__proto__":"${text}","role":"${text}","deep":[[{"scope":"${text}"}]]},"new_member":"${text}"}`;
  expect(await screened(body(CARD))).toEqual([body(IS_CARD), { 'card-number': 7 }]);
});

it('leaves what things are found by, and what has an alphabet of its own', async () => {
  const body = `{"scope":{"user_id":"${CARD}","session_id":"${CARD}"},"turns":[{"role":"${CARD}","observations":[{"attribute":"${CARD}"}]}],"filter":{"key":"a","eq":"${CARD}"},"split":[{"session_id":"${CARD}"}],"n":4111111111111111}`;
  expect(await screened(body)).toEqual([body, {}]);
});

it('screens a body that is as deep as it is long', async () => {
  const depth = 100_000;
  const body = JSON.parse(`${'['.repeat(depth)}"${CARD}"${']'.repeat(depth)}`);
  expect(await screenBody(body, by)).toEqual({ 'card-number': 1 });
});

it('ends with its call', async () => {
  const gone = new AbortController();
  const texts = Array.from({ length: 2_000 }, () => 'secret key token pass '.repeat(400));
  const work = screenBody({ texts }, { org: 'acme', signal: gone.signal });
  gone.abort(new Error('gone'));
  await expect(work).rejects.toThrow('gone');
});
