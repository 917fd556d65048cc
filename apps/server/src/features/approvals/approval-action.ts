/** Defines one kind of two-person action. Each feature defines its own, and approval-actions.ts lists them all. */
import type { Access } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import type { approvalRequests } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';

type RequestRow = typeof approvalRequests.$inferSelect;

/** An approved request with its parsed details. `by` is the approver, who is never the requester. */
export type ApprovedRequest<Details> = Pick<RequestRow, 'companyId' | 'id' | 'subject' | 'reason' | 'requestedBy' | 'requestedAt'> & {
  readonly details: Details;
  readonly by: string;
  readonly at: Instant;
  readonly ip: string;
};

/** A request before its decision. */
export type OpenRequest<Details> = Omit<ApprovedRequest<Details>, 'by' | 'at' | 'ip'>;

export type ApprovalAction<Details> = {
  /** For example "credit.allocate". Stored, so it never changes. */
  readonly action: string;
  /** The right that requester and approver both need. */
  readonly access: Extract<Access, `operator.${string}`>;
  /** The shape of the frozen details. */
  readonly details: z.ZodType<Details>;
  /** Describes the effect of approving, with amounts and names. Pure, because requester and approver must see the same text. */
  readonly describe: (details: Details) => string;
  /** Returns false if the approver has the right but takes part in something that this action checks. `describe` says why. Pure. */
  readonly canApprove?: (details: Details, requestedBy: string, approvedBy: string) => boolean;
  /** Lists other companies that the action concerns. An operator with a private interest in one can neither request nor approve it. Pure. */
  readonly listOtherCompanies?: (details: Details) => readonly string[];
  /** Reads the data from a provider that the decision depends on, before its transaction. Throws as `apply` does. */
  readonly prepare?: (deps: AppDeps, request: OpenRequest<Details>) => Promise<void>;
  /**
   * Checks the facts again and applies the action in the approver's transaction, which holds the company's lock. Throws an `AppError` of
   * kind conflict, with the reason, if the facts no longer allow it; the request then stays open.
   */
  readonly apply: (tx: Tx, deps: AppDeps, request: ApprovedRequest<Details>) => Promise<void>;
};

/** An action whose details' type is hidden, so that actions of different features fit in one list. */
export type RegisteredAction = {
  readonly action: string;
  readonly access: ApprovalAction<unknown>['access'];
  readonly describe: (details: unknown) => string;
  readonly canApprove: (details: unknown, requestedBy: string, approvedBy: string) => boolean;
  readonly listOtherCompanies: (details: unknown) => readonly string[];
  readonly prepare: (deps: AppDeps, request: OpenRequest<unknown>) => Promise<void>;
  readonly apply: (tx: Tx, deps: AppDeps, request: ApprovedRequest<unknown>) => Promise<void>;
};

/** Used by approval-actions.ts. Parses the stored details before the action's own code sees them. */
export function registerAction<Details>(registeredAction: ApprovalAction<Details>): RegisteredAction {
  const { action, access, details: schema, describe, canApprove, listOtherCompanies, prepare, apply } = registeredAction;
  return {
    action,
    access,
    describe: (details) => describe(schema.parse(details)),
    canApprove: (details, requestedBy, approvedBy) => canApprove?.(schema.parse(details), requestedBy, approvedBy) ?? true,
    listOtherCompanies: (details) => listOtherCompanies?.(schema.parse(details)) ?? [],
    prepare: async (deps, request) => prepare?.(deps, { ...request, details: schema.parse(request.details) }),
    apply: (tx, deps, request) => apply(tx, deps, { ...request, details: schema.parse(request.details) }),
  };
}
