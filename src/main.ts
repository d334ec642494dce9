#!/usr/bin/env node
import { basename } from 'node:path';
import { dispatch } from './cli/dispatch.ts';
import { aliasArgs } from './cli/alias-args.ts';

const main = async (): Promise<void> => {
  process.exitCode = await dispatch(aliasArgs(process.argv), basename(process.argv[1] ?? ''));
};

void main();
