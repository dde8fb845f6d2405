import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, textFile, zipFile } from '../../../../../support/files/exports.ts';

interface Mail {
  id?: string;
  from?: string;
  date?: string | null;
  subject?: string;
  /** Further lines of the head. */
  head?: string[];
  body: string;
}

const ADA = 'Ada Lovelace <ada@example.com>';

const mail = ({
  id,
  from = ADA,
  date = 'Mon, 5 Jan 2026 10:30:00 +0100',
  subject = 'Lunch',
  head = [],
  body,
}: Mail) =>
  [
    'From ada@example.com Mon Jan  5 09:30:00 2026',
    ...(id === undefined ? [] : [`Message-ID: <${id}>`]),
    `From: ${from}`,
    ...(date === null ? [] : [`Date: ${date}`]),
    `Subject: ${subject}`,
    ...head,
    '',
    body,
    '',
  ].join('\n');

const boxOf = (...mails: (Mail | string)[]): string =>
  `${mails.map(one => (typeof one === 'string' ? one : mail(one))).join('\n')}\n`;

const reading = async (text: string | Buffer, options: { bots?: boolean } = {}, pieces?: number) => {
  const { turns, ...rest } = await readExport(textFile('Inbox.mbox', text), 'mbox', options, pieces);
  return {
    ...rest,
    found: turns,
    turns: turns.map(({ title, turn }) => [title, turn.role, turn.timestamp, turn.text]),
  };
};

it('is detected by its first line, in a file of any name, a folder or a zip file', async () => {
  const text = boxOf({ body: 'hello' });
  expect(await detectFormat(await openArchive(textFile('Inbox', text)))).toBe('mbox');
  const zip = await zipFile('takeout.zip', { 'Takeout/Mail/All mail.mbox': text, 'Takeout/x.json': '{}' });
  expect(await detectFormat(await openArchive(zip))).toBe('mbox');
  expect(
    await detectFormat(await openArchive(textFile('x.txt', 'From where I stand\nall is well\n'))),
  ).toBeUndefined();
  const eml = boxOf({ body: 'hello' }).split('\n').slice(1).join('\n');
  expect(await detectFormat(await openArchive(textFile('a.eml', eml)))).toBe('mbox');
  await expect(reading('no mail at all\n')).rejects.toThrow(/^does not begin as a file of mail does$/);
});

describe('a message', () => {
  it('is what its sender wrote, at the instant of its date', async () => {
    const { turns, faults, leftOut } = await reading(
      boxOf({
        id: 'a@x',
        body: 'Yes, at noon.\n\nOn Mon, 5 Jan 2026, Ben <ben@example.com> wrote:\n> Lunch?',
      }),
    );
    expect(turns).toEqual([['Lunch', 'Ada Lovelace', '2026-01-05T09:30:00.000Z', 'Yes, at noon.']]);
    expect([faults, leftOut]).toEqual([[], {}]);
  });

  it('has encoded names and subjects, and parts of which the plain one is read', async () => {
    const { turns, leftOut } = await reading(
      boxOf({
        from: '=?UTF-8?Q?J=C3=B6rg_M=C3=BCller?= <j@example.com>',
        subject: '=?ISO-8859-1?Q?Caf=E9?= =?UTF-8?B?IHVuZCBUZWU=?=',
        head: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="m"'],
        body: [
          '--m',
          'Content-Type: multipart/alternative; boundary="a"',
          '',
          '--a',
          'Content-Type: text/plain; charset=iso-8859-1',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          'Gr=FC=DFe aus dem =',
          'Caf=E9.',
          '--a',
          'Content-Type: text/html; charset=utf-8',
          'Content-Transfer-Encoding: base64',
          '',
          Buffer.from('<p>Grüße aus dem <b>Café</b>.</p>').toString('base64'),
          '--a--',
          '--m',
          'Content-Type: application/pdf; name="menu.pdf"',
          'Content-Disposition: attachment; filename="menu.pdf"',
          'Content-Transfer-Encoding: base64',
          '',
          'JVBERi0=',
          '--m--',
        ].join('\n'),
      }),
    );
    expect(turns).toEqual([
      ['Café und Tee', 'Jörg Müller', '2026-01-05T09:30:00.000Z', 'Grüße aus dem Café.'],
    ]);
    expect(leftOut).toEqual({ 'pictures, recordings and files': 1 });
  });

  it('of HTML alone is read as text, without what it quotes', async () => {
    const { turns } = await reading(
      boxOf({
        head: ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'],
        body: '<div>Yes &amp; <i>no</i>.</div><div class="gmail_quote">On Mon, 5 Jan 2026 at 09:30 Ben &lt;ben@x.example&gt; wrote:<blockquote>Lunch?</blockquote></div>',
      }),
    );
    expect(turns.map(turn => turn[3])).toEqual(['Yes & no.']);
  });

  it('has lines that begin with From, and ends at the next message alone', async () => {
    const { turns } = await reading(
      boxOf(
        {
          body: 'One.\n\n>From here on\n>>From quoted\n\nFrom now on, too.\nFrom ada Mon Jan  5 09:30:00 2026 inside',
        },
        { body: 'Two.' },
      ).replaceAll('\n', '\r\n'),
    );
    expect(turns.map(turn => turn[3])).toEqual([
      'One.\n\nFrom here on\n\nFrom now on, too.\nFrom ada Mon Jan  5 09:30:00 2026 inside',
      'Two.',
    ]);
  });

  it('reads the same in pieces of any size', async () => {
    const text = boxOf({ id: 'a', body: 'One.' }, { id: 'b', body: 'Two.\n\nlong'.repeat(50) });
    const whole = await reading(text);
    for (const pieces of [1, 7, 64]) expect((await reading(text, {}, pieces)).turns).toEqual(whole.turns);
  });

  it('that is broken is named by its line, never by its words, and the others are stored', async () => {
    const { turns, faults } = await reading(
      boxOf(
        { body: 'fine' },
        { date: null, body: 'secret one' },
        { date: 'some day', body: 'secret two' },
        { from: '', body: 'secret three' },
        { body: 'fine too' },
      ),
    );
    expect(turns.map(turn => turn[3])).toEqual(['fine', 'fine too']);
    expect(faults).toEqual([
      ['line 8', 'begins a message without a readable Date'],
      ['line 14', 'begins a message without a readable Date'],
      ['line 21', 'begins a message without a sender'],
    ]);
  });
});

