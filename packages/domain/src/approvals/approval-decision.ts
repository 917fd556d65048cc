/** The possible outcomes of a request for a two-person action. Only the requester can withdraw it; anyone else can approve or reject it. */
export const APPROVAL_DECISIONS = ['approved', 'rejected', 'withdrawn'] as const;

export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/**
 * Returns why a user can't make this decision on a request; undefined if they can. Requesters can't approve or reject their own requests.
 */
export function findDecisionError(decision: ApprovalDecision, requestedBy: string, decidedBy: string): string | undefined {
  const isRequester = requestedBy === decidedBy;
  if (decision === 'withdrawn')
    return isRequester ? undefined : 'Only the person who made this request can withdraw it. You can reject it.';
  if (!isRequester) return undefined;
  return 'You made this request, so someone else must approve or reject it. You can withdraw it.';
}
