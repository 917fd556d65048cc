/** A long statement in parts, so that no upload lasts longer than a browser, or a proxy, would wait. */

/** Parts of about so many rows, each with the header; a client's rows, which follow each other, stay together. */
export function splitStatement(text: string, mostRows: number): readonly string[] {
  const [header = '', ...lines] = text.trimEnd().split('\r\n');
  const parts: string[][] = [];
  let reference: string | undefined;
  for (const line of lines) {
    const own = line.slice(0, line.indexOf(','));
    const part = parts.at(-1);
    if (part === undefined || (part.length >= mostRows && own !== reference)) parts.push([line]);
    else part.push(line);
    reference = own;
  }
  return parts.map((part) => [header, ...part, ''].join('\r\n'));
}
