/** Choose the platform, once. */
import { bsd } from './bsd/bsd.ts';
import { linux } from './linux/linux.ts';
import type { Platform } from './platform.ts';
import { platformName } from './system.ts';

/** The platform that this process runs on. */
export const platform: Platform = platformName === 'linux' ? linux : bsd;
