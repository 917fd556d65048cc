/** A refund that was claimed with other software and for which we haven’t been asked for an offer. The return’s page says what HMRC still owes. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';

type Obligation = DashboardOutput['obligations'][number];

/** The newest filed return, if it was filed elsewhere, its refund isn't known to be repaid, and it isn't the refund of the newest advance. */
export function findClaimedRefund({ obligations, advance }: Pick<DashboardOutput, 'obligations' | 'advance'>): Obligation | undefined {
  const newest = obligations
    .filter(({ status }) => status === 'fulfilled')
    .toSorted((a, b) => b.period_end.localeCompare(a.period_end))
    .at(0);
  return newest !== undefined && isClaimedElsewhere(newest) && newest.obligation_id !== advance?.obligation_id ? newest : undefined;
}

export function isClaimedElsewhere({ state, amount, settled }: Obligation): boolean {
  return state === 'filed_elsewhere' && amount?.direction === 'repayment' && !settled;
}

export function describeClaim({ amount, period_start: start, period_end: end }: Obligation): string {
  return `You claimed ${amount ? formatPounds(amount.box5_pence) : 'a refund'} for ${periodText(start, end)} with other software. If HMRC hasn’t repaid it yet, you may be able to get it early.`;
}

export function ClaimedRefund({ claimed, companyId }: { claimed: Obligation; companyId: string }) {
  return (
    <Stack gap={16} align="start">
      <Text measure>{describeClaim(claimed)}</Text>
      <Button to={getPageLink('vatReturn', { company_id: companyId, obligation_id: claimed.obligation_id })} variant="outlined">
        See the return
      </Button>
    </Stack>
  );
}
