/** Another version of the product: built from the same sources with some text replaced. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Replacement {
  /** Within the repository. */
  file: string;
  /** Must occur exactly once. */
  from: string;
  to: string;
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** What the build reads, and what the product reads beside it. */
const copied = ['src', 'scripts', 'plugin', 'package.json', 'tsconfig.json', 'tsconfig.types.json'];

/** Builds it in its own folder; returns its main.js, and how to remove it. */
export const otherBuild = async (
  replacements: Replacement[],
): Promise<{ main: string; remove: () => Promise<void> }> => {
  const folder = await mkdtemp(join(process.env.DROVER_TEST_RUN ?? tmpdir(), 'build-'));
  for (const name of copied) await cp(join(repository, name), join(folder, name), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  // Nobody compiles against it.
  const noTypes = { file: 'scripts/build.mjs', from: '\ntypings();\n', to: '\n' };
  for (const { file, from, to } of [noTypes, ...replacements]) {
    const text = await readFile(join(folder, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
    );
  }
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'pipe', timeout: 110_000 });
  return {
    main: join(folder, 'dist', 'main.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
