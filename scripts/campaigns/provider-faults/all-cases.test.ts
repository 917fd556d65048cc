import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../testing/run-command.ts';
import { ALL_CLIENTS, NOT_CALLED } from './all-cases.ts';

describe('the campaign of provider faults', () => {
  it('has cases for every client', () => {
    const files = globSync('**/*-client.ts', { cwd: join(repositoryRoot, 'packages/providers/src') });
    expect(files.toSorted()).toEqual([...Object.keys(ALL_CLIENTS), ...Object.keys(NOT_CALLED)].toSorted());
  });
});
