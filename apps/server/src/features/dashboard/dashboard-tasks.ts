/** Lists a company's tasks with the facts of its dashboard and the URLs of their pages. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { PendingTask } from '@portal/contract/tasks.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { priceRefund, type Price } from '@portal/domain/advances/price-refund.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { TaskDifference } from '@portal/domain/tasks/list-advance-tasks.ts';
import { listCompanyTasks } from '@portal/domain/tasks/list-company-tasks.ts';
import { isEndingSoon } from '../connections/connection-status.ts';
import type { DashboardReturn } from './dashboard-returns.ts';
import type { NewestAdvance } from './newest-advance.ts';

export type DashboardTaskFacts = {
  readonly companyId: string;
  readonly company: {
    readonly name: string;
    readonly partner: string;
    readonly fileName: string | null;
    readonly hasBankAccount: boolean;
    readonly consentEndsAt: Instant | null;
    readonly differences: readonly TaskDifference[] | null;
  };
  readonly hmrcStatus: DashboardOutput['hmrc']['status'];
  readonly returns: readonly DashboardReturn[];
  readonly advance: NewestAdvance | undefined;
  readonly now: Instant;
  readonly today: PlainDate;
};

export function listDashboardTasks({ companyId, company, hmrcStatus, returns, advance, now, today }: DashboardTaskFacts): PendingTask[] {
  const partner = getPartner(company.partner);
  const tasks = listCompanyTasks({
    today,
    hmrc: hmrcStatus,
    permissionEndsAt: company.consentEndsAt !== null && isEndingSoon(company.consentEndsAt, now) ? company.consentEndsAt : null,
    hasBooks: company.fileName !== null,
    // Traders of a bridging partner keep their books and file returns in the partner's software.
    filingSoftware: partner.kind === 'bridging' ? partner.logoText : undefined,
    hasBankAccount: company.hasBankAccount,
    returns: returns.map(({ obligation, boxes }) => ({
      ...obligation,
      estimate: boxes ? { direction: boxes.direction, box5: boxes.box5_pence } : null,
      price:
        boxes?.direction === 'repayment'
          ? (priceRefund(boxes.box5_pence, partner.feeRateBps, getAdvanceTerms(today).minimumFeePence) ?? null)
          : null,
    })),
    advance: advance && {
      ...advance,
      price: { refund: advance.refund_pence, fee: advance.fee_pence, net: advance.net_pence },
    },
    differences: company.differences ?? [],
  });
  return tasks.map(({ page, refund, ...task }): PendingTask => {
    // One books file covers all periods, and one bank account all refunds, so their pages don't depend on a return.
    const obligation = task.obligation_id === null || page.startsWith('step') ? {} : { obligation_id: task.obligation_id };
    return {
      ...task,
      task_id: [task.kind, companyId, task.obligation_id].filter((part) => part !== null).join(':'),
      company: { company_id: companyId, name: company.name },
      refund: refund && toRefundOutput(refund),
      path: `${PAGES[page].path}?${new URLSearchParams({ company_id: companyId, ...obligation }).toString()}`,
    };
  });
}

function toRefundOutput({ refund, fee, net }: Price): NonNullable<PendingTask['refund']> {
  return { refund_pence: refund, fee_pence: fee, net_pence: net };
}
