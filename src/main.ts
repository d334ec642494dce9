#!/usr/bin/env node
import { basename } from 'node:path';
import { dispatch } from './cli/dispatch.ts';

const main = async (): Promise<void> => {
  process.exitCode = await dispatch(process.argv.slice(2), basename(process.argv[1] ?? ''));
};

void main();
