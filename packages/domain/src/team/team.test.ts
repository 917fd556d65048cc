import { describe, expect, it } from 'vitest';
import { parseInstant, type Instant } from '../clock.ts';
import { parseInvitedAddresses } from './invited-addresses.ts';
import { parseGroups } from './labels.ts';
import { listAssignments, type AssignmentEvent } from './list-assignments.ts';
import { assertMayDemote, assertMayLeave, assertMayTransfer } from './member-rules.ts';

describe('a pasted list of addresses', () => {
  it.each([
    ['ann@a.example', ['ann@a.example']],
    ['ann@a.example, BOB@b.example;\n ann@A.example', ['ann@a.example', 'bob@b.example']],
    ['Ann Lee <ann@a.example>, "Lee, Bob" <bob@b.example>', ['ann@a.example', 'bob@b.example']],
    ['ann@a.example bob@b.example\r\ncy@c.example', ['ann@a.example', 'bob@b.example', 'cy@c.example']],
  ])('%j', (text, addresses) => {
    expect(parseInvitedAddresses(text)).toEqual({ ok: true, value: addresses });
  });

  it.each([
    ['', 'Enter an email address.'],
    ['ann', '“ann” isn’t an email address. Correct or remove it.'],
    ['ann@a.example, bob@', '“bob@” isn’t an email address. Correct or remove it.'],
    [Array.from({ length: 101 }, (_, index) => `p${index}@a.example`).join(','), 'Invite at most 100 people at once.'],
  ])('rejects %.20j', (text, reason) => {
    expect(parseInvitedAddresses(text)).toEqual({ ok: false, reason });
  });
});

describe('groups', () => {
  it('are trimmed, without duplicates', () => {
    expect(parseGroups([' Leeds ', 'leeds', '', 'Tax  team'])).toEqual({ ok: true, value: ['Leeds', 'Tax team'] });
    expect(parseGroups(['a,b']).ok).toBe(false);
    expect(parseGroups(['1', '2', '3', '4', '5', '6']).ok).toBe(false);
  });
});

describe('the owner', () => {
  const change = { actorId: 'owner', userId: 'owner', ownerId: 'owner' };
  it('must stay an admin and a member', () => {
    expect(() => assertMayDemote(change, 'team_member')).toThrow('another admin the owner');
    expect(() => assertMayDemote(change, 'practice_admin')).not.toThrow();
    expect(() => assertMayLeave(change)).toThrow('You’re the owner of the practice');
    expect(() => assertMayLeave({ ...change, userId: 'other' })).not.toThrow();
  });

  it('is the only one who can hand the practice to another admin', () => {
    const transferToOther = { ...change, userId: 'other' };
    expect(() => assertMayTransfer({ ...transferToOther, actorId: 'third' }, 'practice_admin')).toThrow('Only the owner');
    expect(() => assertMayTransfer(change, 'practice_admin')).toThrow('someone else');
    expect(() => assertMayTransfer(transferToOther, 'team_member')).toThrow('an admin first');
    expect(() => assertMayTransfer(transferToOther, 'practice_admin')).not.toThrow();
  });
});

describe('the clients a person could see', () => {
  const getInstantOn = (day: number): Instant => parseInstant(`2026-01-0${day}T09:00:00.000Z`) as Instant;
  const createEvent = (day: number, action: string, fields: Partial<AssignmentEvent>): AssignmentEvent => ({
    at: getInstantOn(day),
    action,
    duty: 'vat',
    client_ids: ['c'],
    ...fields,
  });

  it('are listed from the first assignment to the end of the last duty', () => {
    const events = [
      createEvent(1, 'clients.assigned', { user_id: 'me' }),
      createEvent(2, 'clients.assigned', { user_id: 'me', duty: 'manager' }),
      createEvent(3, 'clients.unassigned', { user_id: 'me' }),
      createEvent(4, 'clients.handed_over', { from_user_id: 'me', user_id: 'you', duty: 'manager' }),
    ];
    expect(listAssignments('me', events, [])).toEqual([{ clientId: 'c', from: getInstantOn(1), until: getInstantOn(4) }]);
    expect(listAssignments('you', events, [{ clientId: 'c', duty: 'manager', at: getInstantOn(4) }])).toEqual([
      { clientId: 'c', from: getInstantOn(4), until: null },
    ]);
  });

  it('follow undone changes, and include assignments without history', () => {
    const events = [
      createEvent(1, 'clients.assigned', { user_id: 'me' }),
      createEvent(2, 'clients.change_undone', { user_id: 'me', change: 'assign' }),
      createEvent(3, 'clients.change_undone', { user_id: 'me', change: 'unassign', client_ids: ['d'] }),
    ];
    const undoneEvent = createEvent(5, 'clients.change_undone', { user_id: 'you', from_user_id: 'me', change: 'hand_over' });
    const handOverEvent = createEvent(4, 'clients.handed_over', { user_id: 'you', from_user_id: 'me' });
    const first = createEvent(3, 'clients.assigned', { user_id: 'me' });
    expect(listAssignments('me', [first, handOverEvent, undoneEvent], [])).toEqual([{ clientId: 'c', from: getInstantOn(3), until: null }]);
    expect(listAssignments('you', [first, handOverEvent, undoneEvent], [])).toEqual([
      { clientId: 'c', from: getInstantOn(4), until: getInstantOn(5) },
    ]);
    expect(listAssignments('me', events, [{ clientId: 'e', duty: 'vat', at: getInstantOn(4) }])).toEqual([
      { clientId: 'e', from: getInstantOn(4), until: null },
      { clientId: 'd', from: getInstantOn(3), until: null },
      { clientId: 'c', from: getInstantOn(1), until: getInstantOn(2) },
    ]);
  });
});
