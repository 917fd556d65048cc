/** Describes an action from the audit log: "clients.handed_over" becomes "Clients: handed over". */
export function describeAction(action: string): string {
  const [subject = '', ...rest] = action.replaceAll('_', ' ').split('.');
  const name = subject.replace(/^./, (letter) => letter.toUpperCase());
  return rest.length === 0 ? name : `${name}: ${rest.join(', ')}`;
}
