import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import type { FormatName } from '../../../../../../services/surfaces/importers/formats.ts';
import {
  EXPORTS,
  fixtureFiles,
  readExport,
  shown,
  textFile,
  zipFile,
} from '../../../../../support/files/exports.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

const formatOf = async (path: string) => {
  const archive = await openArchive(path);
  const name = await detectFormat(archive);
  archive.close();
  return name;
};

describe('the format', () => {
  it.each([
    ['chatgpt', 'chatgpt'],
    ['claude', 'claude'],
    ['slack', 'slack'],
    ['whatsapp/_chat.txt', 'whatsapp'],
    ['whatsapp/WhatsApp Chat with Ben.txt', 'whatsapp'],
    ['chatgpt/conversations-000.json', 'chatgpt'],
    ['claude/conversations.json', 'claude'],
  ])('of %s is known as %s', async (path, name) => {
    expect(await formatOf(join(EXPORTS, path))).toBe(name);
  });

  it.each([
    ['chatgpt', 'chatgpt'],
    ['claude', 'claude'],
    ['slack', 'slack'],
  ])('of a zip file of %s too', async (folder, name) => {
    expect(await formatOf(await zipFile('x.zip', fixtureFiles(folder)))).toBe(name);
  });

  it.each([
    ['{"format":"turnstone-export","version":1}\n{}', 'events'],
    ['\ufeff{"role":"Ada","text":"x","timestamp":"2026-01-01T00:00:00Z"}\n', 'jsonl'],
    ['[{"sample_id":"a","conversation":{}}]', 'locomo'],
    ['{\n "mapping": {}, "id": "1"\n}', 'chatgpt'],
    [' [ {"chat_messages": []} ]', 'claude'],
    ['01/02/2026, 10:00 - Ada: hi', 'whatsapp'],
    ['[]', undefined],
    ['nothing', undefined],
    ['', undefined],
  ])('of %j is %s', async (text, name) => {
    expect(await formatOf(textFile('file', text))).toBe(name);
  });
});

describe('any pieces', () => {
  const cases: [FormatName, string][] = [
    ['chatgpt', 'chatgpt'],
    ['claude', 'claude'],
    ['slack', 'slack'],
    ['whatsapp', 'whatsapp/_chat.txt'],
  ];
  it.each(cases)('of the bytes of %s give the same turns', async (format, path) => {
    const options =
      format === 'whatsapp' ? ({ session: 's', timeZone: 'UTC', dateOrder: 'dmy' } as const) : {};
    const whole = await readExport(join(EXPORTS, path), format, options);
    expect(whole.turns.length).toBeGreaterThan(4);
    for (const bytes of [1, 2, 3, 7, 64, 1_000])
      expect(await readExport(join(EXPORTS, path), format, options, bytes)).toEqual(whole);
  });
});

describe('what is damaged', () => {
  const conversations = readFileSync(join(EXPORTS, 'claude/conversations.json'));

  it('is told by its place, wherever it was cut', async () => {
    const text = conversations.toString();
    for (let cut = 1; cut < text.trimEnd().length; cut += 97) {
      const reading = readExport(textFile('conversations.json', text.slice(0, cut)), 'claude');
      await expect(reading).rejects.toThrow(
        /^is not JSON in UTF-8( after conversation \d)?, or was cut short$/,
      );
    }
  });

  it('is named with the file in a zip file', async () => {
    const zip = await zipFile('x.zip', { 'conversations.json': conversations.subarray(0, 900) });
    await expect(readExport(zip, 'claude')).rejects.toThrow(/^conversations\.json is not JSON in UTF-8/);
  });

  it('is a zip file that was cut short, or changed', async () => {
    const bytes = readFileSync(await zipFile('x.zip', fixtureFiles('claude')));
    await expect(openArchive(textFile('x.zip', bytes.subarray(0, 500)))).rejects.toThrow(/cut short/);
    const changed = Buffer.from(bytes);
    changed.fill(0x41, 60, 200);
    await expect(readExport(textFile('x.zip', changed), 'claude')).rejects.toThrow(
      "conversations.json can't be unpacked: the zip file is damaged",
    );
  });
});

describe('a zip file', () => {
  /** A zip file whose directory says that its one entry has so many bytes. */
  const claiming = async (bytes: number, text: string) => {
    const zip = readFileSync(await zipFile('x.zip', { 'conversations.json': text }));
    zip.writeUInt32LE(bytes, zip.indexOf('PK\u0001\u0002') + 24);
    return textFile('x.zip', zip);
  };

  it('that unpacks to far more than it is, is refused before it is read', async () => {
    await expect(openArchive(await claiming(100 * 1024 * 1024, '[]'))).rejects.toThrow(
      'conversations.json unpacks to more than 200 times its size',
    );
  });

  it('that unpacks to more than it says is read no further', async () => {
    const zip = await claiming(10, `[${' '.repeat(1_000_000)}]`);
    await expect(readExport(zip, 'claude')).rejects.toThrow(/^conversations.json can't be unpacked/);
  });

  it('with a path that leads out of it is refused, and nothing is written', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'in.zip');
    const bytes = readFileSync(await zipFile('x.zip', { 'aa/conversations.json': '[]' }));
    const evil = Buffer.from(bytes.toString('latin1').replaceAll('aa/conv', '../conv'), 'latin1');
    writeFileSync(path, evil);
    await expect(openArchive(path)).rejects.toThrow(
      'contains ../conversations.json, a path that points outside it: this is not an export',
    );
    expect(readdirSync(folder)).toEqual(['in.zip']);
  });
});

it('follows no link out of a folder', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'export'));
  writeFileSync(join(folder, 'secret.json'), '[]');
  symlinkSync(join(folder, 'secret.json'), join(folder, 'export/conversations.json'));
  expect((await openArchive(join(folder, 'export'))).entries).toEqual([]);
});

it('has one fingerprint for the same content, and another for another', async () => {
  const fingerprintOf = async (path: string) => (await openArchive(path)).fingerprint();
  const files = fixtureFiles('claude');
  const first = await fingerprintOf(await zipFile('a.zip', files));
  expect(await fingerprintOf(await zipFile('b.zip', files))).toBe(first);
  expect(await fingerprintOf(await zipFile('a.zip', { ...files, 'projects.json': '[1]' }))).not.toBe(first);
  expect(await fingerprintOf(textFile('a', 'x'))).not.toBe(await fingerprintOf(textFile('a', 'y')));
});

it('reads one conversation as an object, as some programs save it', async () => {
  const [conversation] = JSON.parse(readFileSync(join(EXPORTS, 'claude/conversations.json'), 'utf8'));
  const path = textFile('sourdough.json', JSON.stringify(conversation, null, 2));
  expect(shown(await readExport(path, 'claude')).length).toBe(3);
});
