import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXPORTS, fixtureFiles, textFile, zipFile } from '../support/files/exports.ts';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer } from '../support/processes/server.ts';
import { CONVERSATIONS, environmentOf, manyConversations, tokensIn, turnsOnTheLog } from './import.ts';

const whatsapp = (file: string) => [join(EXPORTS, 'whatsapp', file), '--time-zone', 'Europe/Berlin'];

/** Each export, with a question, the session, where it has a name of its own, and the words of its answer. */
const CASES: [string, () => Promise<string[]>, string, string | undefined, string][] = [
  [
    'ChatGPT',
    async () => [await zipFile('chatgpt.zip', fixtureFiles('chatgpt')), '--me', 'Ada'],
    'Which tram climbs to the castle?',
    'chatgpt-11111111-aaaa',
    'Tram 28',
  ],
  [
    'Claude',
    async () => [await zipFile('claude.zip', fixtureFiles('claude'))],
    'How long does sourdough rise?',
    'claude-c1aude-1',
    'twelve hours',
  ],
  ['Slack', async () => [join(EXPORTS, 'slack')], 'What is the surprise?', 'slack-G01', 'telescope'],
  [
    'WhatsApp on an iPhone',
    async () => [
      await zipFile('WhatsApp Chat - Family.zip', fixtureFiles('whatsapp')),
      '--time-zone',
      'Europe/Berlin',
    ],
    'When is the picnic?',
    'whatsapp-Family',
    'Saturday',
  ],
  [
    'WhatsApp on Android',
    async () => whatsapp('WhatsApp Chat with Ben.txt'),
    'How is the fig tree?',
    'whatsapp-Ben',
    'fig tree',
  ],
  [
    'Telegram',
    async () => [
      textFile(
        'result.json',
        JSON.stringify({
          name: 'Club',
          type: 'private_group',
          id: 77,
          messages: [
            {
              id: 1,
              type: 'message',
              date_unixtime: '1767605400',
              from: 'Ada',
              from_id: 'user1',
              text: ['The ', { type: 'bold', text: 'chess board' }, ' stands in the attic.'],
            },
          ],
        }),
      ),
    ],
    'Where does the chess board stand?',
    'telegram-77',
    'attic',
  ],
  [
    'Claude Code',
    async () => [
      textFile(
        's1.jsonl',
        `${JSON.stringify({
          type: 'user',
          sessionId: 's1',
          timestamp: '2026-01-05T09:30:00Z',
          message: { role: 'user', content: 'Indent the parser with tabs.' },
        })}\n`,
      ),
    ],
    'How is the parser indented?',
    'claude-code-s1',
    'tabs',
  ],
  [
    'Gemini',
    async () => [
      textFile(
        'MyActivity.json',
        JSON.stringify([
          {
            header: 'Gemini Apps',
            title: 'Prompted Where is the spare kettle?',
            time: '2026-01-05T09:30:00Z',
            products: ['Gemini Apps'],
            safeHtmlItem: [{ html: '<p>The spare kettle is in the <b>pantry</b>.</p>' }],
          },
        ]),
      ),
    ],
    'Where is the spare kettle?',
    'gemini-2026-01-05T09:30:00.000Z',
    'pantry',
  ],
  [
    'Letta',
    async () => [
      textFile(
        'agent.af',
        JSON.stringify({
          agents: [
            {
              name: 'gardener',
              agent_type: 'letta_v1_agent',
              block_ids: ['b'],
              messages: [
                {
                  role: 'user',
                  content: 'The rake hangs in the greenhouse.',
                  created_at: '2026-01-05T09:30:00Z',
                },
              ],
            },
          ],
          blocks: [{ id: 'b', label: 'human', value: 'Keeps bees.' }],
        }),
      ),
    ],
    'Where does the rake hang?',
    'letta-gardener',
    'greenhouse',
  ],
  [
    'Graphiti',
    async () => [
      textFile(
        'graph.json',
        JSON.stringify({
          nodes: [
            { uuid: 'n1', name: 'Ada' },
            { uuid: 'n2', name: 'the bakery' },
          ],
          edges: [
            {
              name: 'WORKS_AT',
              fact: 'Ada works at the bakery.',
              source_node_uuid: 'n1',
              target_node_uuid: 'n2',
              valid_at: '2026-01-05T09:30:00Z',
            },
          ],
        }),
      ),
    ],
    'Where does Ada work?',
    'zep-facts',
    'bakery',
  ],
  [
    'e-mail',
    async () => [
      textFile(
        'Inbox.mbox',
        [
          'From ada@example.com Mon Jan  5 09:30:00 2026',
          'Message-ID: <a@example.com>',
          'From: Ada <ada@example.com>',
          'Date: Mon, 5 Jan 2026 09:30:00 +0000',
          'Subject: The picnic basket',
          '',
          'The picnic basket is under the stairs.',
          '',
        ].join('\n'),
      ),
    ],
    'Where is the picnic basket?',
    undefined,
    'stairs',
  ],
  [
    'JSON Lines',
    async () => [
      textFile('a.jsonl', '{"role":"Ada","text":"The kayak is blue.","timestamp":"2026-01-01T00:00:00Z"}\n'),
      '--session',
      'lake',
    ],
    'Which colour has the kayak?',
    'lake',
    'blue',
  ],
];

