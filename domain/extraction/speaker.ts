/** Roles in a conversation that are not people's names. */
const PARTS = new Set(
  'user assistant system tool human ai bot agent customer support model function developer client operator person speaker me you guest admin caller moderator memory document'.split(
    ' ',
  ),
);

/** Whether a role is a part in a conversation rather than a name. */
export const isPart = (role: string): boolean => PARTS.has(role.trim().toLowerCase());

/** Returns the speaker's label in the third person: "Ada", "The user". */
export const speakerLabel = (role: string): string => {
  const speaker = role.trim();
  if (speaker === '') return 'The speaker';
  return isPart(speaker) ? `The ${speaker.toLowerCase()}` : speaker;
};
