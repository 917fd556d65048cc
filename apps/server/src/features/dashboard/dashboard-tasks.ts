/** A trader's next tasks, computed from the current data and never stored. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { DashboardReturn } from './dashboard-returns.ts';
import type { NewestAdvance } from './newest-advance.ts';

export type TaskFacts = {
  readonly companyId: string;
  readonly hmrcStatus: DashboardOutput['hmrc']['status'];
  readonly hasBooks: boolean;
  /** The partner software in which the trader keeps their books and files. Undefined if they upload their books here. */
  readonly filingSoftware: string | undefined;
  readonly hasBankAccount: boolean;
  readonly returns: readonly DashboardReturn[];
  readonly advance: NewestAdvance | undefined;
};

/** Lists the most urgent task first. Each task links to its page. */
export function listTasks(facts: TaskFacts): DashboardOutput['tasks'] {
  const { companyId, advance } = facts;
  const tasks: DashboardOutput['tasks'] = [];
  const addTask = (task: string, title: string, page: string, obligationId?: string) => {
    // One books file covers all periods, so its page takes no return.
    const obligationQuery = obligationId === undefined || page === 'steps/bookkeeping' ? '' : `&obligation_id=${obligationId}`;
    const path = `/v2/instant-vat/${page}?company_id=${companyId}${obligationQuery}`;
    tasks.push({ task, title, path, ...(obligationId === undefined ? {} : { obligation_id: obligationId }) });
  };
  if (facts.hmrcStatus !== 'connected') {
    addTask('connect_hmrc', facts.hmrcStatus === 'lapsed' ? 'Connect HMRC again' : 'Connect HMRC', 'dashboard/link-hmrc-account');
  }
  if (!facts.hasBooks && facts.filingSoftware === undefined) addTask('add_books', 'Upload your books', 'steps/bookkeeping');
  for (const { obligation } of facts.returns) {
    const period = `to ${formatDate(obligation.period_end)}`;
    const obligationId = obligation.obligation_id;
    if (obligation.state === 'outcome_unknown')
      addTask('find_outcome', `Check whether HMRC received the return ${period}`, 'dashboard/vat-return', obligationId);
    if (obligation.state === 'ready') addTask('file_return', `File the VAT return ${period}`, 'dashboard/vat-return', obligationId);
    if (obligation.state === 'refused')
      addTask('fix_return', `See why HMRC rejected the return ${period}`, 'dashboard/vat-return', obligationId);
    if (obligation.state === 'no_books' && facts.filingSoftware !== undefined && !facts.hasBooks)
      addTask('file_elsewhere', `File the VAT return ${period} with ${facts.filingSoftware}`, 'dashboard/vat-return', obligationId);
    else if (obligation.state === 'no_books')
      addTask('add_books_for_period', `Upload your books for the period ${period}`, 'steps/bookkeeping', obligationId);
  }
  if (advance) {
    const obligationId = advance.obligation_id;
    if (advance.state === 'quoted' && advance.eligible) {
      addTask('accept_offer', `Accept ${formatPounds(advance.net_pence)} now`, 'dashboard/advance', obligationId);
    }
    if (advance.needsConfirmation && ['accepted', 'in_review', 'approved'].includes(advance.state)) {
      addTask('confirm_collection_account', 'Ask HMRC to repay into the collection account', 'dashboard/advance', obligationId);
    }
  }
  if (!facts.hasBankAccount) addTask('add_bank_account', 'Add your bank account', 'steps/bank-account');
  return tasks;
}
