/**
 * A system clock that jumps, for this campaign's processes only (Debian's faketime). Waits and time limits use the monotonic clock, which
 * doesn't jump.
 */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type FakeClock = {
  readonly environment: Readonly<Record<string, string>>;
  /** Sets how far the clock is ahead of real time; resolves once every process has seen it. */
  setOffset(seconds: number): Promise<void>;
};

/** Each process rereads the file after a second. */
const READ_INTERVAL_SECONDS = 1;
const SEEN_AFTER_MS = 3_000;

export function findFakeTime(): string | undefined {
  return globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];
}

export function createFakeClock(fakeTimeLibrary: string, folder: string): FakeClock {
  const file = join(folder, 'offset');
  const write = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
  write(0);
  return {
    environment: {
      LD_PRELOAD: fakeTimeLibrary,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(READ_INTERVAL_SECONDS),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    setOffset: async (seconds) => {
      write(seconds);
      await pause(SEEN_AFTER_MS);
    },
  };
}
