/** The person's remaining tasks. Task paths in the contract are pages of the portal. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { LinkButton } from '../../ui/plain-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { listFurtherTasks } from './list-further-tasks.ts';

export function TasksCard({ data, isMain }: { data: DashboardOutput; isMain: boolean }) {
  const tasks = listFurtherTasks(data);
  if (tasks.length === 0 && data.tasks.length > 0) return null;
  return (
    <SectionCard title={tasks.length === 0 ? 'To do' : `To do (${tasks.length})`}>
      {tasks.length === 0 ? (
        <p className="p-text">You are set up. There is nothing left to do.</p>
      ) : (
        <ol className="p-dash-tasks">
          {tasks.map((task, index) => (
            <li key={task.task}>
              <LinkButton to={task.path} variant={isMain && index === 0 ? 'contained' : 'outlined'} size="medium" fit="wide">
                {task.title}
              </LinkButton>
            </li>
          ))}
        </ol>
      )}
    </SectionCard>
  );
}
