/** A line of a file that an operator gave, and why nothing of the file was written. */
export interface Fault {
  line: number;
  fault: string;
}

/** The messages of the call `import`. */
export type ImportMessage =
  | { kind: 'faults'; faults: Fault[]; omitted: number }
  | { kind: 'checked'; from: string; org: string; events: number; turns: number; dryRun: boolean }
  | { kind: 'progress'; events: number; total: number; written: number; known: number }
  | { kind: 'imported'; events: number; written: number; known: number };
