import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Archive } from '../../../../../services/surfaces/importers/files/archive.ts';
import { type FormatName, formatNamed } from '../../../../../services/surfaces/importers/formats.ts';
import { isImportFault } from '../../../../../services/surfaces/importers/turns/found.ts';

/** Stands for what people said: it is in no message about a fault. */
const SECRET = 'sesame';
const NOON = '2026-01-05T12:00:00Z';

const archiveOf = (files: Record<string, string | Buffer>, kind: Archive['kind']): Archive => ({
  kind,
  name: 'export',
  entries: Object.entries(files)
    .map(([path, text]) => ({ path, size: Buffer.byteLength(text) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1)),
  read: async function* (path) {
    yield Buffer.from(files[path]!);
  },
  fingerprint: async () => '',
  close: () => {},
});

/** Reads everything; returns what is told of faults. Rejects with anything but a fault of the file. */
const toldOf = async (format: FormatName, archive: Archive): Promise<string[]> => {
  const told: string[] = [];
  try {
    const recognized = await formatNamed(format).recognizes(archive, undefined);
    expect(recognized).toBeTypeOf('boolean');
    for await (const found of formatNamed(format).read(archive, {}))
      if ('faults' in found) told.push(String(found.location), ...found.faults);
      else if ('leftOut' in found) told.push(found.leftOut);
  } catch (error) {
    if (!isImportFault(error)) throw error;
    told.push(error.message);
  }
  return told;
};

type Path = (string | number)[];

const pathsIn = (value: unknown, path: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
    : [path];

const replaced = (value: unknown, path: Path, by: unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
};

const ODD = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1e300,
  '',
  ' ',
  SECRET,
  '\ud800',
  '__proto__',
  '9999-99-99T99:99:99Z',
  [],
  [null],
  [[]],
  {},
  { text: null },
  { constructor: 1 },
);

const graph = {
  episodes: [
    { uuid: 'e', name: 'x', source: 'message', group_id: 'g', content: `Ada: ${SECRET}`, valid_at: NOON },
  ],
  nodes: [
    { uuid: 'n1', name: 'Ada', summary: SECRET },
    { uuid: 'n2', name: SECRET },
  ],
  edges: [
    {
      name: 'KNOWS',
      fact: SECRET,
      source_node_uuid: 'n1',
      target_node_uuid: 'n2',
      valid_at: NOON,
      expired_at: NOON,
    },
  ],
  messages: [{ uuid: 'm', role: 'user', name: 'Ada', content: SECRET, created_at: NOON }],
};
const agents = {
  agents: [
    {
      name: 'a',
      agent_type: 'memgpt_agent',
      block_ids: ['b'],
      messages: [
        { role: 'user', content: [{ type: 'text', text: SECRET }], created_at: NOON },
        {
          role: 'assistant',
          content: SECRET,
          tool_calls: [{ function: { name: 'send_message', arguments: `{"message":"${SECRET}"}` } }],
          created_at: NOON,
        },
      ],
    },
  ],
  blocks: [{ id: 'b', label: 'human', value: SECRET }],
};
const activities = [
  {
    header: 'Gemini Apps',
    products: ['Gemini Apps'],
    title: `Prompted ${SECRET}`,
    time: NOON,
    safeHtmlItem: [{ html: `<p>${SECRET}` }],
    attachedFiles: [{}],
  },
  {
    conversation_turns: [
      { user_turn: { prompt: SECRET, turn_last_modified: NOON } },
      { system_turn: { text: [{ data: SECRET }] } },
    ],
  },
];
const chats = [
  {
    id: '1',
    title: SECRET,
    create_time: 1,
    current_node: 'b',
    mapping: {
      a: {
        parent: null,
        children: ['b'],
        message: {
          author: { role: 'user' },
          content: {
            content_type: 'user_editable_context',
            user_profile: SECRET,
            model_set_context: `1. [2025-01-01]. ${SECRET}`,
          },
          metadata: { user_context_message_data: { about_user_message: SECRET } },
        },
      },
      b: {
        parent: 'a',
        children: [],
        message: {
          author: { role: 'assistant' },
          recipient: 'bio',
          create_time: 2,
          content: { parts: [SECRET] },
        },
      },
    },
  },
];
const claude = {
  'conversations.json': [
    {
      uuid: 'c',
      updated_at: NOON,
      chat_messages: [
        {
          sender: 'human',
          text: SECRET,
          created_at: NOON,
          attachments: [{ file_name: '', extracted_content: SECRET }],
        },
      ],
    },
  ],
  'projects.json': [
    {
      uuid: 'p',
      name: SECRET,
      description: SECRET,
      prompt_template: SECRET,
      created_at: NOON,
      docs: [{ filename: SECRET, content: SECRET }],
    },
  ],
  'memories.json': [{ conversations_memory: SECRET, project_memories: { p: SECRET } }],
};
const slack = {
  'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
  'users.json': [{ id: 'U1', name: 'ada', profile: { display_name: 'Ada', real_name: 'Ada L.' } }],
  'general/2026-01-05.json': [
    {
      type: 'message',
      user: 'U1',
      ts: '1767614400.000100',
      thread_ts: '1767614400.000100',
      text: `*${SECRET}* <@U1>`,
    },
    {
      type: 'message',
      bot_id: 'B',
      ts: '1767614401.0',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: SECRET }, fields: [{}] }],
      attachments: [{ title: SECRET, fields: [{ title: SECRET }] }],
    },
  ],
};
const cogx = {
  'manifest.json': { cogx_version: '0.1', exported_at: NOON },
  'episodes.jsonl': {
    external_id: 'e',
    title: 'x',
    scope: { user_id: 'u' },
    turns: [{ role: 'user', content: SECRET, occurred_at: NOON }],
  },
  'memories.jsonl': { content: SECRET, scope: { run_id: 'r' } },
  'memory_blocks.jsonl': { label: 'human', value: SECRET },
  'entities.jsonl': { external_id: 'n', name: SECRET, description: SECRET },
  'facts.jsonl': {
    subject_ref: 'n',
    predicate: 'p',
    object_ref: 'n',
    fact_text: SECRET,
    valid_at: NOON,
    invalid_at: NOON,
  },
};

