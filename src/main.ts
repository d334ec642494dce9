#!/usr/bin/env node
import { dispatch } from './cli/dispatch.ts';

const main = async (): Promise<void> => {
  process.exitCode = await dispatch(process.argv.slice(2));
};

void main();
