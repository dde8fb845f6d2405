/** The messages of the call `import`. */
export type ImportMessage =
  | { kind: 'faults'; faults: { line: number; fault: string }[]; omitted: number }
  | { kind: 'checked'; from: string; org: string; events: number; turns: number; dryRun: boolean }
  | { kind: 'progress'; events: number; total: number; written: number; known: number }
  | { kind: 'imported'; events: number; written: number; known: number };
