/**
 * Renders Slack's markup (mrkdwn) as plain text: mentions and links are in angle brackets, code in backticks,
 * bold, italic and struck words between marks, and `&`, `<` and `>` are entities.
 */
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

const ANGLES = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g;
/** Code and what is in angle brackets have no marks of styles. */
const KEPT = /```([\s\S]*?)```|`([^`\n]+)`|<[^<>]*>/g;
/** A style's marks are at the edges of words: `2 * 3 * 4` and `snake_case_name` have none. */
const STYLED = /(?<![\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}])/gu;
/** Bold words may be italic and struck. */
const MOST_STYLES = 3;
const SKIN_TONE = /::skin-tone-[2-6]:/g;
/** Stands for a kept part while the styles are taken off. */
const PLACE = /\ue000(\d+)\ue001/g;

const withoutStyles = (text: string): string => {
  let plain = text;
  for (let i = 0; i < MOST_STYLES; i++) plain = plain.replace(STYLED, '$2');
  return plain.replace(SKIN_TONE, ':');
};

/** Renders a message as Slack shows it, without styles and with the addresses of its links. */
export const slackText = (text: string, names: SlackNames): string => {
  const inAngles = (part: string): string =>
    part.replace(ANGLES, (_, sign: string, target: string, label?: string) =>
      sign === '' ? linked(target, label || undefined) : mentioned(sign, target, label || undefined, names),
    );
  const kept: string[] = [];
  const marked = text.replace(KEPT, (all, block?: string, code?: string) => {
    kept.push(inAngles(block?.replace(/^\n|\n$/g, '') ?? code ?? all));
    return `\ue000${kept.length - 1}\ue001`;
  });
  return withoutStyles(marked)
    .replace(PLACE, (all, index: string) => kept[Number(index)] ?? all)
    .replace(/&(amp|lt|gt);/g, entity => ENTITIES[entity]!);
};
