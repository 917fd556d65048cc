import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toEpochMs, toInstant, parseInstant } from '@portal/domain/clock.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSharedClock } from './shared-clock.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-clock-'));
  file = join(dir, 'world', 'clock.json');
});
afterEach(() => rmSync(dir, { recursive: true }));

const springInstant = parseInstant('2027-03-29T09:00:00+01:00') ?? toInstant(0);

describe('the shared clock', () => {
  it('returns the system time until it is moved', () => {
    const before = Date.now();
    const nowMs = toEpochMs(openSharedClock(file).now());
    expect(nowMs).toBeGreaterThanOrEqual(before);
    expect(nowMs).toBeLessThanOrEqual(Date.now());
  });

  it('keeps running from the time it was moved to', async () => {
    const clock = openSharedClock(file);
    clock.moveTo(springInstant);
    const start = toEpochMs(clock.now());
    expect(start - toEpochMs(springInstant)).toBeLessThan(60_000);
    expect(clock.today()).toBe('2027-03-29');
    await pause(30);
    expect(toEpochMs(clock.now())).toBeGreaterThanOrEqual(start + 29);
  });

  it('is seen by another reader of the same file within 50 ms', async () => {
    const portal = openSharedClock(file);
    portal.now();
    openSharedClock(file).moveTo(springInstant);
    await pause(50);
    expect(portal.today()).toBe('2027-03-29');
  });

  it('keeps its offset after a restart', () => {
    openSharedClock(file).moveTo(springInstant);
    expect(openSharedClock(file).today()).toBe('2027-03-29');
  });

  it('rejects an invalid file and names it', () => {
    openSharedClock(file).moveTo(springInstant);
    writeFileSync(file, '{"offset_ms":"soon"}');
    expect(() => openSharedClock(file)).toThrow(file);
  });
});
