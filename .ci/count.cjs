// Prints the files that took longest in the given results of vitest's reporter `json`, each test that failed and, last,
// the count of all.
const { readFileSync } = require('node:fs');
const { relative } = require('node:path');

/** The first line of a failure, without a terminal's colours. */
const firstLine = (text = '') => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const lines = text.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n');
  return (lines.find(line => line.trim() !== '') ?? 'no reason was told').trim().slice(0, 300);
};

/** Files whose time is told: where a run's time goes. */
const LONGEST = 40;

let passed = 0;
const times = [];
const failures = [];
for (const path of process.argv.slice(2)) {
  let files = [];
  try {
    files = JSON.parse(readFileSync(path, 'utf8')).testResults;
  } catch {
    // Told below: a run without results.
  }
  const isEmpty = files.every(file => file.status !== 'failed' && file.assertionResults.length === 0);
  if (isEmpty) failures.push(`${relative(process.cwd(), path)}: no results`);
  for (const { name, status, message, startTime, endTime, assertionResults: tests } of files) {
    const file = relative(process.cwd(), name);
    times.push({ file, seconds: (endTime - startTime) / 1_000 });
    passed += tests.filter(test => test.status === 'passed').length;
    const failed = tests.filter(test => test.status === 'failed');
    for (const { fullName, failureMessages } of failed)
      failures.push(`${file} > ${fullName}\n    ${firstLine(failureMessages[0])}`);
    // A file that does not load has no tests, one whose hook fails has none that failed.
    if (status === 'failed' && failed.length === 0) failures.push(`${file}\n    ${firstLine(message)}`);
  }
}
const longest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, LONGEST);
const lines = [
  ...longest.map(({ file, seconds }) => `${seconds.toFixed(0).padStart(6)} s  ${file}`),
  ...failures.map(failure => `failed: ${failure}`),
  `${passed} passed, ${failures.length} failed`,
];
process.stdout.write(`${lines.join('\n')}\n`);
