/** The totals, each linked to the clients behind it. */
import type { PracticeDashboard } from '@portal/contract/practice-dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { pageLink } from '../../lib/page-link.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Grid } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './total-cards.module.css';

const formatCount = (count: number, one: string): string => `${count.toLocaleString('en-GB')} ${count === 1 ? one : `${one}s`}`;

export function TotalCards({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  const { totals, tax, today } = data;
  const list = (query: Readonly<Record<string, string>>): string =>
    pageLink('practiceClients', { company_id: companyId, status: 'in_hand', ...(tax === 'all' ? {} : { tax }), ...query });
  const isLate = totals.overdue_pence > 0 || totals.overdue_returns > 0;
  const hasNoProblems = !isLate && totals.at_risk_pence === 0;
  return (
    <>
      <SectionCard title={hasNoProblems ? 'Nothing needs attention' : 'Needs attention'}>
        <Grid minColumn={260} gap={24} className={styles.figures}>
          <Figure
            figure={formatPounds(totals.overdue_pence)}
            label={`Overdue payments, ${formatCount(totals.overdue_clients, 'client')}`}
            tone={totals.overdue_pence > 0 ? 'error' : undefined}
            to={totals.overdue_clients > 0 && list({ has: 'overdue', sort: 'overdue' })}
            linkLabel="View clients with overdue payments"
          />
          <Figure
            figure={totals.overdue_returns.toLocaleString('en-GB')}
            label={totals.overdue_returns === 1 ? 'Overdue return' : 'Overdue returns'}
            tone={totals.overdue_returns > 0 ? 'error' : undefined}
            to={totals.overdue_returns > 0 && list({ has: 'overdue_return' })}
            linkLabel="View clients with overdue returns"
          />
          <Figure
            figure={formatPounds(totals.at_risk_pence)}
            label="Penalties and interest to date"
            details="Our estimate. HMRC’s figure may differ."
            to={totals.at_risk_pence > 0 && list({ has: 'at_risk' })}
            linkLabel="View clients with penalties or interest"
          />
        </Grid>
      </SectionCard>
      <SectionCard title="Coming up">
        <Grid minColumn={260} gap={24} className={styles.figures}>
          {([7, 30, 90] as const).map((days) => {
            const due = totals.due[days];
            const until = addDays(today, days);
            if (due.items === 0)
              return <Figure key={days} figure="Nothing" label={`Due within ${days} days`} details={`By ${formatDate(until)}`} />;
            return (
              <Figure
                key={days}
                figure={formatPounds(due.amount_pence)}
                label={`Due within ${days} days, ${formatCount(due.items, 'return or payment').replace(/return or payments$/, 'returns and payments')}`}
                details={`By ${formatDate(until)}. Excludes amounts not yet known.`}
                to={list({ due_before: until })}
                linkLabel={`View clients due by ${formatDate(until, 'short')}`}
              />
            );
          })}
        </Grid>
      </SectionCard>
      <SectionCard title="Totals">
        <Grid minColumn={260} gap={24} className={styles.figures}>
          <Figure
            figure={formatPounds(totals.owed_pence)}
            label="Owed to HMRC in total"
            to={totals.owed_pence > 0 && list({ has: 'owed', sort: 'owed' })}
            linkLabel="View clients who owe HMRC"
          />
          <Figure
            figure={formatPounds(totals.refund_pence)}
            label={`Refunds due, ${formatCount(totals.refund_clients, 'client')}`}
            to={totals.refund_clients > 0 && list({ has: 'refund', sort: 'refund' })}
            linkLabel="View clients due a refund"
          />
          <Figure
            figure={totals.clients.toLocaleString('en-GB')}
            label={totals.clients === 1 ? 'Active client' : 'Active clients'}
            to={list({})}
            linkLabel="View all active clients"
          />
        </Grid>
      </SectionCard>
    </>
  );
}

type FigureProps = { figure: string; label: string; details?: string; tone?: 'error' | undefined; to?: string | false; linkLabel?: string };

function Figure({ figure, label, details, tone, to, linkLabel }: FigureProps) {
  return (
    <div>
      <KeyFigure figure={figure} label={label} tone={tone} {...(details === undefined ? {} : { details })} />
      {/* Without clients behind the figure, there is no link. */}
      {typeof to === 'string' && (
        <TextLink to={to} className={styles.link}>
          {linkLabel}
        </TextLink>
      )}
    </div>
  );
}
