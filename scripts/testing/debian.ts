import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.ts';

/** Returns the first of these programs that is executable. Each is an absolute path, or a name to find on the PATH. */
export function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = names.flatMap((name) => (name.includes('/') ? [name] : folders.map((folder) => join(folder, name))));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Installs a missing program only as root on Debian, so that it never changes a developer's machine. */
export async function installOnDebian(packageName: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !findProgram(['apt-get'])) return false;
  process.stderr.write(`installing Debian's ${packageName} for the tests ...\n`);
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { environment });
  const { exitCode, output } = await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packageName], {
    environment,
  });
  if (exitCode !== 0) process.stderr.write(output);
  return exitCode === 0;
}
