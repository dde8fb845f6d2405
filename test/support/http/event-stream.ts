/** A small client of server-sent events, as the HTML standard reads them. */

export interface Told {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  data: any;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** The last id that was heard, of an event or of a beat. */
  lastId(): string | undefined;
  /** Every event that comes; ends with the stream, rejects when the connection is cut. */
  events(): AsyncGenerator<Told>;
  /** The body of a refusal. */
  refusal(): Promise<unknown>;
  close(): void;
}

export const openEvents = async (
  url: string,
  token: string,
  { after, lastEventId, path = '/events' }: { after?: string; lastEventId?: string; path?: string } = {},
): Promise<EventStream> => {
  const closing = new AbortController();
  const response = await fetch(`${url}${path}${after === undefined ? '' : `?after=${after}`}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: closing.signal,
  });
  let lastId: string | undefined;
  return {
    status: response.status,
    headers: response.headers,
    lastId: () => lastId,
    events: async function* () {
      let held = '';
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        held += text;
        for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
          const fields = held
            .slice(0, end)
            .split('\n')
            .map(line => /^(\w*): ?(.*)$/.exec(line))
            .filter(field => field !== null);
          held = held.slice(end + 2);
          const of = (name: string): string | undefined => fields.find(field => field[1] === name)?.[2];
          lastId = of('id') ?? lastId;
          const data = of('data');
          if (data !== undefined) yield { id: lastId!, event: of('event')!, data: JSON.parse(data) };
        }
      }
    },
    refusal: () => response.json(),
    close: () => closing.abort(),
  };
};

/** Takes events until the condition holds or the stream ends, then closes it. */
export const take = async (
  stream: EventStream,
  isEnough: (told: readonly Told[]) => boolean,
): Promise<Told[]> => {
  const told: Told[] = [];
  if (isEnough(told)) return told;
  try {
    for await (const one of stream.events()) {
      told.push(one);
      if (isEnough(told)) break;
    }
  } finally {
    stream.close();
  }
  return told;
};
