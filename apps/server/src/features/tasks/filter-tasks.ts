/** Filters a company's tasks to those that a user can do: none for a viewer, and only those for preparing a return for a bookkeeper. */
import { hasCompanyRight, type CompanyAccess } from '@portal/contract/company-rights.ts';
import type { PendingTask } from '@portal/contract/tasks.ts';
import { isTraderRole, type Role } from '@portal/domain/identity/roles.ts';
import type { TaskSubject } from '@portal/domain/tasks/task-kinds.ts';

const RIGHT_FOR_SUBJECT: Readonly<Record<Exclude<TaskSubject, 'person'>, CompanyAccess>> = {
  return: 'company.prepare',
  books: 'company.prepare',
  advance: 'company.accept_advance',
  connection: 'company.manage',
  bank: 'company.manage',
  company: 'company.manage',
};

/** Tasks that end with filing, whatever their subject. */
const FILING_KINDS: ReadonlySet<string> = new Set(['file_return', 'file_elsewhere', 'find_outcome']);

type TaskAccess = { readonly role: Role | undefined; readonly permissions?: readonly string[] };

/** Someone without a role in the company, such as an operator viewing it, gets all tasks. */
export function filterTasks(tasks: readonly PendingTask[], { role, permissions = [] }: TaskAccess): PendingTask[] {
  if (!isTraderRole(role)) return [...tasks];
  return tasks.filter(({ kind, subject }) => {
    if (subject === 'person') return true;
    return hasCompanyRight(FILING_KINDS.has(kind) ? 'company.file_return' : RIGHT_FOR_SUBJECT[subject], role, permissions);
  });
}
