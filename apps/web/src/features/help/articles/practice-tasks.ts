import type { Article } from './article.ts';

export const PRACTICE_TASKS: Article = {
  key: 'practice-tasks',
  title: 'Tasks and templates',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['workItems', 'workTemplates', 'practiceRequests'],
  words: 'task job work board checklist template recurring to do assign owner mention comment reassign undo waiting for client',
  write: () => [
    'A task has an owner, a due date, a status, a checklist, notes and comments. It can belong to a client, but doesn’t have to. Team members see their clients’ tasks, and tasks without a client that they own or created.',
    'Create a single task, or all the tasks in a template in one go. An admin can change the templates and add new ones.',
    'An admin can switch a template on. Its tasks are then created for each return still to be filed, once its period has ended. They go to the person with that duty for the client, otherwise to the client’s manager. When HMRC shows the return as filed, they’re marked as done automatically.',
    'To notify a colleague of a comment, type @ and their full name. They get an email if they can see the task.',
    'On the task page, press N to create a task. Select tasks in the list to reassign, move or delete them together. You can undo this until you leave the page or change something else.',
    'Client requests lists everything you’ve asked your clients for: what’s open, overdue or answered, and when the client was last reminded. To send a request, open a client and go to Documents.',
    'When someone leaves, their open client tasks go to the person who takes over the client. Their other tasks become unassigned.',
    { link: { label: 'Go to tasks', page: 'workItems' } },
  ],
};
