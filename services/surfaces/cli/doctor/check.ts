import { printable, styled, type Terminal } from '../../client/terminal.ts';

export interface Check {
  /** The part that was looked at, in a word or two. */
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** The remedy; only of a part that is not well. */
  action?: string;
}

/** Takes each check as it is done. */
export type Report = (check: Check) => void;

/** The checks of one part, by its name. */
export const makeChecks = (report: Report, name: string) => ({
  ok: (message: string): void => report({ name, status: 'ok', message }),
  warn: (message: string, action: string): void => report({ name, status: 'warn', message, action }),
  fail: (message: string, action: string): void => report({ name, status: 'fail', message, action }),
});

const NAME_WIDTH = 20;

/** A check as a line: nothing that a server answers can break it. */
export const lineOf = (terminal: Terminal, { name, status, message, action }: Check): string => {
  const head = `${status.padEnd(4)}  ${printable(name).padEnd(NAME_WIDTH)}  `;
  const words = printable(action === undefined ? message : `${message}: ${action}`);
  return styled(terminal, status === 'ok' ? 'dim' : 'bold', head) + words;
};