it.each<[FormatName, Record<string, unknown>, Archive['kind']]>([
  ['zep', { 'graph.json': graph }, 'file'],
  ['letta', { 'a.af': agents }, 'file'],
  ['gemini', { 'MyActivity.json': activities }, 'file'],
  ['gemini', { 'Takeout/Gemini/conversation_1.txt': activities[1] }, 'zip'],
  ['chatgpt', { 'conversations.json': chats }, 'folder'],
  ['claude', claude, 'zip'],
  ['slack', slack, 'zip'],
  ['cogx', cogx, 'folder'],
])(
  '%s with any part replaced is read or refused, and no words of people are told',
  async (format, files, kind) => {
    const paths = pathsIn(files).filter(path => path.length > 0);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...paths), ODD), { minLength: 1, maxLength: 2 }),
        async changes => {
          // The second change may be below what the first one replaced.
          let odd: unknown = files;
          for (const [path, by] of changes)
            try {
              odd = replaced(odd, path, by);
            } catch {
              // There is nothing any more.
            }
          const texts = Object.fromEntries(
            Object.entries(odd as object).map(([path, value]) => [path, JSON.stringify(value) ?? 'null']),
          );
          for (const message of await toldOf(format, archiveOf(texts, kind)))
            expect(message).not.toContain(SECRET);
        },
      ),
      { numRuns: 400 },
    );
  },
);

it('mbox with any bytes replaced is read or refused, and no words of people are told', async () => {
  const mail = (id: string) =>
    [
      'From ada@example.com Mon Jan  5 09:30:00 2026',
      `Message-ID: <${id}@example.com>`,
      'References: <a@example.com> <b@example.com>',
      'From: =?UTF-8?Q?J=C3=B6rg?= <j@example.com>',
      'Date: Mon, 5 Jan 2026 10:30:00 +0100',
      `Subject: =?UTF-8?B?${Buffer.from(SECRET).toString('base64')}?=`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="x"',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      `<p>${SECRET} &amp; <blockquote>${SECRET}=`,
      '</blockquote>',
      '--x--',
      '',
      '',
    ].join('\n');
  const whole = Buffer.from(mail('a') + mail('b') + mail('c'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 }),
      fc.nat(whole.length),
      async (changes, end) => {
        const bytes = Buffer.from(whole.subarray(0, Math.max(60, end)));
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        for (const message of await toldOf('mbox', archiveOf({ 'a.mbox': bytes }, 'file')))
          expect(message).not.toContain(SECRET);
      },
    ),
    { numRuns: 400 },
  );
});
