import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { repositoryRoot } from '../testing/run-command.ts';

/** Lists the repository's files that git tracks or would track, as paths from its root. */
export function listTrackedFiles(name: RegExp): readonly string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  return [...new Set(output.split('\0'))].filter((path) => name.test(path) && existsSync(repositoryRoot + path));
}

export function readTrackedFile(path: string): string {
  return readFileSync(repositoryRoot + path, 'utf8');
}
