/** Decides which changes to a practice's members are allowed. */
import type { PracticeRole } from '../identity/roles.ts';
import { AppError } from '../app-error.ts';

/** The member to be changed, and the member making the change. */
export type MemberChange = { readonly actorId: string; readonly userId: string; readonly ownerId: string };

/** Throws if the owner would stop being an admin, so that at least one admin always remains. */
export function assertMayDemote({ userId, ownerId }: MemberChange, role: PracticeRole): void {
  if (userId !== ownerId || role === 'practice_admin') return;
  throw new AppError('conflict', 'team.owner_stays_admin', 'The owner must remain an admin. Make another admin the owner first.');
}

/** Throws if the user owns the practice. */
export function assertMayLeave({ actorId, userId, ownerId }: MemberChange): void {
  if (userId !== ownerId) return;
  const subject = actorId === userId ? 'You’re the owner of the practice' : 'This person is the owner of the practice';
  throw new AppError('conflict', 'team.owner_stays', `${subject}. Make another admin the owner first.`);
}

/** Throws unless the owner hands the practice to another admin. */
export function assertMayTransfer({ actorId, userId, ownerId }: MemberChange, role: PracticeRole): void {
  if (actorId !== ownerId) throw new AppError('forbidden', 'team.only_owner', 'Only the owner can make someone else the owner.');
  if (userId === ownerId) throw new AppError('invalid', 'input.invalid', 'Choose someone else.', { field: 'user_id' });
  if (role !== 'practice_admin') throw new AppError('conflict', 'team.owner_must_be_admin', 'Make this person an admin first.');
}
