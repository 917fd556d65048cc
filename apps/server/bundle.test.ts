import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { NODE_CHECK } from './bundle.ts';

function startWith(version: string) {
  const versionOverride = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', versionOverride + NODE_CHECK], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('an executable in the package', () => {
  it.each(['20.19.5', '24.14.0'])('says which Node version it needs when it is started with %s', (version) => {
    expect(startWith(version)).toEqual({ status: 1, stderr: `This needs Node 24.15 or later, and was started with ${version}.\n` });
  });

  it.each(['24.15.0', '26.0.0'])('starts with %s', (version) => {
    expect(startWith(version)).toEqual({ status: 0, stderr: '' });
  });
});
