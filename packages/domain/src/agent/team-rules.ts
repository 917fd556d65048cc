/** Rules about the team's work: assignments and neglected work. */
import { addDays, countDaysBetween, formatDate } from '../plain-date.ts';
import type { ClientFacts, Colleague, PracticeFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { findOwner, isCurrent, toPracticeFact } from './rule-text.ts';

/** Returns the colleague with the lowest workload; if several are equal, the first by id. */
function findLeastBusyColleague({ colleagues }: PracticeFacts): Colleague | undefined {
  return colleagues.reduce<Colleague | undefined>((leastBusy, candidate) => {
    if (!leastBusy) return candidate;
    return candidate.due_30 < leastBusy.due_30 || (candidate.due_30 === leastBusy.due_30 && candidate.clients < leastBusy.clients)
      ? candidate
      : leastBusy;
  }, undefined);
}

export const TEAM_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'client-unassigned',
    version: 1,
    name: 'Client unassigned',
    looksFor: 'An active client that isn’t assigned to anyone. It goes to the team member with the least work due in the next 30 days.',
    reads: ['who the client is assigned to', 'the team’s workload'],
    proposes: 'assign',
    find: findUnassignedClients,
  }),
  defineRule({
    id: 'task-unassigned',
    version: 1,
    name: 'Task without an owner',
    looksFor: 'An open client task that has no owner and is due soon. It goes to the client’s manager.',
    reads: ['tasks', 'who the client is assigned to'],
    proposes: 'assign_task',
    threshold: { unit: 'days', text: 'Days before the due date', normal: 7, min: 0, max: 60, isFloor: false },
    find: findUnownedTasks,
  }),
  defineRule({
    id: 'task-late',
    version: 1,
    name: 'Task overdue',
    looksFor: 'An open client task that is past its due date.',
    reads: ['tasks'],
    proposes: 'watch',
    threshold: { unit: 'days', text: 'Days late', normal: 3, min: 1, max: 60, isFloor: true },
    find: findLateTasks,
  }),
  defineRule({
    id: 'owner-overloaded',
    version: 1,
    name: 'Team member overloaded',
    looksFor: 'A client with something due soon, whose only assigned team member has far more work than the team’s median.',
    reads: ['who the client is assigned to', 'due dates', 'the team’s workload'],
    proposes: 'assign',
    threshold: { unit: 'percent', text: 'Above the team’s median by', normal: 100, min: 25, max: 1000, isFloor: true },
    find: findOverloadedColleagues,
  }),
];

function findUnassignedClients(client: ClientFacts, { practice }: RuleContext): Finding[] {
  if (!isCurrent(client) || client.members.length > 0) return [];
  const leastBusy = findLeastBusyColleague(practice);
  if (!leastBusy) return [];
  return [
    {
      subject: 'client',
      title: 'This client isn’t assigned to anyone',
      tax: null,
      facts: [toPracticeFact('Assigned', 'no one'), toPracticeFact(leastBusy.name, describeLoad(leastBusy), 'team')],
      act: { kind: 'assign', user_id: leastBusy.user_id, name: leastBusy.name, duty: 'manager' },
      due_on: null,
    },
  ];
}

const describeLoad = ({ clients, due_30: due }: Colleague): string =>
  `${clients.toLocaleString('en-GB')} ${clients === 1 ? 'client' : 'clients'}, ${due.toLocaleString('en-GB')} due in 30 days`;

function findUnownedTasks(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  const owner = client.members.find(({ user_id: id }) => id === findOwner(client));
  if (!owner) return [];
  return client.tasks.flatMap(({ item_id: id, title, due_on: due, owner_id: ownerId }) => {
    if (ownerId !== null || due === null || due > addDays(today, threshold)) return [];
    return [
      {
        subject: id,
        title: 'A task due soon has no owner',
        tax: null,
        facts: [
          toPracticeFact('Task', `${title}, due on ${formatDate(due)}`, 'tasks'),
          toPracticeFact('Assigned to the client', owner.name),
        ],
        act: { kind: 'assign_task', item_id: id, title, user_id: owner.user_id, name: owner.name },
        due_on: due,
      },
    ] satisfies Finding[];
  });
}

function findLateTasks(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  return client.tasks.flatMap(({ item_id: id, title, due_on: due }) => {
    if (due === null || countDaysBetween(due, today) < threshold) return [];
    return [
      {
        subject: `${id} ${due}`,
        title: `A task is ${countDaysBetween(due, today)} days overdue`,
        tax: null,
        facts: [toPracticeFact('Task', `${title}, due on ${formatDate(due)}`, 'tasks')],
        act: { kind: 'watch' },
        due_on: due,
      },
    ] satisfies Finding[];
  });
}

/** Below this, even twice the median is a light workload. */
const OVERLOAD_FACTOR = 10;

/** Spreads the work: the colleague with the lowest workload becomes deputy, and the current owner keeps the client. */
function findOverloadedColleagues(client: ClientFacts, { today, threshold, practice }: RuleContext): Finding[] {
  const [onlyMemberId, second] = [...new Set(client.members.map(({ user_id: id }) => id))];
  if (!isCurrent(client) || onlyMemberId === undefined || second !== undefined || practice.colleagues.length < 3) return [];
  const owner = practice.colleagues.find(({ user_id: id }) => id === onlyMemberId);
  const loads = practice.colleagues.map(({ due_30: due }) => due).toSorted((a, b) => a - b);
  const medianLoad = loads[Math.floor(loads.length / 2)] ?? 0;
  if (!owner || owner.due_30 < OVERLOAD_FACTOR || owner.due_30 <= medianLoad * (1 + threshold / 100)) return [];
  const next = client.items.find(({ what, due_on: due }) => what !== 'refund' && due >= today && due <= addDays(today, 14));
  const leastBusy = findLeastBusyColleague(practice);
  if (!next || !leastBusy || leastBusy.user_id === onlyMemberId) return [];
  return [
    {
      subject: `${onlyMemberId} ${next.due_on}`,
      title: `${owner.name} has ${owner.due_30} items due in 30 days; the team’s median is ${medianLoad}`,
      tax: null,
      facts: [
        toPracticeFact(owner.name, describeLoad(owner), 'team'),
        toPracticeFact(leastBusy.name, describeLoad(leastBusy), 'team'),
        toPracticeFact('Next due', formatDate(next.due_on)),
      ],
      act: { kind: 'assign', user_id: leastBusy.user_id, name: leastBusy.name, duty: 'deputy' },
      due_on: next.due_on,
    },
  ];
}
