/** Vitest and Playwright run this before their tests, so that tests never start processes from an older version. */
import { spawnSync } from 'node:child_process';
import { repositoryRoot } from './run-command.ts';

export default function ensureBuilds(): void {
  const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs'], { cwd: repositoryRoot, stdio: 'inherit' });
  if (status !== 0) throw new Error('The portal could not be built. See the messages above.');
}
