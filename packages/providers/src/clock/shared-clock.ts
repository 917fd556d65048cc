/**
 * The sandbox's clock: the system time plus an offset that the control page sets. The offset is stored in a small file, so that the sandbox
 * and the portal see the same date and keep it after a restart.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClock, toEpochMs, type Clock, type Instant } from '@portal/domain/clock.ts';

export type SharedClock = Clock & {
  /** Sets the time for every process that reads the file. Other processes see it within 20 ms. */
  moveTo(instant: Instant): void;
  /** Returns how far the clock is ahead of system time, in milliseconds. */
  getOffsetMs(): number;
};

/** How long a process may cache the offset: `now` is called thousands of times a second. */
export const CLOCK_REREAD_MS = 20;

/** A missing file means system time. An invalid file throws an error that names it. */
export function openSharedClock(file: string): SharedClock {
  let offset = readOffset(file);
  let readAtMs = performance.now();

  function getOffsetMs(): number {
    if (performance.now() - readAtMs < CLOCK_REREAD_MS) return offset;
    offset = readOffset(file);
    readAtMs = performance.now();
    return offset;
  }

  return {
    ...createClock(() => Date.now() + getOffsetMs()),
    getOffsetMs,
    moveTo: (instant) => {
      offset = toEpochMs(instant) - Date.now();
      mkdirSync(dirname(file), { recursive: true });
      // Renaming is atomic: readers see either the old file or the new one, never part of one.
      const temporaryFile = `${file}.${randomUUID()}`;
      writeFileSync(temporaryFile, `${JSON.stringify({ offset_ms: offset })}\n`);
      renameSync(temporaryFile, file);
      readAtMs = performance.now();
    },
  };
}

function readOffset(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
  const content: unknown = JSON.parse(text);
  const offset = typeof content === 'object' && content !== null && 'offset_ms' in content ? content.offset_ms : undefined;
  if (!Number.isSafeInteger(offset)) throw new Error(`${file} is not a clock file. It must contain {"offset_ms": whole number}.`);
  return offset as number;
}
