/** Detects whether this page has been unused for a while, so that automatic requests don't keep an unattended session alive. */

const IDLE_AFTER_MS = 60_000;

let lastUsedAt = Date.now();

const recordUse = (): void => {
  lastUsedAt = Date.now();
};

if (typeof addEventListener === 'function') {
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus']) addEventListener(event, recordUse, { passive: true });
}

export function isIdle(now = Date.now()): boolean {
  return now - lastUsedAt > IDLE_AFTER_MS;
}
