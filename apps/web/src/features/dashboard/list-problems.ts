/** Problems, errors first, each with its meaning and how to fix it. If there are none, the dashboard says that nothing needs attention. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { pageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';

export type Problem = {
  readonly key: string;
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly meaning: string;
  readonly action: { readonly label: string; readonly to: string } | null;
};

export function listProblems(dashboard: DashboardOutput): Problem[] {
  const problems = [...listReturnProblems(dashboard), ...listAdvanceProblems(dashboard), ...listConnectionProblems(dashboard)];
  return problems.sort((a, b) => (a.severity === b.severity ? 0 : a.severity === 'error' ? -1 : 1));
}

function listConnectionProblems({ hmrc, company }: DashboardOutput): Problem[] {
  const to = pageLink('linkHmrcAccount', { company_id: company.company_id });
  switch (hmrc.status) {
    case 'connected':
      return [];
    case 'lapsed':
      return [
        {
          key: 'hmrc-lapsed',
          severity: 'error',
          title: 'Our connection to your HMRC account has ended',
          meaning:
            'HMRC ends every connection after 18 months, or earlier if you remove it. Nothing you filed is affected, but we cannot file or read new figures until you connect again.',
          action: { label: 'Connect to HMRC again', to },
        },
      ];
    case 'declined':
      return [
        {
          key: 'hmrc-declined',
          severity: 'warning',
          title: 'You chose not to connect to HMRC',
          meaning: 'Without the connection we cannot see which returns are due or file them. You can connect at any time.',
          action: { label: 'Connect to HMRC', to },
        },
      ];
    case 'not_connected':
      return [
        {
          key: 'hmrc-not-connected',
          severity: 'warning',
          title: 'HMRC is not connected yet',
          meaning: 'We need your permission to see which returns are due and to file them.',
          action: { label: 'Connect to HMRC', to },
        },
      ];
  }
}

function listReturnProblems({ obligations, company }: DashboardOutput): Problem[] {
  return obligations.flatMap((obligation): Problem[] => {
    const period = periodText(obligation.period_start, obligation.period_end);
    const to = pageLink('vatReturn', { company_id: company.company_id, obligation_id: obligation.obligation_id });
    if (obligation.state === 'outcome_unknown') {
      return [
        {
          key: `unknown-${obligation.obligation_id}`,
          severity: 'error',
          title: `We do not know yet whether HMRC has your return for ${period}`,
          meaning:
            'We sent it and HMRC’s answer was lost. Do not file it anywhere else: we find out by asking HMRC, and never send it twice.',
          action: { label: 'See what HMRC says', to },
        },
      ];
    }
    if (obligation.overdue) {
      return [
        {
          key: `overdue-${obligation.obligation_id}`,
          severity: 'error',
          title: `Your return for ${period} is overdue`,
          meaning: `It was due on ${formatDate(obligation.due_on)}. HMRC can add a penalty point, and pays no refund while a return is missing.`,
          action: { label: 'Open the overdue return', to },
        },
      ];
    }
    if (obligation.state === 'refused') {
      return [
        {
          key: `refused-${obligation.obligation_id}`,
          severity: 'error',
          title: `HMRC refused your return for ${period}`,
          meaning: 'Nothing was filed. The return says why, and what to change.',
          action: { label: 'See why', to },
        },
      ];
    }
    return [];
  });
}

function listAdvanceProblems({ advance, company }: DashboardOutput): Problem[] {
  if (!advance) return [];
  const to = pageLink('advance', { company_id: company.company_id, obligation_id: advance.obligation_id });
  const action = { label: 'See the advance', to };
  switch (advance.state) {
    case 'shortfall':
    case 'collecting':
      return [
        {
          key: 'advance-shortfall',
          severity: 'error',
          title: 'HMRC repaid less than you claimed',
          meaning:
            advance.state === 'collecting'
              ? 'We are collecting the difference from your bank account. The advance shows the amount and the date.'
              : `We bought a refund of ${formatPounds(advance.refund_pence)} and HMRC has not paid all of it. The advance shows the difference and what happens next.`,
          action,
        },
      ];
    case 'payout_failed':
      return [
        {
          key: 'advance-payout-failed',
          severity: 'error',
          title: `Your payment of ${formatPounds(advance.net_pence)} did not go through`,
          meaning: 'The bank returned it or could not send it. The money is safe with us; we look into it and pay you once only.',
          action,
        },
      ];
    default:
      return [];
  }
}
