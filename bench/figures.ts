/** Evaluates measured numbers. */

export const percentile = (values: number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
};

export const median = (values: number[]): number => percentile(values, 50);

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

export const times = (value: number): string => `${value.toFixed(2)} x`;

/** One row of the table: the measure, the target and the result. */
export interface Row {
  what: string;
  target: string;
  seen: string;
  met: boolean;
}
