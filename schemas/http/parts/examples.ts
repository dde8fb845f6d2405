/** The subject of all endpoints' examples: one turn of Ada's, and what was extracted from it. */

export const scope = { org_id: 'local', user_id: 'ada', session_id: 'monday' };

export const TURN_ID = 'trn_01c1867ad1376fca818c9058dcbb892e';
export const ENTITY_ID = 'ent_050456b33527481e45828878';
export const said = { user_id: 'ada', session_id: 'monday', timestamp: '2026-01-05T09:30:00.000Z' };
export const TEXT = 'I moved to Lyon last week.';
export const RECORDED_AT = '2026-01-05T09:30:01.744Z';
export const tokensPerDay = { tokens_in: 1_000_000, tokens_out: 5_000_000 };
