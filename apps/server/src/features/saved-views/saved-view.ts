/** Shared by the saved views of the client list and of the operators' work queue. */
import type { savedView } from '@portal/contract/saved-views.ts';
import type { deskViews } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { z } from 'zod/mini';

/** More views than anyone would use. Stops one user from filling the table. */
const MAX_VIEWS = 50;

export type ViewRow = typeof deskViews.$inferSelect;

export function toSavedView(view: ViewRow, madeBy: string, userId: string): z.output<typeof savedView> {
  const { id, name, query, isShared } = view;
  return { view_id: id, name, query, is_shared: isShared, is_yours: view.userId === userId, made_by: madeBy };
}

/** A user's view names are unique, ignoring case. */
export function findViewByName<Row extends ViewRow>(views: readonly Row[], name: string): Row | undefined {
  return views.find((view) => view.name.toLowerCase() === name.toLowerCase());
}

/** Throws if the user has reached the maximum number of views. */
export function assertCanAddView(views: readonly ViewRow[]): void {
  if (views.length < MAX_VIEWS) return;
  throw new AppError('impossible', 'saved_view.too_many', `You can have up to ${MAX_VIEWS} views. Delete one you no longer use.`);
}
