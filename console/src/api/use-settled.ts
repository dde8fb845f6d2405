import { useEffect, useState } from 'react';

/** Milliseconds without typing before a value counts. */
const SETTLES_MS = 180;

/** Returns the value once it has not changed for a moment, so that not every letter is a call. */
export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const settles = setTimeout(() => setSettled(value), SETTLES_MS);
    return () => clearTimeout(settles);
  }, [value]);
  return settled;
};
