import { describe, expect, it } from 'vitest';
import { parseXml } from './parse-xml.ts';

async function readText(document: string): Promise<string> {
  let text = '';
  const listener = { open: () => undefined, text: (part: string) => (text += part) };
  async function* stream() {
    yield new TextEncoder().encode(document);
  }
  for await (const _ of parseXml(stream(), listener));
  return text;
}

describe('entities that a document defines itself', () => {
  it('are not replaced, so that a spreadsheet reads no file and requests no URL (OWASP, XML external entities)', async () => {
    const text = await readText('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>before &e; after &amp;</a>');
    expect(text).toBe('before &e; after &');
  });

  it('don’t multiply (“billion laughs”)', async () => {
    const entities = Array.from({ length: 9 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`);
    const text = await readText(`<!DOCTYPE a [<!ENTITY e0 "ha">${entities.join('')}]><a>&e9;</a>`);
    expect(text).toBe('&e9;');
  });
});
