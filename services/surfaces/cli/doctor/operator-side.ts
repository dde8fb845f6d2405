import type { CallOperator } from '../../../../core/operator/calls.ts';
import { grouped } from '../../client/terminal.ts';
import { makeChecks, type Report } from './check.ts';

const checkGenerations = async (call: CallOperator, signal: AbortSignal, report: Report): Promise<void> => {
  const { ok, warn } = makeChecks(report, 'generations');
  const all = await Array.fromAsync(call('generations', {}, signal));
  const dropped = all.filter(({ state }) => state === 'dropped');
  const text = all
    .map(({ projection, number, state, behind }) => {
      const what = `generation ${number} of ${projection}: ${state}`;
      return behind === 0 ? what : `${what}, ${grouped(behind)} events behind`;
    })
    .join('; ');
  if (dropped.length > 0) warn(text, 'turnstone replay builds one again');
  else ok(text);
};

const checkDeadLetters = async (call: CallOperator, signal: AbortSignal, report: Report): Promise<void> => {
  const { ok, warn } = makeChecks(report, 'dead letters');
  const open = await Array.fromAsync(call('deadLetters.list', { state: 'open' }, signal));
  if (open.length === 0) ok('none is open');
  else
    warn(
      `${grouped(open.length)} set aside and open`,
      'turnstone dead-letters list says why; requeue them once that is gone',
    );
};

/** Checks what only an operator may ask, over the socket of the server beside this command. */
export const checkAsOperator = async (
  call: CallOperator,
  signal: AbortSignal,
  report: Report,
): Promise<void> => {
  await checkGenerations(call, signal, report);
  await checkDeadLetters(call, signal, report);
};