it('takes each export in: dry, for good, found by a question, and again for nothing', async () => {
  const server = await startServer();
  const client = await connect(server);
  const importing = (args: string[]) =>
    runCommand(['import', ...args, '--user', 'ada'], environmentOf(server));
  let billed = 0;
  for (const [name, args, question, session, words] of CASES) {
    const given = await args();
    const dry = await importing([...given, '--dry-run']);
    expect((await client.today()).tokens_in, `${name}: a dry run bills nothing`).toBe(billed);
    const cost = tokensIn(dry.stdout, /^tokens +([\d,]+)/m);

    const first = await importing(given);
    expect(tokensIn(first.stdout, /([\d,]+) tokens? billed/), name).toBe(cost);
    billed += cost;
    expect((await client.today()).tokens_in, name).toBe(billed);

    const { hits } = await client.recall({
      q: question,
      scope: { user_id: 'ada', ...(session !== undefined && { session_id: session }) },
      kinds: ['turn'],
      top_k: 3,
    });
    billed = (await client.today()).tokens_in;
    expect(hits.turns.map(({ text }) => text).join('\n'), name).toContain(words);

    expect((await importing(given)).stdout, name).toContain('0 tokens billed');
    expect((await client.today()).tokens_in, `${name}: the second time`).toBe(billed);
  }
  const { body } = await client.request<{ sessions: { session_id: string; title: string | null }[] }>(
    'GET',
    '/memory/sessions?user_id=ada&limit=200',
  );
  const titles = Object.fromEntries(body.sessions.map(one => [one.session_id, one.title]));
  expect(titles).toMatchObject({
    'chatgpt-11111111-aaaa': 'Trip to Lisbon',
    'whatsapp-Family': 'Family',
    // A file of lines names no conversation.
    lake: null,
  });
  expect(await server.stop()).toBe(0);
});

it('a fact of a graph that was invalidated holds no more, and the one after it does', async () => {
  const server = await startServer();
  const client = await connect(server);
  const edge = (target: string, fact: string, valid_at: string, invalid_at?: string) => ({
    name: 'LIVES_IN',
    source_node_uuid: 'n0',
    target_node_uuid: target,
    fact,
    valid_at,
    invalid_at,
  });
  const graph = textFile(
    'graph.json',
    JSON.stringify({
      nodes: ['Ada', 'Lisbon', 'Porto', 'Bath'].map((name, index) => ({ uuid: `n${index}`, name })),
      edges: [
        edge('n1', 'Ada lives in Lisbon.', '2025-01-01T00:00:00Z', '2026-01-05T00:00:00Z'),
        edge('n2', 'Ada lives in Porto.', '2026-01-05T00:00:00Z'),
        // Nothing came after it.
        {
          ...edge('n3', 'Ada studies in Bath.', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z'),
          name: 'STUDIES_IN',
        },
      ],
    }),
  );
  await runCommand(['import', graph, '--user', 'ada'], environmentOf(server));
  const { body } = await client.request<{ facts: { attribute: string; value: string; source: string }[] }>(
    'GET',
    '/memory/facts?user_id=ada&limit=200',
  );
  expect(
    body.facts.filter(({ source }) => source === 'client').map(({ attribute, value }) => [attribute, value]),
  ).toEqual([['lives_in', 'Porto']]);
  await server.stop();
});

it('an import that the quota of the day ended goes on when the operator raises it', async () => {
  const server = await startServer({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '1000' } });
  const zip = await manyConversations();
  const first = await runCommand(['import', zip], environmentOf(server));
  expect(first.status).toBe(1);
  expect(first.stderr).toMatch(/stopped with \d+ turns stored this time; the same command resumes after/);
  expect(first.stderr).toContain('turnstone orgs set-limits local --tokens-in N');
  await runCommand(['orgs', 'set-limits', 'local', '--tokens-in', '0'], environmentOf(server));
  const second = await runCommand(['import', zip], environmentOf(server));
  expect(second.status).toBe(0);
  expect(second.stderr).toContain('resuming after');
  expect(await turnsOnTheLog(server)).toBe(3 * CONVERSATIONS);
  await server.stop();
});
