import type { Article } from './article.ts';

export const PRACTICE_TASKS: Article = {
  key: 'practice-tasks',
  title: 'Tasks and templates',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['workItems', 'workTemplates', 'practiceRequests'],
  words: 'task job work board checklist template recurring to do assign owner mention comment reassign undo waiting for client',
  write: () => [
    'A task has an owner, a due date, a status, a checklist, notes and comments. It is about a client, or about none. Team members see the tasks of their clients, and tasks without a client that they own or created.',
    'Create a task by hand, or the tasks of a template together. An admin can change the templates and add new ones.',
    'An admin can switch a template on. Its tasks are then created for each return that is still to be filed, once its period has ended. They go to the person with that duty for the client, otherwise to its manager. When HMRC shows the return as filed, they are marked as done automatically.',
    'To notify a colleague of a comment, write @ and their full name. They get an email if they may see the task.',
    'On the task page, press N to create a task. Select tasks in the list to reassign, move or delete them together. You can undo it until you leave the page or change something else.',
    'Requests to clients lists what you have asked all your clients for: what is open, overdue or answered, and when the client was last reminded. To send a request, open a client and go to Documents.',
    'When someone leaves, their open tasks of a client go to the person who takes over the client. The others become unassigned.',
    { link: { label: 'Go to the tasks', page: 'workItems' } },
  ],
};
