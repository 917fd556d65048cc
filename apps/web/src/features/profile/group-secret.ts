/** A secret or code in groups of four: what people type by hand is read in groups. */
export function groupInFours(text: string): string {
  return (text.replaceAll(/\s/g, '').match(/.{1,4}/g) ?? []).join(' ');
}
