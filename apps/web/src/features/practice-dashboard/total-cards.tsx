/** The totals, each linked to the clients behind it. */
import type { PracticeDashboard } from '@portal/contract/practice-dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { Link } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

const formatCount = (count: number, one: string): string => `${count.toLocaleString('en-GB')} ${count === 1 ? one : `${one}s`}`;

export function TotalCards({ data, companyId }: { data: PracticeDashboard; companyId: string }) {
  const { totals, tax, today } = data;
  const list = (query: Readonly<Record<string, string>>): string =>
    pageLink('practiceClients', { company_id: companyId, status: 'in_hand', ...(tax === 'all' ? {} : { tax }), ...query });
  const isLate = totals.overdue_pence > 0 || totals.overdue_returns > 0;
  const hasNoProblems = !isLate && totals.at_risk_pence === 0;
  return (
    <>
      <SectionCard title={hasNoProblems ? 'Nothing is overdue' : 'What is wrong'}>
        <Grid>
          <Figure
            figure={formatPounds(totals.overdue_pence)}
            label={`overdue to HMRC, ${formatCount(totals.overdue_clients, 'client')}`}
            tone={totals.overdue_pence > 0 ? 'error' : undefined}
            to={totals.overdue_clients > 0 && list({ has: 'overdue', sort: 'overdue' })}
            linkLabel="See who is late paying"
          />
          <Figure
            figure={totals.overdue_returns.toLocaleString('en-GB')}
            label={totals.overdue_returns === 1 ? 'return is overdue' : 'returns are overdue'}
            tone={totals.overdue_returns > 0 ? 'error' : undefined}
            to={totals.overdue_returns > 0 && list({ has: 'overdue_return' })}
            linkLabel="See whose returns are late"
          />
          <Figure
            figure={formatPounds(totals.at_risk_pence)}
            label="penalties and interest to date"
            details="Worked out by the rules; HMRC's own figure may differ."
            to={totals.at_risk_pence > 0 && list({ has: 'at_risk' })}
            linkLabel="See whose they are"
          />
        </Grid>
      </SectionCard>
      <SectionCard title="What is next">
        <Grid>
          {([7, 30, 90] as const).map((days) => {
            const due = totals.due[days];
            const until = addDays(today, days);
            if (due.items === 0)
              return <Figure key={days} figure="Nothing" label={`due within ${days} days, up to ${formatDate(until, 'short')}`} />;
            return (
              <Figure
                key={days}
                figure={formatPounds(due.amount_pence)}
                label={`due within ${days} days, ${formatCount(due.items, 'return or payment').replace(/return or payments$/, 'returns and payments')}`}
                details={`Up to ${formatDate(until, 'short')}. Amounts that nobody has said yet are not in it.`}
                to={list({ due_before: until })}
                linkLabel={`See who is due by ${formatDate(until, 'short')}`}
              />
            );
          })}
        </Grid>
      </SectionCard>
      <SectionCard title="How much">
        <Grid>
          <Figure
            figure={formatPounds(totals.owed_pence)}
            label="owed to HMRC in all, overdue or not"
            to={totals.owed_pence > 0 && list({ has: 'owed', sort: 'owed' })}
            linkLabel="See who owes"
          />
          <Figure
            figure={formatPounds(totals.refund_pence)}
            label={`coming from HMRC, ${formatCount(totals.refund_clients, 'client')}`}
            to={totals.refund_clients > 0 && list({ has: 'refund', sort: 'refund' })}
            linkLabel="See who gets a refund"
          />
          <Figure
            figure={totals.clients.toLocaleString('en-GB')}
            label={totals.clients === 1 ? 'client in hand' : 'clients in hand'}
            to={list({})}
            linkLabel="See all of them"
          />
        </Grid>
      </SectionCard>
    </>
  );
}

function Grid({ children }: { children: React.ReactNode }) {
  // At least as wide as £100,000,000.00, so that a large practice's figures don't overlap.
  return <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))' }}>{children}</Box>;
}

type FigureProps = { figure: string; label: string; details?: string; tone?: 'error' | undefined; to?: string | false; linkLabel?: string };

function Figure({ figure, label, details, tone, to, linkLabel }: FigureProps) {
  return (
    <Box>
      <KeyFigure figure={figure} label={label} tone={tone} {...(details === undefined ? {} : { details })} />
      {/* Without clients behind the figure, there is no link. */}
      {typeof to === 'string' && (
        <MuiLink component={Link} to={to} sx={{ display: 'inline-block', mt: 0.5, py: 0.5, fontSize: '0.875rem', fontWeight: 500 }}>
          {linkLabel}
        </MuiLink>
      )}
    </Box>
  );
}
