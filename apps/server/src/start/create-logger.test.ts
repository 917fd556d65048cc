import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogger, openLog } from './create-logger.ts';

/** A Linux device that is always full (full(4)). */
const FULL = '/dev/full';

describe.runIf(existsSync(FULL))('a logger with a full disk', () => {
  it('fails no request, and writes the lines once there is space again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-log-'));
    const file = join(folder, 'portal.log');
    const destination = openLog(FULL);
    const logger = createLogger({ logLevel: 'info' }, destination);
    logger.info('while it is full');
    logger.error({ err: new Error('a reason') }, 'while it is still full');
    destination.reopen(file);
    logger.info('afterwards');
    destination.flushSync();
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'while it is full',
      'while it is still full',
      'afterwards',
    ]);
    rmSync(folder, { recursive: true });
  });
});
