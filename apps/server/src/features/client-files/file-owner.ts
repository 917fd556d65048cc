/** The owner of a file: a client or a task. If a task concerns a client, its files also appear on the client's timeline. */
export type FileOwner =
  | { readonly companyId: string; readonly clientId: string }
  | { readonly companyId: string; readonly workItemId: string; readonly aboutClientId: string | null };

/** Returns the record that the audit trail refers to: the client, whose timeline then shows the file, otherwise the task. */
export function getFileSubject(owner: FileOwner): string {
  return 'clientId' in owner ? owner.clientId : (owner.aboutClientId ?? owner.workItemId);
}

export const FILE_OPENED_ACTION = 'file.opened';
