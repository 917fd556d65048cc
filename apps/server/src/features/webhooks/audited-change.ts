import type { Instant } from '@portal/domain/clock.ts';

/** The part of an audit entry that webhooks use. */
export type AuditedChange = {
  readonly companyId: string;
  readonly at: Instant;
  readonly action: string;
  readonly subject: string;
  readonly after?: unknown;
};
