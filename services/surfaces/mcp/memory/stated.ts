/** A stated or corrected fact, as the tools return it. */
import { z } from 'zod';
import { cleaned, oneLine, speakerName } from '../../../../domain/context/quote.ts';
import type { StatedObservation } from '../../../../schemas/http/curation.ts';
import type { OnlyId } from '../../../../schemas/http/parts/parts.ts';
import { valueText } from './profile.ts';
import { quoted } from './quoted.ts';
import { CONTINUED } from './recalled.ts';

const textOf = (most: number) => z.string().min(1).max(most);

/** The members of a fact in a tool's arguments; each tool adds its own descriptions. */
export const factInput = {
  text: textOf(4_096),
  subject: textOf(256),
  attribute: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/)
    .describe('What it says of the subject, in snake_case, such as home, employer or allergy.'),
  value: textOf(1_024).describe('What it is, such as Porto.'),
  about: textOf(256).describe('The object that the attribute is of, such as the laptop of a budget.'),
  stance: z.enum(['holds', 'changed', 'plan', 'was']),
  since: z.string(),
} as const;

export const statedOutput = {
  id: z.string().describe('The fact that holds now; it can be corrected, or hidden with forget.'),
  user: z.string().optional(),
  session: z.string().optional(),
  text: z.string().optional().describe('Absent, as all but the id, where the API key may not read.'),
  subject: z.string().optional(),
  attribute: z.string().optional(),
  about: z.string().optional(),
  value: z.string().optional(),
  since: z.string().optional().describe('From when it holds: RFC 3339, UTC.'),
} as const;

export const statedMembers = (stated: StatedObservation | OnlyId) => {
  if (!('text' in stated)) return { id: stated.id };
  const { id, user_id, session_id, text, subject, attribute, about, value, valid_from } = stated;
  return {
    id,
    user: oneLine(user_id),
    session: oneLine(session_id),
    text: cleaned(text),
    ...(subject && { subject: oneLine(subject.label) }),
    ...(attribute !== undefined && { attribute }),
    ...(about !== undefined && { about: oneLine(about) }),
    ...(value !== undefined && { value: oneLine(value) }),
    ...(valid_from && { since: valid_from }),
  };
};

const factLine = ({ subject, attribute, about, value, valid_from, ended }: StatedObservation): string[] => {
  if (attribute === undefined) return [];
  const of = about === undefined ? attribute : `${attribute} ("${valueText(about)}")`;
  const whose = subject ? `${of} of ${speakerName(subject.label)}` : of;
  const what = value === undefined ? 'none any more' : `${ended ? 'no longer ' : ''}"${valueText(value)}"`;
  return [`${whose}: ${what}${valid_from ? ` (since ${valid_from.slice(0, 10)})` : ''}`];
};

/** Writes the action, the sentence as a quotation, and the fact that it states. */
export const statedLines = (did: string, stated: StatedObservation | OnlyId): string[] =>
  'text' in stated
    ? [
        `${stated.usage.tokens_in > 0 ? did : 'It says so already, so nothing was added.'} It says, as a quotation:`,
        quoted(stated.text, CONTINUED),
        ...factLine(stated),
      ]
    : [`${did} This API key may not read: whether that changed anything is not told.`];
