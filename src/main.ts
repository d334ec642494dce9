#!/usr/bin/env node
import { basename } from 'node:path';
import { dispatch } from './cli/dispatch.ts';
import { droverWords } from './cli/program.ts';

const main = async (): Promise<void> => {
  process.exitCode = await dispatch(droverWords(process.argv), basename(process.argv[1] ?? ''));
};

void main();
