/**
 * The questions asked and saved in this browser, by organization. Only their addresses are kept, never an
 * answer; signing out forgets those that nobody saved.
 */
import { useSyncExternalStore } from 'react';

const NAME = 'turnstone.questions.';
const MOST_ASKED = 30;
const MOST_SAVED = 100;

interface Kept {
  /** Queries of addresses, the latest first. */
  asked: readonly string[];
  saved: readonly string[];
}

const NOTHING: Kept = { asked: [], saved: [] };

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];

const read = (organization: string): Kept => {
  try {
    const { asked, saved } = JSON.parse(localStorage.getItem(NAME + organization) ?? '{}');
    return { asked: strings(asked), saved: strings(saved) };
  } catch {
    return NOTHING;
  }
};

/** Read once: React compares what it is given by identity. */
const known = new Map<string, Kept>();
const listeners = new Set<() => void>();

const keptBy = (organization: string): Kept => {
  const before = known.get(organization);
  if (before) return before;
  const kept = read(organization);
  known.set(organization, kept);
  return kept;
};

const write = (organization: string, kept: Kept): void => {
  known.set(organization, kept);
  try {
    if (kept.asked.length + kept.saved.length === 0) localStorage.removeItem(NAME + organization);
    else localStorage.setItem(NAME + organization, JSON.stringify(kept));
  } catch {
    // A browser that stores nothing forgets them with the page.
  }
  for (const listener of listeners) listener();
};

const first = (query: string, others: readonly string[], most: number): string[] =>
  [query, ...others.filter(other => other !== query)].slice(0, most);

export const noteAsked = (organization: string, query: string): void => {
  const kept = keptBy(organization);
  write(organization, { ...kept, asked: first(query, kept.asked, MOST_ASKED) });
};

/** Saves a question, or removes it from those saved. */
export const toggleSaved = (organization: string, query: string): void => {
  const kept = keptBy(organization);
  const others = kept.saved.filter(other => other !== query);
  const saved = others.length < kept.saved.length ? others : first(query, others, MOST_SAVED);
  write(organization, { ...kept, saved });
};

export const forgetAsked = (organization: string): void =>
  write(organization, { ...keptBy(organization), asked: [] });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useQuestions = (organization: string): Kept =>
  useSyncExternalStore(subscribe, () => keptBy(organization));
