import { InvalidArgumentError } from 'commander';

export const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

export const positive = (text: string): number => {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be 1 or more.');
  return value;
};

/** Parses `a, b`. */
export const list = (text: string): string[] => text.split(',').map(item => item.trim());

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, value];
