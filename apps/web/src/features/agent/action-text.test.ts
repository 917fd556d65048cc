import type { AgentProposal } from '@portal/contract/agent.ts';
import { expect, it } from 'vitest';
import { describeProposedAction } from './action-text.ts';

it('a proposed task names the colleague it would be assigned to', () => {
  const act = { kind: 'task', title: 'Call them', notes: '', service: 'other', due_on: '2026-11-20', owner_id: null };
  const describe = (owner_id: string | null, task_owner: string | null) =>
    describeProposedAction({ act: { ...act, owner_id }, task_owner, filled: null } as unknown as AgentProposal);
  expect(describe('id', 'Kit Lane')).toBe('Create a task: Call them, due on 20 Nov 2026, for Kit Lane');
  expect(describe(null, null)).toBe('Create a task: Call them, due on 20 Nov 2026, not assigned to anyone');
  expect(describe('id', null)).toBe('Create a task: Call them, due on 20 Nov 2026, for someone who isn’t in your team');
});
