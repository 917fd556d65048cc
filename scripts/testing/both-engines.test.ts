// A pattern for a file that has been moved or renamed would select nothing, and its tests would no longer run on the embedded engine.
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ON_BOTH_ENGINES } from './both-engines.ts';
import { repositoryRoot } from './run-command.ts';

/** Expands `a/{b,c}` to `a/b` and `a/c`, so that each name is checked. */
function expandBraces(pattern: string): string[] {
  const [wholeMatch, names] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (wholeMatch === undefined || names === undefined) return [pattern];
  return names.split(',').flatMap((name) => expandBraces(pattern.replace(wholeMatch, name)));
}

it('each pattern of the list selects a test', () => {
  const patterns = ON_BOTH_ENGINES.flatMap(expandBraces);
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: repositoryRoot }).length === 0)).toEqual([]);
});
