import { id } from './parts.ts';

export const scopeSchema = {
  type: 'object',
  required: ['org_id'],
  properties: {
    org_id: { ...id, description: "Required, but has no effect: the organization is the token's." },
    user_id: { ...id, description: "End-user partition inside the organization. Default: the token's user." },
    session_id: {
      ...id,
      description:
        "Conversation, channel or task. Default: the token's session_id claim; without one, ingestion writes to default-session and recall searches all sessions.",
    },
  },
} as const;
