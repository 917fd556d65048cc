/** Whose file it is: a client's or a task's. A task may be about a client, on whose timeline the file then is. */
export type FileOwner =
  | { readonly companyId: string; readonly clientId: string }
  | { readonly companyId: string; readonly workItemId: string; readonly aboutClientId: string | null };

/** The record that the audit trail names: the client, whose timeline then shows the file, or else the task. */
export function getFileSubject(owner: FileOwner): string {
  return 'clientId' in owner ? owner.clientId : (owner.aboutClientId ?? owner.workItemId);
}

export const FILE_OPENED_ACTION = 'file.opened';
