import { createInterface } from 'node:readline/promises';
import { EXIT, failure } from '../../client/exit.ts';
import type { Terminal } from '../../client/terminal.ts';
import type { Archive } from '../../importers/files/archive.ts';
import { type ReadOptions, wallTimesOf } from '../../importers/formats.ts';
import { isTimeZone } from '../../importers/whatsapp/local-time.ts';
import type { DateOrder } from '../../importers/whatsapp/whatsapp-dates.ts';

const MOST_QUESTIONS = 3;
/** A shell's exit status for a command that was ended by Ctrl-C. */
const INTERRUPTED = 130;

const WORDS: Record<DateOrder, string> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};

const isThere = ({ stdin }: Terminal): boolean => (stdin as { isTTY?: boolean }).isTTY === true;

/** Asks until the answer is valid; a script must pass an option instead. */
const asked = async <T>(
  terminal: Terminal,
  question: string,
  withoutTerminal: string,
  understood: (answer: string) => T | undefined,
): Promise<T> => {
  if (isThere(terminal)) {
    const prompt = createInterface({ input: terminal.stdin, output: terminal.stderr });
    const ended = new AbortController();
    let isInterrupted = false;
    prompt.once('SIGINT', () => {
      isInterrupted = true;
      prompt.close();
    });
    // Without this the question would wait forever at the end of the input.
    prompt.once('close', () => ended.abort());
    try {
      for (let asking = 0; asking < MOST_QUESTIONS; asking++) {
        const answer = understood((await prompt.question(question, { signal: ended.signal })).trim());
        if (answer !== undefined) return answer;
      }
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      if (isInterrupted) throw Object.assign(new Error('interrupted'), { exitStatus: INTERRUPTED });
    } finally {
      prompt.close();
    }
  }
  throw failure(EXIT.usage, withoutTerminal);
};

const askTimeZone = (terminal: Terminal): Promise<string> => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return asked(
    terminal,
    `The file has times without a time zone. Which zone was the phone in? (Enter: ${own}) `,
    "the file has times without a time zone: add the phone's, as --time-zone Europe/Berlin",
    answer => (answer === '' ? own : isTimeZone(answer) ? answer : undefined),
  );
};

const askDateOrder = (terminal: Terminal, candidates: DateOrder[], example: string): Promise<DateOrder> => {
  const choice = candidates.map(order => `${order} (${WORDS[order]})`).join(' or ');
  return asked(
    terminal,
    `Dates such as ${example} can be ${choice}. Which? `,
    `dates such as ${example} can be ${choice}, and the file does not settle it: add one, as --date-order ${candidates[0]}`,
    answer => candidates.find(order => order === answer.toLowerCase()),
  );
};

/** Determines time zone and date order from the file, the options or a question; `summary` states how. */
export const settleWallTimes = async (
  terminal: Terminal,
  archive: Archive,
  options: ReadOptions,
): Promise<{ options: ReadOptions; summary: string }> => {
  const { hasName, dates, fitsAny } = await wallTimesOf(archive);
  if (!hasName && options.session === undefined)
    throw failure(EXIT.usage, 'the file does not name the chat: add a session, as --session family');
  let { dateOrder } = options;
  let because = 'from --date-order';
  if (dateOrder !== undefined && !fitsAny(dateOrder))
    throw failure(
      EXIT.usage,
      `no date in the file can be ${WORDS[dateOrder]}: --date-order ${dateOrder} is wrong`,
    );
  if (dateOrder === undefined) {
    if ('impossible' in dates)
      throw failure(
        EXIT.usage,
        `line ${dates.impossible} has a date that is not valid since 2009 in any order, perhaps of another calendar; with --date-order such lines continue the message above`,
      );
    if ('misfit' in dates)
      throw failure(
        EXIT.usage,
        `line ${dates.misfit} has a date in another order than those above; choose one with --date-order, and such lines continue the message above`,
      );
    if ('order' in dates) ({ order: dateOrder, because } = dates);
    else {
      dateOrder = await askDateOrder(terminal, dates.candidates, dates.example);
      because = 'from your answer';
    }
  }
  const timeZone = options.timeZone ?? (await askTimeZone(terminal));
  return {
    options: { ...options, dateOrder, timeZone },
    summary: `${timeZone}; dates read as ${WORDS[dateOrder]}: ${because}`,
  };
};
