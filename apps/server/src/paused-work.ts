/** Work that the engineer on call can stop with PAUSED while everything else continues (docs/operations.md, "Stopping one kind of work"). */
import { z } from 'zod';
import { AppError } from '@portal/domain/app-error.ts';
import { setting, text } from './setting-shapes.ts';

export const PAUSABLE_WORK = ['payouts', 'filings', 'early_refunds'] as const;

export type PausableWork = (typeof PAUSABLE_WORK)[number];
export type PausedWork = ReadonlySet<PausableWork>;

export const NOTHING_PAUSED: PausedWork = new Set();

const workList = text
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(PAUSABLE_WORK)).transform((names): PausedWork => new Set(names)));

export const pausedWorkSettingTable = {
  PAUSED: setting({
    shape: workList.optional().transform((names) => names ?? NOTHING_PAUSED),
    expectedText: `one or more of ${PAUSABLE_WORK.join(', ')}, separated by commas`,
    defaultLabel: 'nothing',
    meaning:
      'Work to stop in an emergency, while everything else continues: payouts (payments to traders, and refunds of invoices), filings (VAT returns to HMRC), early_refunds (new offers, and accepting them). Set the same on every instance.',
  }),
};

export function assertNotPaused(paused: PausedWork, work: PausableWork, message: string): void {
  if (paused.has(work)) throw new AppError('conflict', `${work}.paused`, message);
}
