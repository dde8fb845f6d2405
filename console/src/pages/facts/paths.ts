const inFacts = (names: Record<string, string>): string => `/facts?${new URLSearchParams(names)}`;

export const knownPath = (user: string): string => inFacts({ user });
/** `subject`: its label, which the service accepts too. */
export const subjectPath = (user: string, subject: string): string => inFacts({ user, subject });
