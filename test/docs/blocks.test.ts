import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, isShown, masked, stepsOf } from '../support/files/documents.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { ROOT } from '../support/processes/server.ts';
import { blocksOfAll, DOCUMENTS, ELSEWHERE, staleEntries } from './which.ts';

const LANGUAGES = ['sh', 'console', 'ts', 'python', 'json', 'mermaid', 'text'];
const blocks = blocksOfAll();
const at = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`;

describe('code blocks', () => {
  it('are in languages that are checked; what is none says `text`', () => {
    expect(blocks.length).toBeGreaterThan(30);
    expect(blocks.filter(({ language }) => !LANGUAGES.includes(language)).map(at)).toEqual([]);
  });

  it('that show what is typed say `console`', () => {
    const typed = blocks.filter(({ language, text }) => language === 'text' && /^\$ /m.test(text));
    expect(typed.map(at)).toEqual([]);
  });

  it('are all closed', () => {
    for (const file of DOCUMENTS) {
      const fences = readFileSync(join(ROOT, file), 'utf8').match(/^ *```/gm) ?? [];
      expect(fences.length, file).toBe(2 * blocksOf(file).length);
    }
  });

  it('of JSON are JSON, or JSON Lines', () => {
    const json = blocks.filter(({ language }) => language === 'json');
    expect(json.length).toBeGreaterThan(2);
    for (const block of json) {
      const parse = (text: string) => () => JSON.parse(text);
      const lines = block.text.trim().split('\n');
      const isLines = lines.length > 1 && lines.every(line => /^\{.*\}$/.test(line));
      for (const text of isLines ? lines : [block.text]) expect(parse(text), at(block)).not.toThrow();
    }
  });

  it('that are not run are named with a reason, and no reason has lost its block', () => {
    expect(staleEntries()).toEqual([]);
    for (const [file, test] of Object.entries(ELSEWHERE)) {
      expect(DOCUMENTS).toContain(file);
      expect(readFileSync(join(ROOT, test), 'utf8')).toContain(file);
    }
  });
});

/**
 * `turnstone replay recall --dry-run   # what` → the words of the call; pipes, redirections and comments end
 * it.
 */
const callOf = (line: string): string[] | undefined => {
  const call = /^(?:\$ )?turnstone (.*)$/.exec(line.trim())?.[1];
  const [words = ''] = call?.split(/\s+[#|>&;]/) ?? [];
  return call === undefined ? undefined : words.trim().split(/\s+/);
};

describe('commands that are told of', () => {
  const calls = blocks
    .filter(({ language }) => language !== 'json')
    .flatMap(block => block.text.split('\n').map(line => ({ block, words: callOf(line) })))
    .flatMap(({ block, words }) => (words ? [{ block, words }] : []));

  it('are commands of ours, with options that they have', async () => {
    expect(calls.length).toBeGreaterThan(20);
    const helps = new Map<string, string>();
    const helpOf = async (words: readonly string[]): Promise<string> => {
      const key = words.join(' ');
      const known = helps.get(key);
      if (known !== undefined) return known;
      const { status, stdout } = await runCommand([...words, '--help']);
      expect(status, key).toBe(0);
      helps.set(key, stdout);
      return stdout;
    };
    for (const { block, words } of calls) {
      const top = await helpOf([]);
      expect(top, at(block)).toMatch(new RegExp(`^ +${words[0]}\\b`, 'm'));
      const own = await helpOf([words[0]!]);
      const isGroup = words[1] && new RegExp(`^Commands:[\\s\\S]*^ +${words[1]}\\b`, 'm').test(own);
      const help = isGroup ? await helpOf(words.slice(0, 2)) : own;
      for (const option of words.filter(word => word.startsWith('--')))
        expect(help, `${at(block)} ${words.join(' ')}`).toContain(option.split('=')[0]);
    }
  });

  it('of npm are scripts of the package, and files that are named exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const block of blocks) {
      for (const [, name = ''] of block.text.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g))
        expect(Object.keys(scripts), at(block)).toContain(name);
      for (const [, file = ''] of block.text.matchAll(/\bcompose -f (\S+)/g))
        expect(existsSync(join(ROOT, file)), at(block)).toBe(true);
    }
  });
});

describe('the comparison with what is shown', () => {
  it('looks at words, and not at what differs from run to run', () => {
    const shown = 'Stored trn_01c57df220b5c688d93bd58136ffe4f0 in 0.4 s, 19 turns/s.';
    expect(isShown(shown, 'Stored trn_99957df220b5c688d93bd58136ffe4f0 in  1.25 s, 7 turns/s.\n')).toBe(true);
    expect(isShown(shown, 'Lost trn_01c57df220b5c688d93bd58136ffe4f0 in 0.4 s, 19 turns/s.')).toBe(false);
    expect(masked('a 1,000.5\tb')).toBe('a # b');
  });

  it('takes a line `…` for any lines, and nothing else for them', () => {
    expect(isShown('a\n…\nd', 'a\nb\nc\nd')).toBe(true);
    expect(isShown('a\n…', 'a\nb')).toBe(true);
    expect(isShown('a\n…\nd', 'a\nb\nc')).toBe(false);
    expect(isShown('a\n…\nd', 'x\na\nd')).toBe(false);
    expect(isShown('a', 'a\nb')).toBe(false);
  });

  it('reads transcripts with commands of several lines', () => {
    const text = '$ curl \\\n  -s x\n{}\n$ ls\n';
    const block = { file: '', line: 1, language: 'console', text };
    expect(stepsOf(block)).toEqual([
      { command: 'curl \\\n  -s x', output: '{}' },
      { command: 'ls', output: '' },
    ]);
  });
});
