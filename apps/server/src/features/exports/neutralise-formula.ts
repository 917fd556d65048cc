/** A text that no spreadsheet runs: what begins like a formula is led by an apostrophe (OWASP, CSV injection). */
export function neutraliseFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
