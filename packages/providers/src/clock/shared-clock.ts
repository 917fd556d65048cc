/**
 * The one clock of the sandbox world: the system's time plus an offset that the control page sets, kept in a small file,
 * so that the doubles' process and the portal's see the same day and both keep it over restarts.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clockFrom, epochOf, type Clock, type Instant } from '@portal/domain/clock.ts';

export type SharedClock = Clock & {
  /** Sets the time in every process that reads the file; another process sees it 20 ms later at most. */
  moveTo(instant: Instant): void;
  /** How far the sandbox is ahead of the system's time, in milliseconds. */
  offsetMs(): number;
};

/** How long a process may tell the time from an offset it has read before: `now` is asked thousands of times a second. */
export const CLOCK_REREAD_MS = 20;

/** A missing file means the system's time. A file that is no clock is refused by name. */
export function openSharedClock(file: string): SharedClock {
  let offset = readOffset(file);
  let readAtMs = performance.now();

  function offsetMs(): number {
    if (performance.now() - readAtMs < CLOCK_REREAD_MS) return offset;
    offset = readOffset(file);
    readAtMs = performance.now();
    return offset;
  }

  return {
    ...clockFrom(() => Date.now() + offsetMs()),
    offsetMs,
    moveTo: (instant) => {
      offset = epochOf(instant) - Date.now();
      mkdirSync(dirname(file), { recursive: true });
      // A rename shows readers the old file or the new one, never half of one.
      const draft = `${file}.${randomUUID()}`;
      writeFileSync(draft, `${JSON.stringify({ offset_ms: offset })}\n`);
      renameSync(draft, file);
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
  if (!Number.isSafeInteger(offset)) throw new Error(`${file} is no sandbox clock: it must hold {"offset_ms": whole number}`);
  return offset as number;
}
