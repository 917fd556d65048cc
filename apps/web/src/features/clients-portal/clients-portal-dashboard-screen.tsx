/** A client's own page: what to do, by when, how much, and how to pay it. */
import { clientPortalApi, type PortalItem, type PortalTax } from '@portal/contract/client-portal.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './clients-portal.module.css';
import { DueItem } from './due-item.tsx';
import { NextDue } from './next-due.tsx';
import { NoClientCompany } from './no-client-company.tsx';
import { OwnCompanies } from './own-companies.tsx';

type Overview = EndpointOutput<typeof clientPortalApi.overview>;

export function ClientsPortalDashboardScreen() {
  const { companyId, settled } = useCompanyId();
  const query = useQuery({ ...apiQuery(clientPortalApi.overview, { company_id: companyId }), enabled: companyId !== '' });
  const isMissing = query.error?.status === 404 || query.error?.status === 400;
  if ((settled && companyId === '') || isMissing) return <NoClientCompany page="clientsPortalDashboard" />;
  return (
    <Page
      title={query.data?.name ?? 'Your taxes'}
      lead={query.data === undefined ? '\u00A0' : `Looked after by ${query.data.practice}`}
      maxWidth="text"
    >
      <Stack gap={24}>
        <OwnCompanies page="clientsPortalDashboard" companyId={companyId} />
        <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
          {(overview) => <Figures overview={overview} />}
        </LoadState>
      </Stack>
    </Page>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { due, refunds, requests, practice, taxes, today } = overview;
  const overdue = due.filter(({ is_overdue: isOverdue }) => isOverdue);
  const coming = due.filter(({ is_overdue: isOverdue }) => !isOverdue);
  return (
    <Stack gap={24}>
      {requests.map(({ tax, url, answer_by: answerBy }) => (
        <Notice key={tax} tone="warning" title={`Give ${practice} permission for ${TAX_NAMES[tax]}`}>
          <Stack gap={12} align="start">
            <span>
              {practice} has asked HMRC to act for you. You’ll sign in on HMRC’s website and give permission, by{' '}
              <DateText date={answerBy} />.
            </span>
            <Button href={url} target="_blank" rel="noreferrer" size="small">
              Answer on HMRC’s website
            </Button>
          </Stack>
        </Notice>
      ))}
      <NextDue overdue={overdue} coming={coming} today={today} />
      {overdue.length > 0 && <Items title="Overdue" items={overdue} overview={overview} />}
      <Items title="Coming up" items={coming} overview={overview} empty={<NothingDue taxes={taxes} practice={practice} />} />
      {refunds.length > 0 && <Refunds refunds={refunds} />}
      <Sources taxes={taxes} practice={practice} />
    </Stack>
  );
}

type ItemsProps = { title: string; items: readonly PortalItem[]; overview: Overview; empty?: React.ReactNode };

function Items({ title, items, overview, empty }: ItemsProps) {
  return (
    <SectionCard title={title}>
      {items.length === 0 ? (
        empty
      ) : (
        <Stack as="ul" gap={0}>
          {items.map((item) => (
            <li key={`${item.tax} ${item.key}`} className={styles.item}>
              <DueItem item={item} account={overview.accounts.find(({ tax }) => tax === item.tax)} today={overview.today} />
            </li>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

/** Only figures that were read can show that nothing is due. */
function NothingDue({ taxes, practice }: { taxes: readonly PortalTax[]; practice: string }) {
  const isUnread = taxes.some(({ figures_state: state }) => state === 'unread');
  return (
    <Text tone="quiet">
      {isUnread ? `Nothing known yet. ${practice} hasn’t received all your figures.` : 'Nothing else is due that we know of.'}
    </Text>
  );
}

function Refunds({ refunds }: { refunds: readonly PortalItem[] }) {
  return (
    <SectionCard title="Refunds coming">
      <Stack as="ul" gap={0}>
        {refunds.map(({ tax, key, amount_pence: amount, due_on: dueOn }) => (
          <li key={`${tax} ${key}`} className={styles.item}>
            <div className={styles.head}>
              <div>
                <Text weight="medium">{TAX_NAMES[tax]} refund</Text>
                <Text size="small" tone="quiet">
                  Expected by <DateText date={dueOn} />
                </Text>
              </div>
              {amount === null ? (
                <Text tone="quiet">Amount not known yet</Text>
              ) : (
                <MoneyText pence={Math.abs(amount) as typeof amount} size="heading" />
              )}
            </div>
          </li>
        ))}
      </Stack>
      <Text size="small" tone="quiet">
        HMRC pays refunds to the bank account that it holds for you, and may first use them for other tax that you owe.
      </Text>
    </SectionCard>
  );
}

function Sources({ taxes, practice }: { taxes: readonly PortalTax[]; practice: string }) {
  return (
    <SectionCard title="Where the figures come from">
      <Stack as="ul" gap={12}>
        {taxes.map(({ tax, figures_state: state, as_of: asOf }) => (
          <li key={tax}>
            <Text weight="medium">{TAX_NAMES[tax]}</Text>
            <Text size="small" tone="quiet">
              {state === 'unread' || asOf === null ? (
                'Amounts not received yet. Dates are the statutory deadlines.'
              ) : (
                <>
                  As of <InstantText at={asOf} />
                  {state === 'stale' && ', so newer payments may be missing'}
                </>
              )}
            </Text>
          </li>
        ))}
      </Stack>
      <Text size="small" tone="quiet">
        A payment takes a few days to show here. If something looks wrong, ask {practice}.
      </Text>
    </SectionCard>
  );
}
