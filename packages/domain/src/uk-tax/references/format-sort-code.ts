/** Formats a sort code as "20-00-00". */
export function formatSortCode(sortCode: string): string {
  const digits = sortCode.replaceAll(/\D/g, '');
  return digits.length === 6 ? `${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4)}` : sortCode;
}
