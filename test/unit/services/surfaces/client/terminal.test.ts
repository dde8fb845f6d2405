import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import {
  note,
  print,
  printable,
  printJson,
  styled,
  type Terminal,
  warn,
} from '../../../../../services/surfaces/client/terminal.ts';

const CONTROLS = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, n) => 0x7f + n)];
const REORDERING = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const HOSTILE = [...CONTROLS, ...REORDERING, 0x2028, 0x2029]
  .filter(code => code !== 10)
  .map(code => String.fromCharCode(code));
const ESCAPES = ['\u001b[2J', '\u001b[8mhidden', '\u001b]0;title\u0007', '\u009b31m', 'a\rb', '\u001b[1Am'];

const world = () => {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const terminal = {
    ...streams,
    stdin: new PassThrough(),
    environment: {},
    composition: {},
  } as never as Terminal;
  const written = () =>
    ['stdout', 'stderr'].map(name => String(streams[name as 'stdout'].read() ?? '')).join('');
  return { terminal, written };
};

it.each([print, note, warn])('%o writes nothing of stored words that a terminal obeys', write => {
  for (const hostile of [...HOSTILE, ...ESCAPES]) {
    const { terminal, written } = world();
    write(terminal, `said ${hostile} here\nand there`);
    const text = written();
    for (const one of HOSTILE) expect(text).not.toContain(one);
    expect(text).toMatch(/said [^\n]*here\nand there\n$/);
  }
});

it('keeps the styles of our own', () => {
  const { terminal, written } = world();
  Object.assign(terminal.stdout, { isTTY: true });
  for (const style of ['bold', 'cyan', 'dim'] as const) print(terminal, styled(terminal, style, 'x'));
  expect(written()).toBe('\u001b[1mx\u001b[22m\n\u001b[36mx\u001b[39m\n\u001b[2mx\u001b[22m\n');
});

it('writes JSON that is exact and harmless', () => {
  const value = { said: [...HOSTILE, ...ESCAPES], lines: 'a\nb' };
  for (const indent of [undefined, 2]) {
    const { terminal, written } = world();
    printJson(terminal, value, indent);
    const text = written();
    for (const one of HOSTILE) expect(text).not.toContain(one);
    expect(JSON.parse(text)).toEqual(value);
  }
});

it('makes one part of a line of stored words', () => {
  for (const hostile of [...HOSTILE, '\n']) expect(printable(`a${hostile}b`)).toMatch(/^a ?b$/);
});

it('is the only place that writes lines: others draw a line over, and end it', () => {
  const root = 'services/surfaces';
  const wrong = ['cli', 'importers', 'client'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('terminal.ts'))
      .flatMap(name =>
        readFileSync(join(root, folder, name), 'utf8')
          .split('\n')
          .filter(line => /std(out|err)\.write\(|console\./.test(line) && !line.includes('\\r'))
          .map(line => `${folder}/${name}: ${line.trim()}`),
      ),
  );
  // The help of commander, which is ours.
  expect(wrong).toEqual(['cli/cli.ts: writeOut: text => terminal.stdout.write(text),']);
});
