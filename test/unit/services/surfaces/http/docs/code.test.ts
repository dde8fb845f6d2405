import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../services/surfaces/http/docs/markdown/markdown.ts';

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;
const html = (...parts: string[]): string => renderMarkdown(parts.join('\n'), 'a.md', () => undefined).html;
/** The labels of each choice. */
const labels = (text: string): string[][] =>
  text
    .split('<div class="choices">')
    .slice(1)
    .map(part => [...part.matchAll(/data-label="([^"]*)"/g)].map(([, label]) => label!));

const TS = block('ts', 'await turnstone.recall("x");');
const PYTHON = block('python', 'turnstone.recall("x")');
const CURL = block('console', '$ curl -s http://127.0.0.1:8080/recall\n{}');
const CLI = block('console', '$ turnstone recall x');

it('blocks that follow each other in different languages are a choice, in their order', () => {
  expect(labels(html(CLI, TS, PYTHON, CURL))).toEqual([['CLI', 'TypeScript', 'Python', 'curl']]);
});

it('blocks with words between them, of one language, or of none that is known, are no choice', () => {
  expect(labels(html(TS, 'And then:\n', PYTHON))).toEqual([]);
  expect(labels(html(CLI, CLI))).toEqual([]);
  expect(labels(html(TS, block('json', '{}')))).toEqual([]);
  expect(labels(html(block('console', '$ ls'), TS))).toEqual([]);
});

it('a second block of a language begins another choice', () => {
  expect(labels(html(CLI, TS, CLI, PYTHON))).toEqual([
    ['CLI', 'TypeScript'],
    ['CLI', 'Python'],
  ]);
});

it('what is typed is told from what is printed, over several lines, and the prompt from both', () => {
  const text = html(block('console', "$ curl -d '{\n  1}' \\\n  x\nanswer <b>\n$ ls"));
  expect(text).toContain(
    '<i>$ </i><b>curl -d &#39;{\n  1}&#39; \\\n  x</b>\nanswer &lt;b&gt;\n<i>$ </i><b>ls</b>',
  );
});
