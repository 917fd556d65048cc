import { expect, it } from 'vitest';
import { findProblem } from './check-licences.ts';

const createPackage = (licenses: Parameters<typeof findProblem>[0]['licenses'], name = 'left-pad') =>
  findProblem({ name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0`, ...(licenses === undefined ? {} : { licenses }) });

it.each([
  ['a permissive one', [{ license: { id: 'MIT' } }]],
  ['a choice that contains one', [{ expression: '(GPL-3.0-only OR Apache-2.0)' }]],
])('%s may be shipped', (_case, licenses) => {
  expect(createPackage(licenses)).toEqual([]);
});

it.each([
  ['one that binds our own code', [{ license: { id: 'AGPL-3.0-only' } }], 'has the licence AGPL-3.0-only'],
  ['two of which both apply', [{ expression: 'MIT AND GPL-2.0-only' }], 'has the licence MIT AND GPL-2.0-only'],
  ['none', undefined, 'names no licence'],
])('%s is rejected, and named', (_case, licenses, problem) => {
  expect(createPackage(licenses)).toEqual([expect.stringContaining(`left-pad@1.0.0 ${problem}`)]);
});
