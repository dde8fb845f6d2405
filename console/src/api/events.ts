/** The service's stream of what is written, read without EventSource: that can't send a token. */
import { requestStream } from './request.ts';
import type { ObservationEvent, TurnEvent } from './types.ts';

export type Written = TurnEvent | ObservationEvent;

interface Message {
  id: string | undefined;
  data: string;
}

/** Returns a function that takes the pieces of a stream of server-sent events and returns the messages. */
export const makeEventReader = (): ((piece: string) => Message[]) => {
  let rest = '';
  return piece => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop()!;
    return blocks.map(block => {
      const members = block.split('\n').flatMap(line => {
        const at = line.indexOf(':');
        return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1).replace(/^ /, '')] as const];
      });
      const of = (name: string): string[] => members.flatMap(([own, value]) => (own === name ? [value] : []));
      return { id: of('id').at(-1), data: of('data').join('\n') };
    });
  };
};

/** Follows the stream until it ends. `after`: the id of an event, or now. */
export const follow = async (
  after: string,
  tell: { onOpen: () => void; onEvent: (event: Written) => void; onPosition: (id: string) => void },
  signal: AbortSignal,
): Promise<void> => {
  const answer = await requestStream('/events', { query: { after }, signal });
  tell.onOpen();
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const messagesIn = makeEventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { id, data } of messagesIn(value)) {
      if (data !== '') tell.onEvent(JSON.parse(data) as Written);
      if (id !== undefined) tell.onPosition(id);
    }
  }
};
