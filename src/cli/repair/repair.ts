/** One thing that `drover doctor --fix` can repair. */
export interface Repair {
  name: string;
  /** What is wrong. */
  says: string;
  /** What the repair changes: diffs, or a line for each file. */
  changes: string[];
  run: () => unknown;
}
