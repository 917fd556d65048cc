/** A client's own dashboard: what to do, by when, how much, and how to pay. */
import { clientPortalApi, type PortalItem, type PortalTax } from '@portal/contract/client-portal.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { clientDate, clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
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
import { EarlyRefunds } from './early-refunds.tsx';
import { GettingStarted } from './getting-started.tsx';
import { NextDue } from './next-due.tsx';
import { NoClientCompany } from './no-client-company.tsx';
import { OwnCompanies } from './own-companies.tsx';
import { OwnReturns, ReturnsToApprove } from './own-returns.tsx';
import { PortalNav } from './portal-nav.tsx';

type Overview = EndpointOutput<typeof clientPortalApi.overview>;

export function ClientsPortalDashboardScreen() {
  const { companyId, isSettled } = useCompanyId();
  const query = useQuery({ ...apiQuery(clientPortalApi.overview, { company_id: companyId }), enabled: companyId !== '' });
  const isMissing = query.error?.status === 404 || query.error?.status === 400;
  if ((isSettled && companyId === '') || isMissing) return <NoClientCompany page="clientsPortalDashboard" />;
  return (
    <Page
      title={query.data?.name ?? clientText('taxes.title')}
      lead={query.data === undefined ? '\u00A0' : clientText('taxes.lead', { practice: query.data.practice })}
      maxWidth="text"
    >
      <Stack gap={24}>
        <OwnCompanies page="clientsPortalDashboard" companyId={companyId} />
        <PortalNav current="taxes" companyId={companyId} />
        <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
          {(overview) => <Figures overview={overview} />}
        </LoadState>
      </Stack>
    </Page>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { client_id: companyId, asked, to_do: toDo, due, refunds, requests, practice, taxes, today } = overview;
  const overdueItems = due.filter(({ is_overdue: isOverdue }) => isOverdue);
  const upcomingItems = due.filter(({ is_overdue: isOverdue }) => !isOverdue);
  return (
    <Stack gap={24}>
      <GettingStarted companyId={companyId} practice={practice} toDo={toDo} />
      {asked !== null && (
        <Notice tone="warning" title={clientText('asked.title', { practice, count: asked.items })}>
          <Stack gap={12} align="start">
            <span>{clientText('asked.text', { date: clientDate(asked.due_on) })}</span>
            <Button to={getPageLink('clientsPortalPapers', { company_id: companyId })} size="small">
              {clientText('asked.open')}
            </Button>
          </Stack>
        </Notice>
      )}
      {requests.map(({ tax, url, answer_by: answerBy }) => (
        <Notice key={tax} tone="warning" title={clientText('authority.title', { practice, tax: clientText(`tax.${tax}`) })}>
          <Stack gap={12} align="start">
            <span>{clientText('authority.text', { practice, date: clientDate(answerBy) })}</span>
            <Button href={url} target="_blank" rel="noreferrer" size="small">
              {clientText('authority.open')}
            </Button>
          </Stack>
        </Notice>
      ))}
      <ReturnsToApprove companyId={overview.client_id} practice={practice} />
      <NextDue overdue={overdueItems} coming={upcomingItems} today={today} />
      {overdueItems.length > 0 && <Items title={clientText('taxes.overdue')} items={overdueItems} overview={overview} />}
      <Items
        title={clientText('taxes.coming')}
        items={upcomingItems}
        overview={overview}
        today={today}
        empty={<NothingDue taxes={taxes} practice={practice} />}
      />
      {refunds.length > 0 && <Refunds refunds={refunds} />}
      <EarlyRefunds clientId={overview.client_id} today={today} />
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
  /** If set, items due much later are only shown on demand. */
  today?: PlainDate;
};

/** Later dates are only statutory ones, with few known amounts. */
const SOON_DAYS = 92;

function Items({ title, items, overview, empty, today }: ItemsProps) {
  const itemsDueSoon = today === undefined ? items : items.filter(({ due_on: dueOn }) => dueOn <= addDays(today, SOON_DAYS));
  // If nothing is due soon, show the first item.
  const shownItems = itemsDueSoon.length === 0 ? items.slice(0, 1) : itemsDueSoon;
  const laterItems = items.filter((item) => !shownItems.includes(item));
  return (
    <SectionCard title={title}>
      {items.length === 0 ? (
        empty
      ) : (
        <Stack gap={16}>
          <ItemList items={shownItems} overview={overview} />
          {laterItems.length > 0 && (
            <details className={styles.later}>
              <summary>{clientText('taxes.later', { count: laterItems.length })}</summary>
              <ItemList items={laterItems} overview={overview} />
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

/** "Nothing is due" can only be shown for taxes with figures. */
function NothingDue({ taxes, practice }: { taxes: readonly PortalTax[]; practice: string }) {
  const isUnread = taxes.some(({ figures_state: state }) => state === 'unread');
  return <Text tone="quiet">{isUnread ? clientText('taxes.none_known', { practice }) : clientText('taxes.none')}</Text>;
}

function Refunds({ refunds }: { refunds: readonly PortalItem[] }) {
  return (
    <SectionCard title={clientText('refunds.title')}>
      <Stack gap={16}>
        <Stack as="ul" gap={0}>
          {refunds.map(({ tax, key, amount_pence: amount, due_on: dueOn }) => (
            <li key={`${tax} ${key}`} className={styles.item}>
              <div className={styles.head}>
                <div>
                  <Text weight="medium">
                    {clientText('item.of_tax', { tax: clientText(`tax.${tax}`), what: clientText('item.refund') })}
                  </Text>
                  <Text size="small" tone="quiet">
                    {clientText('refunds.expected', { date: clientDate(dueOn) })}
                  </Text>
                </div>
                {amount === null ? (
                  <Text tone="quiet">{clientText('due.unknown')}</Text>
                ) : (
                  <MoneyText pence={Math.abs(amount) as typeof amount} size="heading" />
                )}
              </div>
            </li>
          ))}
        </Stack>
        <Text size="small" tone="quiet">
          {clientText('refunds.hint')}
        </Text>
      </Stack>
    </SectionCard>
  );
}

function Sources({ taxes, practice }: { taxes: readonly PortalTax[]; practice: string }) {
  return (
    <SectionCard title={clientText('sources.title')}>
      <Stack gap={16}>
        <Stack as="ul" gap={12}>
          {taxes.map(({ tax, figures_state: state, as_of: asOf }) => (
            <li key={tax}>
              <Text weight="medium">{clientText(`tax.${tax}`)}</Text>
              <Text size="small" tone="quiet">
                {state === 'unread' || asOf === null
                  ? clientText('sources.unread')
                  : clientText(state === 'stale' ? 'sources.stale' : 'sources.as_of', { at: clientInstant(asOf) })}
              </Text>
            </li>
          ))}
        </Stack>
        <Text size="small" tone="quiet">
          {clientText('sources.hint', { practice })}
        </Text>
      </Stack>
    </SectionCard>
  );
}
