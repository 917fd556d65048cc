/** The owner of a file: a client or a task. The file of a task that is about a client is on the client's timeline too. */
export type FileOwner =
  | { readonly companyId: string; readonly clientId: string }
  | { readonly companyId: string; readonly workItemId: string; readonly aboutClientId: string | null };

/** Returns the record that the audit trail refers to: the client, whose timeline then shows the file, or else the task. */
export function getFileSubject(owner: FileOwner): string {
  return 'clientId' in owner ? owner.clientId : (owner.aboutClientId ?? owner.workItemId);
}

export const FILE_OPENED_ACTION = 'file.opened';
