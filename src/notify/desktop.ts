/** Shows a notice on the desktop: by notify-send, on macOS by terminal-notifier or osascript. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Notice } from '../contract/notice.ts';
import { platform } from '../platform/choose.ts';
import { withProgramFolders } from '../platform/program-folders.ts';
import { pageLink } from './page-link.ts';
import { runProgram } from './run-program.ts';

/** Fails where there is no program for it. */
export const sendDesktop = async (notice: Notice, page: string | undefined): Promise<void> => {
  const { notifyCommand, notifyPrograms } = platform.desktop;
  const file = desktopProgram(process.env.PATH);
  if (file === null) throw new Error(`${notifyPrograms.join(' or ')} is not installed`);
  const program = notifyPrograms.find(name => file.endsWith(`/${name}`)) as string;
  const [, ...args] = notifyCommand(program, notice.title, notice.text, pageLink(notice, page));
  await runProgram([file, ...args], '');
};

/** Returns the path of the best program that is installed; null if there is none. */
export const desktopProgram = (path: string | undefined, desktop = platform.desktop): string | null => {
  const folders = (withProgramFolders(path) ?? '').split(delimiter).filter(isAbsolute);
  const files = desktop.notifyPrograms.flatMap(name => folders.map(folder => join(folder, name)));
  return files.find(isProgram) ?? null;
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
