/** The next deadline: the working days left first, then the date and the return. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatDate, daysBetween } from '@portal/domain/plain-date.ts';
import type { ReactNode } from 'react';
import { pageLink } from '../../lib/page-link.ts';
import { PeriodText } from '../../ui/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

type Deadline = NonNullable<DashboardOutput['next_deadline']>;

function formatTimeLeft(deadline: Deadline, today: DashboardOutput['today']): string {
  if (deadline.overdue) {
    const days = daysBetween(deadline.due_on, today);
    return `${days} ${days === 1 ? 'day' : 'days'} overdue`;
  }
  if (deadline.due_on === today) return 'Due today';
  const days = deadline.working_days_left;
  return days === 0 ? 'No working day left' : `${days} working ${days === 1 ? 'day' : 'days'} left`;
}

/** The return that is due on that day, named by its period. */
function renderDueReturn({ obligations }: DashboardOutput, deadline: Deadline): ReactNode {
  const due = obligations.find((obligation) => obligation.due_on === deadline.due_on && obligation.status === 'open');
  if (!due) return deadline.what;
  return (
    <>
      {deadline.what} for <PeriodText start={due.period_start} end={due.period_end} />
    </>
  );
}

export function DeadlineCard({ data, isMain }: { data: DashboardOutput; isMain: boolean }) {
  const deadline = data.next_deadline;
  const ready = data.obligations.find((obligation) => obligation.state === 'ready');
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
        <p className="p-text">
          {data.hmrc.as_of === null
            ? 'We know your deadlines once HMRC is connected.'
            : 'HMRC expects no return from you now. The next period appears here when it opens.'}
        </p>
      )}
      {/* An overdue return has no button here, because the problems panel above has one. */}
      {ready && !ready.overdue ? (
        <div className="p-dash-action">
          <LinkButton
            to={pageLink('vatReturn', { company_id: data.company.company_id, obligation_id: ready.obligation_id })}
            variant={isMain ? 'contained' : 'outlined'}
          >
            Check and file the return
          </LinkButton>
        </div>
      ) : null}
    </SectionCard>
  );
}
