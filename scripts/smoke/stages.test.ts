import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createStages } from './stages.ts';
import { NotReachedError, waitUntil } from './wait-until.ts';

const maskTimes = (lines: string[]) => lines.map((line) => line.replace(/\d+ ms/, 'N ms').replaceAll(/ +/g, ' '));

describe('the stages', () => {
  it('print one line each in columns, and return their values', async () => {
    const lines: string[] = [];
    const stages = createStages((line) => lines.push(line));
    const value = await stages.run('quote', async () => ({ figures: 'fee £10.00', value: 7 }));
    await stages.run('repayment account', async () => ({ figures: 'set', value: undefined }));
    expect(value).toBe(7);
    expect(maskTimes(lines)).toEqual(['quote N ms fee £10.00', 'repayment account N ms set']);
    expect(lines[0]?.indexOf('fee')).toBe(lines[1]?.indexOf('set'));
  });

  it('stop at the first failed stage, whose line gives the reason', async () => {
    const lines: string[] = [];
    const stages = createStages((line) => lines.push(line));
    const failingStage = stages.run('payout', () => Promise.reject(new NotReachedError('the bank did not pay')));
    await expect(failingStage).rejects.toThrow('the bank did not pay');
    expect(maskTimes(lines)).toEqual(['payout N ms NOT REACHED: the bank did not pay']);
  });

  it('report when nothing responds', async () => {
    const lines: string[] = [];
    const unreachable = createStages((line) => lines.push(line)).run('portal', async () => {
      await fetch('http://127.0.0.1:4999');
      return { figures: '', value: undefined };
    });
    await expect(unreachable).rejects.toThrow('fetch failed');
    expect(lines[0]).toMatch(/NOT REACHED: (nothing is running there\. Is the portal started\?|no connection: .+)$/);
  });
});

describe('waitUntil', () => {
  it('returns the value as soon as it appears', async () => {
    let pollCount = 0;
    expect(await waitUntil(async () => ((pollCount += 1) === 3 ? 'there' : undefined), 'never')).toBe('there');
  });

  it('names what is missing when the time is over', async () => {
    await expect(waitUntil(() => pause(1), 'no payout', 40)).rejects.toThrow('no payout (waited 0 s)');
  });
});
