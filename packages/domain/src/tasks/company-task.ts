/** One task for a company's owner. */
import type { Price } from '../advances/price-refund.ts';
import type { Instant } from '../clock.ts';
import type { PlainDate } from '../plain-date.ts';
import type { TaskLevel, TaskSubject } from './task-kinds.ts';

/** The task's page, by its name in the contract. */
export type TaskPage = 'linkHmrcAccount' | 'stepBookkeeping' | 'stepBankAccount' | 'vatReturn' | 'advance';

export type CompanyTask = {
  /** For example `file_return`. */
  readonly kind: string;
  readonly subject: TaskSubject;
  readonly level: TaskLevel;
  readonly title: string;
  readonly why: string;
  readonly action: string;
  readonly page: TaskPage;
  /** Set if the task concerns one return or its refund. */
  readonly obligation_id: string | null;
  /** The deadline; null without one. */
  readonly due_on: PlainDate | null;
  /** Working days from today to the deadline; never negative, null without a deadline. */
  readonly working_days_left: number | null;
  readonly overdue: boolean;
  /** When an offer or a permission expires. */
  readonly ends_at: Instant | null;
  /** The refund that the task leads to, and how much we would pay for it early. */
  readonly refund: Price | null;
};

/** A task without the fields that most tasks don't have. */
export type TaskDraft = Pick<CompanyTask, 'kind' | 'subject' | 'title' | 'why' | 'action' | 'page'> & Partial<CompanyTask>;
