import { nextLargeStep } from '../../../../core/fairness/large-steps.ts';
import { makeTimeSlice } from '../../../../core/fairness/yield-when-due.ts';
import { type Screened, screen } from '../../../../domain/screening/screen.ts';

/**
 * The members that aren't screened, by their paths in a body, without the places in arrays: they are what
 * things are found by again, or have an alphabet of their own. All else is screened, a new member too.
 */
const VERBATIM = new Set([
  'scope',
  'user_id',
  'session_id',
  'turns.role',
  'attribute',
  'turns.observations.attribute',
  'filter',
  'merge_into',
  'split.session_id',
]);

/** The paths that begin one of those. Below others no name is one of ours, however long a path is there. */
const LEADS_ON = new Set(
  [...VERBATIM].flatMap(path => path.split('.').map((_, count, names) => names.slice(0, count).join('.'))),
);
/** In UTF-16 units: no member that is kept has more. Longer ones are ignored, as their names are. */
const MOST_UNITS = 2 * 65_536;
/** Values that are looked at between two looks at the time. */
const STEP = 1_000;

interface Place {
  holder: Record<string, unknown>;
  name: string;
  text: string;
}

/**
 * Every text of a body that is screened, and now and then undefined, for a body may have few texts and half a
 * million values. Without recursion: it may be as deep as it is long.
 */
function* textsOf(body: unknown): Generator<Place | undefined> {
  const open: { value: object; path: string | undefined }[] = [];
  const visit = (value: unknown, path: string | undefined): void => {
    const leadsOn = path !== undefined && LEADS_ON.has(path);
    if (typeof value === 'object' && value !== null) open.push({ value, path: leadsOn ? path : undefined });
  };
  visit(body, '');
  let seen = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const holder = next.value as Record<string, unknown>;
    const isList = Array.isArray(holder);
    for (const [name, value] of Object.entries(holder)) {
      if (++seen % STEP === 0) yield undefined;
      const path = pathOf(next.path, name, isList);
      if (path !== undefined && VERBATIM.has(path)) continue;
      if (typeof value !== 'string') visit(value, path);
      else if (value.length <= MOST_UNITS) yield { holder, name, text: value };
    }
  }
}

const pathOf = (path: string | undefined, name: string, isList: boolean): string | undefined => {
  if (path === undefined || isList) return path;
  return path === '' ? name : `${path}.${name}`;
};

/**
 * Replaces the secrets in a parsed body, and returns how many by rule. Large bodies are screened in steps, so
 * that other calls are answered in between. Throws the signal's reason.
 */
export const screenBody = async (
  body: unknown,
  { org, signal }: { org: string; signal: AbortSignal | undefined },
): Promise<Screened> => {
  const counts: Screened = {};
  const slice = makeTimeSlice(() => nextLargeStep(org, signal));
  for (const place of textsOf(body)) {
    const value = place && screen(place.text, counts);
    // Not by assignment, which a member named __proto__ would ignore.
    if (place && value !== place.text)
      Object.defineProperty(place.holder, place.name, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    const due = slice();
    if (due) await due;
  }
  return counts;
};
