/** VAT returns on the client's dashboard: first those to approve, then those approved or filed. */
import { returnApprovalsApi, type OwnReturn } from '@portal/contract/return-approvals.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { canApprove } from '@portal/domain/vat-returns/return-approval.ts';
import { useQuery } from '@tanstack/react-query';
import { toLondonDate } from '@portal/domain/clock.ts';
import { apiQuery } from '../../lib/api.ts';
import { clientDate, clientText } from '../../lib/client-texts/client-texts.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './clients-portal.module.css';

/** Older returns can be opened from their emails. */
const MAX_SHOWN = 8;

function useOwnReturns(companyId: string): readonly OwnReturn[] {
  return useQuery(apiQuery(returnApprovalsApi.ownList, { company_id: companyId })).data?.returns ?? [];
}

const getLink = (companyId: string, { approval_id }: OwnReturn): string =>
  getPageLink('clientsPortalVatReturn', { company_id: companyId, approval_id });

const getResult = ({ boxes: { direction, box5_pence: pence } }: OwnReturn) => ({
  result: clientText(`result.${direction}`),
  amount: formatPounds(pence),
});

export function ReturnsToApprove({ companyId, practice }: { companyId: string; practice: string }) {
  const waitingReturns = useOwnReturns(companyId).filter(({ state, filed_at: filedAt }) => filedAt === null && canApprove(state));
  return waitingReturns.map((ownReturn) => (
    <Notice
      key={ownReturn.approval_id}
      tone="warning"
      title={clientText('returns.check', { period: periodText(ownReturn.period_start, ownReturn.period_end) })}
    >
      <Stack gap={12} align="start">
        <span>{clientText('returns.check.text', { ...getResult(ownReturn), practice, date: clientDate(ownReturn.due_on) })}</span>
        <Button size="small" to={getLink(companyId, ownReturn)}>
          {clientText('returns.check.open')}
        </Button>
      </Stack>
    </Notice>
  ));
}

export function OwnReturns({ companyId }: { companyId: string }) {
  const doneReturns = useOwnReturns(companyId).filter(({ state, filed_at: filedAt }) => filedAt !== null || !canApprove(state));
  if (doneReturns.length === 0) return null;
  return (
    <SectionCard title={clientText('returns.title')}>
      <Stack as="ul" gap={0}>
        {doneReturns.slice(0, MAX_SHOWN).map((ownReturn) => (
          <li key={ownReturn.approval_id} className={styles.item}>
            <TextLink to={getLink(companyId, ownReturn)}>{periodText(ownReturn.period_start, ownReturn.period_end)}</TextLink>
            <Text size="small" tone="quiet">
              {ownReturn.filed_at === null
                ? clientText('returns.approved', getResult(ownReturn))
                : clientText('returns.filed', { ...getResult(ownReturn), date: clientDate(toLondonDate(ownReturn.filed_at)) })}
            </Text>
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}
