/**
 * LoCoMo (Maharana et al. 2024) in its published format. Evaluation only (CC BY-NC 4.0): no part of it is in
 * this repository. `query` of a turn is never read: it was written to find the photo.
 */
export interface LocomoTurn {
  diaId: string;
  speaker: string;
  text: string;
  /** Unix milliseconds: the session's time plus one second a turn. */
  timestamp: number;
}

export interface LocomoSession {
  /** `session_1` … */
  id: string;
  turns: LocomoTurn[];
}

export interface LocomoQuestion {
  question: string;
  /** 1 multi-hop, 2 temporal, 3 open, 4 single-hop, 5 adversarial. */
  category: number;
  /** dia_ids that exist, distinct. */
  evidence: string[];
}

export interface LocomoConversation {
  id: string;
  sessions: LocomoSession[];
  questions: LocomoQuestion[];
}

export const CATEGORIES: Record<number, string> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open',
  4: 'single-hop',
  5: 'adversarial',
};

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const SESSION_TIME = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/;

/** Returns `1:56 pm on 8 May, 2023` as Unix milliseconds, read as UTC. */
export const sessionTime = (text: string): number => {
  const match = SESSION_TIME.exec(text.trim());
  const month = match ? MONTHS.indexOf(match[5]!) : -1;
  if (!match || month < 0) throw new Error(`not a session's time: ${text}`);
  const hour = (Number(match[1]) % 12) + (match[3] === 'pm' ? 12 : 0);
  return Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]));
};

/** Repairs evidence ids: `D8:6; D9:17` is two, `D30:05` is `D30:5`, and ids that don't exist are dropped. */
export const evidenceIds = (raw: readonly unknown[], known: ReadonlySet<string>): string[] => {
  const ids = raw
    .flatMap(entry => String(entry).split(/[;,\s]+/))
    .map(id => id.replace(/^D0*(\d+):0*(\d+)$/, 'D$1:$2'))
    .filter(id => known.has(id));
  return [...new Set(ids)];
};

interface RawTurn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

interface RawConversation {
  sample_id: string;
  conversation: Record<string, string | RawTurn[]>;
  qa: { question: string; category: number; evidence?: unknown[] }[];
}

export const parseLocomo = (json: string): LocomoConversation[] => {
  const raw = JSON.parse(json) as RawConversation[];
  return raw.map(({ sample_id, conversation, qa }) => {
    const sessions = Object.keys(conversation)
      .filter(name => /^session_\d+$/.test(name) && Array.isArray(conversation[name]))
      .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
      .map(id => parseSession(id, conversation[id] as RawTurn[], String(conversation[`${id}_date_time`])));
    const known = new Set(sessions.flatMap(session => session.turns.map(turn => turn.diaId)));
    const questions = qa.map(({ question, category, evidence }) => ({
      question,
      category,
      evidence: evidenceIds(evidence ?? [], known),
    }));
    return { id: sample_id, sessions, questions };
  });
};

const parseSession = (id: string, turns: readonly RawTurn[], time: string): LocomoSession => {
  const start = sessionTime(time);
  return {
    id,
    turns: turns.map((turn, i) => ({
      diaId: turn.dia_id,
      speaker: turn.speaker,
      text: turn.blip_caption ? `${turn.text} [shared a photo: ${turn.blip_caption}]` : turn.text,
      timestamp: start + i * 1000,
    })),
  };
};
