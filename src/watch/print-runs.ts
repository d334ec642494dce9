/** Recognise the CLIs of `drover print` by their arguments, where the platform does not show their environment. */
import { isPrintRun } from '../print-run.ts';
import { processArgs, processStart } from '../platform/processes.ts';

export class PrintRuns {
  /** What is known of each pid, with the start of its process. */
  private readonly known = new Map<number, { start: string; isPrint: boolean }>();

  /** Return the entry point of a print run; undefined for any other process. */
  entrypointOf(pid: number): string | undefined {
    const start = processStart(pid);
    if (start === null) return undefined;
    let known = this.known.get(pid);
    if (known?.start !== start) {
      known = { start, isPrint: isPrintRun(processArgs(pid)) };
      if (this.known.size >= maxKnown) this.known.clear();
      this.known.set(pid, known);
    }
    return known.isPrint ? 'print' : undefined;
  }
}

/** Far more than the sessions of one person. */
const maxKnown = 1_000;
