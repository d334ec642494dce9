#!/usr/bin/env node
import { basename } from 'node:path';
import { dispatch } from './cli/dispatch.ts';
import { aliasArgs } from './cli/alias-args.ts';
import { withProgramFolders } from './platform/program-folders.ts';

const main = async (): Promise<void> => {
  const path = withProgramFolders(process.env.PATH);
  if (path !== undefined) process.env.PATH = path;
  process.exitCode = await dispatch(aliasArgs(process.argv), basename(process.argv[1] ?? ''));
};

void main();
