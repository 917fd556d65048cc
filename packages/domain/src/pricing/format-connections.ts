/** Returns "1 connection" or "1,200 connections". */
export function formatConnections(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'connection' : 'connections'}`;
}
