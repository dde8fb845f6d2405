/** Quotes `text` as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const post = (url: string, body: object): string =>
  `curl -s ${shellWord(url)} -H "$KEY" -H 'content-type: application/json' -d ${shellWord(JSON.stringify(body))}`;

/**
 * A curl line per step, to paste. The key is read from its file, so that it stays out of the shell's history.
 */
export const firstSteps = (url: string, keyFile: string): string[] => {
  const turn = {
    role: 'Ada',
    text: 'My sister Grace moved to Lisbon in March.',
    timestamp: '2026-04-02T09:30:00Z',
  };
  const ingest = { scope: { org_id: 'local' }, turns: [turn] };
  const recall = { scope: { org_id: 'local' }, q: 'Where does Grace live?', include_timeline: true };
  return [
    `It is shown only once and stored in ${keyFile}. Sign in to the console with it:`,
    '',
    `  ${url}/console`,
    '',
    'Or use another shell:',
    '',
    `  KEY="x-api-key: $(cat ${shellWord(keyFile)})"`,
    `  ${post(`${url}/ingestion/memory`, ingest)}`,
    `  ${post(`${url}/recall`, recall)}`,
    '',
    'Or: turnstone recall "Where does Grace live?" (in a clone: npm run turnstone -- recall …)',
  ];
};
