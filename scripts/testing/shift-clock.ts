/** Moves a test process's clock by TEST_CLOCK_DAYS, before anything reads it, so that a test that will fail on a later day fails now. */
const shiftMs = Number(process.env['TEST_CLOCK_DAYS'] ?? 0) * 86_400_000;

if (shiftMs !== 0) {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...parts: readonly unknown[]) {
      if (parts.length === 0) super(RealDate.now() + shiftMs);
      else super(...(parts as [number]));
    }
    static override now(): number {
      return RealDate.now() + shiftMs;
    }
  } as DateConstructor;
}
