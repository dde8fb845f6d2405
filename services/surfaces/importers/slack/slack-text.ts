/** Renders Slack's markup: mentions and links are in angle brackets, and `&`, `<` and `>` are entities. */
export interface SlackNames {
  userName(id: string): string | undefined;
  channelName(id: string): string | undefined;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const mentioned = (sign: string, id: string, label: string | undefined, names: SlackNames): string => {
  switch (sign) {
    case '@':
      return `@${names.userName(id) ?? label ?? id}`;
    case '#':
      return `#${names.channelName(id) ?? label ?? id}`;
    default: {
      // <!here>, <!subteam^S1|@team>, <!date^…|the date as text>
      const [command = ''] = id.split('^');
      return label ?? `@${command}`;
    }
  }
};

const linked = (url: string, label: string | undefined): string => {
  const address = url.replace(/^(mailto|tel):/, '');
  return label === undefined || label === address || label === url ? address : `${label} (${address})`;
};

/** Renders a message as Slack shows it, with the addresses of its links. */
export const slackText = (text: string, names: SlackNames): string =>
  text
    .replace(/<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g, (_, sign: string, target: string, label?: string) =>
      sign === '' ? linked(target, label || undefined) : mentioned(sign, target, label || undefined, names),
    )
    .replace(/&(amp|lt|gt);/g, entity => ENTITIES[entity]!);
