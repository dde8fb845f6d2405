/** How long a rotated key still works. */
export const GRACES = [
  [0, 'not at all'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
  [604_800, 'seven days'],
] as const;

/** As the service has it. */
export const GRACE_BY_DEFAULT = 86_400;

/** Completes the sentence "The former key …". */
export const graceInWords = (seconds: number): string => {
  if (seconds === 0) return 'no longer works';
  const words = GRACES.find(([one]) => one === seconds)?.[1] ?? `${seconds} s`;
  return `still works for ${words}, unless it expires sooner`;
};
