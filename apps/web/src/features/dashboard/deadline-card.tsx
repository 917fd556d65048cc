/** The next deadline: first the working days left, then the date and the return. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatDate, countDaysBetween } from '@portal/domain/plain-date.ts';
import type { ReactNode } from 'react';
import { PeriodText } from '../../components/formats/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

type Deadline = NonNullable<DashboardOutput['next_deadline']>;

function formatTimeLeft(deadline: Deadline, today: DashboardOutput['today']): string {
  if (deadline.overdue) {
    const days = countDaysBetween(deadline.due_on, today);
    return `${days} ${days === 1 ? 'day' : 'days'} overdue`;
  }
  if (deadline.due_on === today) return 'Due today';
  const days = deadline.working_days_left;
  return days === 0 ? 'No working days left' : `${days} working ${days === 1 ? 'day' : 'days'} left`;
}

/** Shows which return is due on that day, named by its period. */
function renderDueReturn({ obligations }: DashboardOutput, deadline: Deadline): ReactNode {
  const dueObligation = obligations.find((obligation) => obligation.due_on === deadline.due_on && obligation.status === 'open');
  if (!dueObligation) return deadline.what;
  return (
    <>
      {deadline.what} for <PeriodText start={dueObligation.period_start} end={dueObligation.period_end} />
    </>
  );
}

export function DeadlineCard({ data }: { data: DashboardOutput }) {
  const deadline = data.next_deadline;
  return (
    <SectionCard title="Next deadline">
      {deadline ? (
        <KeyFigure
          figure={formatTimeLeft(deadline, data.today)}
          tone={deadline.overdue ? 'error' : undefined}
          label={renderDueReturn(data, deadline)}
          details={`${deadline.overdue ? 'It was due' : 'Due'} on ${formatDate(deadline.due_on)}`}
        />
      ) : (
        <Text>{describeNoDeadline(data.hmrc)}</Text>
      )}
    </SectionCard>
  );
}

function describeNoDeadline({ status, as_of: asOf }: DashboardOutput['hmrc']): string {
  if (asOf !== null) return 'No returns are due. Your next period appears here when HMRC opens it.';
  return status === 'connected' ? 'We’re getting your deadlines from HMRC.' : 'Connect HMRC to see your deadlines.';
}
