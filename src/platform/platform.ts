/** The interface to the operating system. It has two implementations, chosen once in `choose.ts`; no other file knows the platform. */
import type { Env } from '../paths.ts';

export interface Platform {
  name: 'linux' | 'bsd';
  processes: Processes;
  desktop: Desktop;
  network: Network;
}

/** Read facts about processes. All of them expect that a process may have exited. */
export interface Processes {
  /** Return the start of a process as an opaque string, which with the pid identifies it. Null when it is gone or exiting. */
  processStart: (pid: number) => string | null;
  /** Check whether two starts of one pid belong to the same process, as exactly as the platform knows. */
  isSameStart: (one: string, other: string) => boolean;
  /** Return the start of a process in the form that the emitter compares. */
  startForEmitter: (pid: number) => string;
  /** Check whether a process can be the one that wrote a session file, which may be left over from an earlier one. */
  couldHaveWritten: (pid: number, file: SessionFileProcess) => boolean;
  /**
   * Return when a process started, in ms since the epoch, to about a second; null where the platform does not say. It follows
   * when the clock is set, as the times of sessions do.
   */
  startedAt: (pid: number) => number | null;
  /** Read the terminal of a process. */
  terminalOf: (pid: number) => Terminal | null;
  /** Identify the current boot of the machine; empty where the platform does not say. */
  bootId: () => string;
  /** Identify this machine, under every host name; empty where the platform does not say. */
  machineId: () => string;
  /** Return the id by which an earlier version identified this machine; empty where it is no other. */
  earlierMachineId: () => string;
  /** Return the inode of this process's pid namespace; empty where the platform has none. */
  pidNamespace: () => string;
  /** Return a shell command that succeeds in this process's pid namespace only; null where the platform has none. */
  pidNamespaceTest: () => string | null;
  /** Open a process to ask again and again, at little cost, whether it still runs. Null when it is gone. */
  openLiveness: (pid: number) => Liveness | null;
  /** Count how often a process went to sleep or was suspended. The same count later means that it did nothing. Null when not known. */
  activityOf: (pid: number) => number | null;
  /** List the pids of all processes; null where the platform cannot do so cheaply. */
  processIds: () => Set<number> | null;
  /** Return the short name of a process. */
  processName: (pid: number) => string | null;
  /** Read the arguments of a process, with its program; empty when they cannot be read. */
  processArgs: (pid: number) => string[];
  /** Whether arguments with spaces come back as they were; otherwise each word is an argument. */
  hasExactArgs: boolean;
  /** Whether the platform shows the environment of a process. */
  hasEnvironments: boolean;
  /** Read only these variables from a process's environment; null where the platform does not say. */
  processEnv: <Name extends string>(
    pid: number,
    names: readonly Name[],
  ) => Partial<Record<Name, string>> | null;
  /** List the descendants of a process, nearest first. */
  descendants: (pid: number, depth?: number) => number[];
  /** List a process and its ancestors, nearest first; empty when it is gone. */
  lineage: (pid: number) => number[];
  /** Read the resident memory of every process. */
  processMemory: () => Promise<ProcessMemory[]>;
  /** Drop every cached reading. Call this before a decision that needs current facts. */
  forgetReadings: () => void;
}

/** What a session file says about its process, unchecked. */
export interface SessionFileProcess {
  procStart?: unknown;
  startedAt?: unknown;
}

/** A process and its controlling terminal. */
export interface Terminal {
  pid: number;
  /** Its process group. */
  group: number;
  /** Its controlling terminal, as an opaque string; empty for none. */
  tty: string;
  /** The path of that terminal; null when it is not known. */
  path: string | null;
  /** The process group in the foreground of that terminal. */
  foreground: number;
}

export interface Liveness {
  isRunning: () => boolean;
  close: () => void;
}

/** A process, its parent, and its resident memory. */
export interface ProcessMemory {
  pid: number;
  parent: number;
  bytes: number;
}

/** Facts about network interfaces. */
export interface Network {
  /** Whether this interface is a WireGuard tunnel. False where the platform does not say. */
  isWireGuard: (name: string) => boolean;
  /** Whether the program that listens on a TCP port runs as this user; null where the platform does not say. */
  isOwnListener: (port: number) => boolean | null;
}

/** Programs and folders of the user's desktop. */
export interface Desktop {
  /** Programs that show notifications, the best first. */
  notifyPrograms: readonly string[];
  /** The command line that shows a notification by one of them. A click opens `link` where the program can do that. */
  notifyCommand: (program: string, title: string, text: string, link: string | null) => string[];
  /** The program that opens an address; null without a desktop. */
  browser: (env: Env) => string | null;
  /** Folder of Claude Code's managed settings. */
  policyFolder: string;
  services: Services;
}

/** The manager of user services. */
export interface Services {
  /** The file that describes the service. */
  file: (env: Env) => string;
  text: (service: Service) => string;
  enable: (file: string) => string[];
  disable: (file: string) => string[];
}

/** A program that runs as a user service. */
export interface Service {
  argv: string[];
  variables: [string, string][];
}
