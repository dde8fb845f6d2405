/** What the service answers, as its OpenAPI document tells; only what the console reads. */
import type { Role } from '../../../../schemas/http/account-requests.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

export interface Totals {
  tokens_in: number;
  tokens_out: number;
}

export interface Me {
  org_id: string;
  user_id: string;
  roles: Role[];
}

export interface UsageToday extends Totals {
  /** RFC 3339; when the caps open again. */
  end: string;
  /** 0: no cap. */
  limits: Totals;
}

export interface UsageDay extends Totals {
  /** YYYY-MM-DD. */
  day: string;
}

/** Every day of the month up to today. */
export interface UsageDaily {
  days: UsageDay[];
}

export interface Readiness {
  ready: boolean;
  engines: Record<string, { ok: boolean; detail: string }>;
}

/** One page of a list; its members are under `Name`. */
export type Page<Name extends string, Item> = { [name in Name]: Item[] } & { next_cursor: string | null };

/** Instants are RFC 3339 in UTC with milliseconds. */
export interface UserItem {
  user_id: string;
  sessions: number;
  turns: number;
  last_at: string | null;
}

export interface SessionItem {
  user_id: string;
  session_id: string;
  turns: number;
  first_at: string | null;
  last_at: string | null;
}

export interface TurnItem {
  id: string;
  user_id: string;
  session_id: string;
  role: string;
  text: string;
  timestamp: string;
}

export type Source = 'client' | 'rules' | 'llm';

export interface ObservationItem {
  id: string;
  turn_id: string;
  source: Source;
  text: string;
}

export interface TurnDetails extends TurnItem {
  observations: ObservationItem[];
  entities: { id: string; label: string; kind: string }[];
  /** Its place in the log; null until it is projected. */
  provenance: { topic: string; partition: number; offset: number; recorded_at: string } | null;
}

export type Aspect = 'words' | 'meaning' | 'conversation' | 'speaker' | 'time' | 'form';

/** score = factor / (1 + exp(-(base + the sum of the log_odds))) */
export interface Explanation {
  base: number;
  /** The weightiest first. */
  parts: { feature: string; aspect: Aspect; log_odds: number }[];
  factor: number;
}

interface FragmentHit {
  id: string;
  /** With `[date] [role] ` before the words of a turn. */
  text: string;
  score: number;
  /** Unix seconds. */
  timestamp: string;
  user_id: string;
  session_id: string;
  /** Where the call asked for it. */
  explanation?: Explanation;
}

export interface TurnHit extends FragmentHit {
  kind: 'turn';
  role: string;
}

export interface ObservationHit extends FragmentHit {
  kind: 'observation';
  source: Source;
  source_turn_ids: string[];
}

export interface EntityHit {
  kind: 'entity';
  id: string;
  label: string;
  score: number;
}

export type Hit = TurnHit | ObservationHit | EntityHit;

export interface Recalled {
  hits: { turns: TurnHit[]; observations: ObservationHit[]; entities: EntityHit[] };
  confidence: number;
  timeline: string | null;
  mode: 'active' | 'deep';
  usage: Totals;
}

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  roles: Role[];
  user_id: string;
  session_id: string | null;
  created_at: string;
  last_used_at: string | null;
}

/** `api_key` is the secret, told this once. */
export type NewApiKey = ApiKey & { api_key: string };