describe('messages that nobody meant to say', () => {
  const BOX = boxOf(
    { from: 'news@shop.example', head: ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'], body: 'Sale!' },
    { from: 'Git <noreply@git.example>', body: 'Build failed.' },
    { head: ['Auto-Submitted: auto-replied'], body: 'I am away.' },
    { head: ['Precedence: list', 'List-Id: <bees.example>'], body: 'On a list, by a person.' },
    { head: ['X-Gmail-Labels: Inbox,Spam'], body: 'Win!' },
    { head: ['X-Mozilla-Status: 0009'], body: 'Deleted.' },
    { body: '> quoted only' },
    { body: '' },
  );

  it('are left out, and counted by their kinds', async () => {
    const { turns, leftOut } = await reading(BOX);
    expect(turns.map(turn => turn[3])).toEqual(['On a list, by a person.']);
    expect(leftOut).toEqual({
      'messages of programs and newsletters': 3,
      'messages in spam, trash and drafts': 1,
      'messages that were deleted': 1,
      'messages that only quote or pass on others': 1,
      'messages without text': 1,
    });
  });

  it('are stored with --bots where programs sent them', async () => {
    const { turns } = await reading(BOX, { bots: true });
    expect(turns.map(turn => [turn[1], turn[3]])).toEqual([
      ['news@shop.example', 'Sale!'],
      ['Git', 'Build failed.'],
      ['Ada Lovelace', 'I am away.'],
      ['Ada Lovelace', 'On a list, by a person.'],
    ]);
  });
});

describe('a thread', () => {
  const sessionsOf = async (text: string) => (await reading(text)).found.map(({ session }) => session);

  it('is by what its messages answer, in any order, mixed with others', async () => {
    const { found } = await reading(
      boxOf(
        {
          id: 'c@x',
          subject: 'Re: Lunch',
          head: ['References: <a@x>\n <b@x>', 'In-Reply-To: <b@x>'],
          body: 'third',
        },
        { id: 'z@x', subject: 'Bees', body: 'other' },
        { id: 'a@x', subject: 'Lunch', body: 'first' },
        { id: 'b@x', subject: 'AW: Lunch', head: ['In-Reply-To: <a@x>'], body: 'second' },
        { id: 'y@x', subject: 'Re: Bees', head: ['In-Reply-To: <z@x>'], body: 'another' },
      ),
    );
    const sessions = found.map(({ session }) => session);
    expect(new Set(sessions).size).toBe(2);
    expect([sessions[0], sessions[1]]).toEqual([sessions[2], sessions[4]]);
    expect(sessions[3]).toBe(sessions[0]);
    expect(found.map(({ title }) => title)).toEqual(['Lunch', 'Bees', 'Lunch', 'Lunch', 'Bees']);
    expect(found.every(({ within }) => within?.session === 'mail')).toBe(true);
  });

  it('has the same id where its first message is missing, or comes with a later export', async () => {
    const reply = { id: 'b@x', subject: 'Re: Lunch', head: ['References: <a@x>'], body: 'second' };
    const [later] = await sessionsOf(boxOf({ id: 'a@x', body: 'first' }, reply));
    expect(await sessionsOf(boxOf(reply))).toEqual([later]);
  });

  it("is Gmail's where Gmail names one", async () => {
    const gmail = (id: string, thread: string) => ({ id, head: [`X-GM-THRID: ${thread}`], body: id });
    const [a, b, c] = await sessionsOf(boxOf(gmail('a', '1'), gmail('b', '1'), gmail('c', '2')));
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });

  it('ends where messages answer each other in a circle', async () => {
    const to = (id: string, other: string) => ({ id, head: [`In-Reply-To: <${other}>`], body: id });
    const sessions = await sessionsOf(boxOf(to('a', 'b'), to('b', 'c'), to('c', 'a'), to('d', 'd')));
    expect(new Set(sessions).size).toBe(2);
  });

  it('is one message each where they have no ids', async () => {
    const sessions = await sessionsOf(boxOf({ body: 'one' }, { subject: 'Other', body: 'two' }));
    expect(new Set(sessions).size).toBe(2);
  });
});

it('reads a folder of messages, each in a file', async () => {
  const eml = (id: string, body: string) => mail({ id, body }).split('\n').slice(1).join('\n');
  const zip = await zipFile('mail.zip', { 'a.eml': eml('a', 'one'), 'b.eml': eml('b', 'two') });
  const { turns, faults } = await readExport(zip, 'mbox');
  expect(turns.map(({ location, turn }) => [location, turn.text])).toEqual([
    ['a.eml, line 1', 'one'],
    ['b.eml, line 1', 'two'],
  ]);
  expect(faults).toEqual([]);
});
