/** Lists all two-person actions. A new one is defined in its own feature and added here. */
import { CHANGE_ROLES, INVITE_OPERATOR, RENEW_LINK } from '../operator-people/access-actions.ts';
import { changeLimitAction } from '../operator-companies/change-limit.ts';
import { MOVE_VAT_NUMBER } from '../operator-companies/move-vat-number.ts';
import { REFUND_INVOICE } from '../operator-billing/refund-action.ts';
import { RECORD_TRANSFER } from '../operator-billing/transfer-action.ts';
import { WRITE_OFF_INVOICE } from '../operator-billing/write-off-action.ts';
import { MOVE_SUBSCRIBERS } from '../operator-pricing/price-moves.ts';
import { PUBLISH_PRICE_LIST } from '../operator-pricing/price-list-drafts.ts';
import { CREATE_CODE } from '../operator-pricing/promotion-code-actions.ts';
import { RESOLVE_ACCOUNT_CREDIT } from '../reconciliation-exceptions/account-credit-action.ts';
import { ALLOCATE_CREDIT } from '../reconciliation-exceptions/allocate-action.ts';
import { RESOLVE_COLLECTION_PAYOUT } from '../reconciliation-exceptions/collection-payout-action.ts';
import { DISCARD_PAYOUT } from '../reconciliation-exceptions/discard-payout-action.ts';
import { PAY_SURPLUS } from '../reconciliation-exceptions/pay-surplus-action.ts';
import { RESOLVE_PAYOUT } from '../reconciliation-exceptions/resolve-payout-action.ts';
import { RETURN_CREDIT } from '../reconciliation-exceptions/return-action.ts';
import { WRITE_OFF_ACTION } from '../shortfalls/operator-actions.ts';
import { registerAction, type RegisteredAction } from './approval-action.ts';

const ACTIONS: readonly RegisteredAction[] = [
  registerAction(changeLimitAction),
  registerAction(MOVE_VAT_NUMBER),
  registerAction(INVITE_OPERATOR),
  registerAction(CHANGE_ROLES),
  registerAction(RENEW_LINK),
  registerAction(ALLOCATE_CREDIT),
  registerAction(RETURN_CREDIT),
  registerAction(PAY_SURPLUS),
  registerAction(RESOLVE_PAYOUT),
  registerAction(RESOLVE_ACCOUNT_CREDIT),
  registerAction(RESOLVE_COLLECTION_PAYOUT),
  registerAction(DISCARD_PAYOUT),
  registerAction(WRITE_OFF_ACTION),
  registerAction(PUBLISH_PRICE_LIST),
  registerAction(CREATE_CODE),
  registerAction(MOVE_SUBSCRIBERS),
  registerAction(REFUND_INVOICE),
  registerAction(RECORD_TRANSFER),
  registerAction(WRITE_OFF_INVOICE),
];

const ACTIONS_BY_NAME: ReadonlyMap<string, RegisteredAction> = new Map(ACTIONS.map((action) => [action.action, action]));

export function getApprovalAction(name: string): RegisteredAction {
  const action = ACTIONS_BY_NAME.get(name);
  if (!action) throw new Error(`the two-person action ${name} is not registered`);
  return action;
}
