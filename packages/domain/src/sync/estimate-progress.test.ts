import { describe, expect, it } from 'vitest';
import { estimateProgress } from './estimate-progress.ts';

describe('the progress of a refresh', () => {
  it.each([
    ['40 clients in a minute, 20 left', { finishedRecently: 40, windowMs: 60_000, remaining: 20 }, 40, 30],
    ['rounded up to ten seconds', { finishedRecently: 45, windowMs: 60_000, remaining: 16 }, 45, 30],
    ['rounded up to minutes', { finishedRecently: 45, windowMs: 60_000, remaining: 9_955 }, 45, 13_320],
    ['the first seconds of a run', { finishedRecently: 4, windowMs: 6_000, remaining: 36 }, 40, 60],
    ['a client each two minutes', { finishedRecently: 1, windowMs: 120_000, remaining: 1 }, 1, 120],
    ['nothing left', { finishedRecently: 3, windowMs: 9_000, remaining: 0 }, 20, 0],
  ])('%s', (_case, facts, ratePerMinute, secondsLeft) => {
    expect(estimateProgress(facts)).toEqual({ ratePerMinute, secondsLeft });
  });

  it('is unknown at the start and while HMRC returns nothing', () => {
    const unknownProgress = { ratePerMinute: null, secondsLeft: null };
    expect(estimateProgress({ finishedRecently: 9, windowMs: 1_000, remaining: 9 })).toEqual(unknownProgress);
    expect(estimateProgress({ finishedRecently: 0, windowMs: 60_000, remaining: 9 })).toEqual(unknownProgress);
  });
});
