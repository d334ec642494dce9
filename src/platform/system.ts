/** The system that this process runs on. Light: every command loads it. */

/** The variable that chooses the platform: `bsd` runs the code for macOS on Linux, which is how it is tested. */
export const platformVariable = 'DROVER_PLATFORM';

/** Choose the platform by that variable and the system. */
export const chooseName = (wanted: string | undefined, system: string): 'linux' | 'bsd' =>
  wanted === 'bsd' || system !== 'linux' ? 'bsd' : 'linux';

export const platformName = chooseName(process.env[platformVariable], process.platform);

/** The system's own name, for people. */
export const systemName: string = process.platform;

export const isSupported = process.platform !== 'win32';

/** Whether Drover has run on this system. On others its code was only tested on Linux. */
export const isTestedSystem: boolean = process.platform === 'linux';
