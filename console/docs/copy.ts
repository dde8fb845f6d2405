/** A button on each block of code. Of a terminal it copies the commands, without prompts and output. */
import { element } from './element.ts';

const SHOWN_MS = 2_000;

/** Returns the text that is copied of a block: the commands are in `<b>` (code.ts of the service). */
const copiedOf = (block: Element): string => {
  const commands = [...block.querySelectorAll('pre b')].map(one => one.textContent ?? '');
  const text = commands.length > 0 ? commands.join('\n') : (block.querySelector('pre')?.textContent ?? '');
  return text.trimEnd();
};

/** Selects the text, so that the reader can copy it: without TLS a page may not write to the clipboard. */
const select = (block: Element): void => {
  const pre = block.querySelector('pre');
  if (pre) getSelection()?.selectAllChildren(pre);
};

export const addCopyButtons = (root: ParentNode = document): void => {
  for (const block of root.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(copiedOf(block));
        button.textContent = 'Copied';
      } catch {
        select(block);
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SHOWN_MS);
    });
    block.append(button);
  }
};
