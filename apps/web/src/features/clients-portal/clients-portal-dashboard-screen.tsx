/** A client's own page: what to do, by when, how much, and how to pay it. */
import { clientPortalApi, type PortalItem, type PortalTax } from '@portal/contract/client-portal.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
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
import { OwnReturns, ReturnsToApprove } from './own-returns.tsx';

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
      <ReturnsToApprove companyId={overview.client_id} practice={practice} />
      <NextDue overdue={overdue} coming={coming} today={today} />
      {overdue.length > 0 && <Items title="Overdue" items={overdue} overview={overview} />}
      <Items title="Coming up" items={coming} overview={overview} today={today} empty={<NothingDue taxes={taxes} practice={practice} />} />
      {refunds.length > 0 && <Refunds refunds={refunds} />}
      <OwnReturns companyId={overview.client_id} />
      <Sources taxes={taxes} practice={practice} />
    </Stack>
  );
}

type ItemsProps = {
  title: string;
  items: readonly PortalItem[];
  overview: Overview;
  empty?: ReactNode;
  /** Set if what is due much later comes on demand. */
  today?: PlainDate;
};

/** Further ahead than this, dates are only the statutory ones and few amounts are known. */
const SOON_DAYS = 92;

function Items({ title, items, overview, empty, today }: ItemsProps) {
  const soon = today === undefined ? items : items.filter(({ due_on: dueOn }) => dueOn <= addDays(today, SOON_DAYS));
  // With nothing soon, the first date is the one to know.
  const shown = soon.length === 0 ? items.slice(0, 1) : soon;
  const later = items.filter((item) => !shown.includes(item));
  return (
    <SectionCard title={title}>
      {items.length === 0 ? (
        empty
      ) : (
        <Stack gap={16}>
          <ItemList items={shown} overview={overview} />
          {later.length > 0 && (
            <details className={styles.later}>
              <summary>
                Later: {later.length} {later.length === 1 ? 'date' : 'dates'}
              </summary>
              <ItemList items={later} overview={overview} />
            </details>
          )}
        </Stack>
      )}
    </SectionCard>
  );
}

function ItemList({ items, overview: { accounts, today } }: { items: readonly PortalItem[]; overview: Overview }) {
  return (
    <Stack as="ul" gap={0}>
      {items.map((item) => (
        <li key={`${item.tax} ${item.key}`} className={styles.item}>
          <DueItem item={item} account={accounts.find(({ tax }) => tax === item.tax)} today={today} />
        </li>
      ))}
    </Stack>
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
      <Stack gap={16}>
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
      </Stack>
    </SectionCard>
  );
}

function Sources({ taxes, practice }: { taxes: readonly PortalTax[]; practice: string }) {
  return (
    <SectionCard title="Where the figures come from">
      <Stack gap={16}>
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
      </Stack>
    </SectionCard>
  );
}
