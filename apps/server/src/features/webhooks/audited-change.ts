import type { Instant } from '@portal/domain/clock.ts';

/** What a webhook knows of an audit entry. */
export type AuditedChange = {
  readonly companyId: string;
  readonly at: Instant;
  readonly action: string;
  readonly subject: string;
  readonly after?: unknown;
};
