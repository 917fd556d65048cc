/** The totals, each linked to the clients behind it. Every sum states what it excludes. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { getTotalFilters, type PracticeDashboard, type TotalName, type Totals } from '@portal/contract/practice-totals.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import type { ReactNode } from 'react';
import { formatClientCount, formatDueItems } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Grid } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './total-cards.module.css';

type CardsProps = { data: PracticeDashboard; getListLink: (total: TotalName, order?: Readonly<Record<string, string>>) => string };

export function TotalCards({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  const getListLink: CardsProps['getListLink'] = (total, order) =>
    getPageLink('practiceClients', { company_id: companyId, ...toQuery(getTotalFilters(total, data.tax, data.today)), ...order });
  return (
    <>
      <AttentionCard data={data} getListLink={getListLink} />
      <ComingUpCard data={data} getListLink={getListLink} />
      <SumsCard data={data} getListLink={getListLink} />
    </>
  );
}

/** Converts filters to query parameters of the client list. */
export const toQuery = (filters: ClientFilters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Formats a total: unknown until a client has been read, "at least" until all have been. */
export function formatTotal(amount: Pence | null, { incomplete_clients: incompleteCount }: Pick<Totals, 'incomplete_clients'>): string {
  if (amount === null) return 'Not known yet';
  if (incompleteCount === 0) return amount === 0 ? 'Nil' : formatPounds(amount);
  return amount === 0 ? 'None so far' : `At least ${formatPounds(amount)}`;
}

/** Formats a number of returns in words, like `formatTotal`. */
function countText(count: number | null, { incomplete_clients: incompleteCount }: Pick<Totals, 'incomplete_clients'>): string {
  if (count === null) return 'Not known yet';
  if (count === 0) return incompleteCount === 0 ? 'None' : 'None so far';
  return `${incompleteCount === 0 ? '' : 'At least '}${count.toLocaleString('en-GB')}`;
}

/** Describes what the totals don't cover, for example "958 clients not fully updated yet". */
export function describeMissingFigures({ incomplete_clients: incompleteCount, unread_clients: unreadCount }: Totals): string | undefined {
  if (incompleteCount === 0) return undefined;
  return `${formatClientCount(incompleteCount)} not ${unreadCount === incompleteCount ? '' : 'fully '}updated yet`;
}

function AttentionCard({ data: { totals }, getListLink }: CardsProps) {
  const { overdue_pence: overdueAmount, overdue_returns: returns, overdue_updates: updates, at_risk_pence: atRiskAmount } = totals;
  const missingFiguresText = describeMissingFigures(totals);
  const hasNoProblems = missingFiguresText === undefined && overdueAmount === 0 && returns === 0 && updates === 0 && atRiskAmount === 0;
  const details =
    missingFiguresText === undefined
      ? {}
      : {
          details: (
            <TextLink to={getListLink('incomplete')} inheritsColour>{`Excludes ${missingFiguresText.replace(' not', ', not')}`}</TextLink>
          ),
        };
  return (
    <SectionCard title={hasNoProblems ? 'Nothing needs attention' : 'Needs attention'}>
      <Grid minColumn={260} gap={24} className={styles.figures}>
        <Figure
          figure={formatTotal(overdueAmount, totals)}
          label={totals.overdue_clients > 0 ? `Overdue payments, ${formatClientCount(totals.overdue_clients)}` : 'Overdue payments'}
          tone={totals.overdue_clients > 0 ? 'error' : undefined}
          to={totals.overdue_clients > 0 && getListLink('overdue', { sort: 'overdue' })}
          linkLabel="View clients with overdue payments"
          {...details}
        />
        <Figure
          figure={countText(returns, totals)}
          label={`${returns === 1 ? 'Overdue return' : 'Overdue returns'}${returns !== null && returns > 0 ? `, ${formatClientCount(totals.overdue_return_clients)}` : ''}`}
          tone={returns !== null && returns > 0 ? 'error' : undefined}
          to={totals.overdue_return_clients > 0 && getListLink('overdue_returns')}
          linkLabel="View clients with overdue returns"
          {...details}
        />
        {updates !== null && updates > 0 && (
          <Figure
            figure={countText(updates, totals)}
            label={`${updates === 1 ? 'Overdue quarterly update' : 'Overdue quarterly updates'}, ${formatClientCount(totals.overdue_update_clients)}`}
            details="Making Tax Digital for Income Tax. Not included in returns."
            tone="error"
            to={getListLink('overdue_updates')}
            linkLabel="View clients with overdue quarterly updates"
          />
        )}
        <Figure
          figure={formatTotal(atRiskAmount, totals)}
          label={`Penalties and interest not charged yet${totals.at_risk_clients > 0 ? `, ${formatClientCount(totals.at_risk_clients)}` : ''}`}
          details="Our estimate. HMRC’s figure may differ."
          to={totals.at_risk_clients > 0 && getListLink('at_risk')}
          linkLabel="View clients with penalties or interest not charged yet"
        />
      </Grid>
    </SectionCard>
  );
}

function ComingUpCard({ data: { tax, totals, today }, getListLink }: CardsProps) {
  return (
    <SectionCard title="Coming up">
      <Grid minColumn={260} gap={24} className={styles.figures}>
        {([7, 30, 90] as const).map((days) => {
          const dueTotals = totals.due[days];
          const untilDate = addDays(today, days);
          if (dueTotals.items === 0) {
            const figure = totals.incomplete_clients === 0 ? 'Nothing' : 'None known';
            return <Figure key={days} figure={figure} label={`Due within ${days} days`} details={`By ${formatDate(untilDate)}`} />;
          }
          return (
            <Figure
              key={days}
              figure={dueTotals.amount_pence === null ? 'Amounts not known yet' : formatTotal(dueTotals.amount_pence, totals)}
              label={`Due within ${days} days: ${formatDueItems(dueTotals.items, tax)} for ${formatClientCount(dueTotals.clients)}`}
              details={`By ${formatDate(untilDate)}. Excludes amounts not yet known.`}
              to={getListLink(`due_${days}`)}
              linkLabel={`View clients due by ${formatDate(untilDate, 'short')}`}
            />
          );
        })}
      </Grid>
    </SectionCard>
  );
}

function SumsCard({ data: { totals }, getListLink }: CardsProps) {
  return (
    <SectionCard title="Totals">
      <Grid minColumn={260} gap={24} className={styles.figures}>
        <Figure
          figure={formatTotal(totals.owed_pence, totals)}
          label={`Owed to HMRC in total${totals.owed_clients > 0 ? `, ${formatClientCount(totals.owed_clients)}` : ''}`}
          to={totals.owed_clients > 0 && getListLink('owed', { sort: 'owed' })}
          linkLabel="View clients who owe HMRC"
        />
        <Figure
          figure={formatTotal(totals.refund_pence, totals)}
          label={totals.refund_clients > 0 ? `Refunds due, ${formatClientCount(totals.refund_clients)}` : 'Refunds due'}
          to={totals.refund_clients > 0 && getListLink('refund', { sort: 'refund' })}
          linkLabel="View clients due a refund"
        />
        <Figure
          figure={totals.clients.toLocaleString('en-GB')}
          label={totals.clients === 1 ? 'Active client' : 'Active clients'}
          to={getListLink('clients')}
          linkLabel="View all active clients"
        />
        {totals.incomplete_clients > 0 && (
          <Figure
            figure={totals.incomplete_clients.toLocaleString('en-GB')}
            label={`${totals.incomplete_clients === 1 ? 'Client' : 'Clients'} not ${totals.unread_clients === totals.incomplete_clients ? '' : 'fully '}updated yet`}
            details="Totals exclude figures we don’t have yet."
            to={getListLink('incomplete')}
            linkLabel="View clients with missing figures"
          />
        )}
        {totals.stale_clients > 0 && (
          <Figure
            figure={totals.stale_clients.toLocaleString('en-GB')}
            label={totals.stale_clients === 1 ? 'Client with out-of-date figures' : 'Clients with out-of-date figures'}
            details="Totals use the latest figures we’ve read."
            to={getListLink('stale')}
            linkLabel="View clients with out-of-date figures"
          />
        )}
      </Grid>
    </SectionCard>
  );
}

type FigureProps = {
  figure: string;
  label: string;
  details?: ReactNode;
  tone?: 'error' | undefined;
  to?: string | false;
  linkLabel?: string;
};

function Figure({ figure, label, details, tone, to, linkLabel }: FigureProps) {
  return (
    <div>
      <KeyFigure figure={figure} label={label} tone={tone} {...(details === undefined ? {} : { details })} />
      {/* Without clients behind the figure, don't link it. */}
      {typeof to === 'string' && (
        <TextLink to={to} className={styles.link}>
          {linkLabel}
        </TextLink>
      )}
    </div>
  );
}
