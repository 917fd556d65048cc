/** Retention periods for data about people and companies, used by the retention job, the closing page and the data policy. */
import { addMonths, type PlainDate } from '../plain-date.ts';

/**
 * In whole years. `records`: VAT records (Value Added Tax Act 1994, schedule 11 paragraph 6) and contract claims (Limitation Act 1980,
 * section 5). `identity`: identity checks (Money Laundering Regulations 2017, regulation 40).
 */
export const RETENTION_YEARS = { records: 6, identity: 5 } as const;

export type RetentionPeriod = keyof typeof RETENTION_YEARS;

/** Returns the first day on which data that ended on `endedOn` is deleted. */
export function getDeletionDay(period: RetentionPeriod, endedOn: PlainDate): PlainDate {
  return addMonths(endedOn, RETENTION_YEARS[period] * 12);
}

/** Returns the cut-off day: data that ended on or before it may be deleted today. */
export function getRetentionCutOff(period: RetentionPeriod, today: PlainDate): PlainDate {
  return addMonths(today, -RETENTION_YEARS[period] * 12);
}
