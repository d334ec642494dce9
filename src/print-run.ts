/** The name of a print run's folder, by which its CLI is recognised. */

/** The name contains the pid of the run's process, which shows whether the run is abandoned. */
export const runDirName = /^claude-print-(\d+)-[0-9A-Za-z]{6}$/;

/** Check whether these are the arguments of a print run's CLI; in `folder`, if that is given. */
export const isPrintRun = (args: string[], folder?: string): boolean =>
  args.some(word => {
    const [, path = '', name = ''] = /^--settings=(.*\/([^/]+))\/settings\.json$/.exec(word) ?? [];
    return runDirName.test(name) && (folder === undefined || path === folder);
  });
