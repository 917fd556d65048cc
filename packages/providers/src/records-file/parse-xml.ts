/** Parses a stream of XML bytes with saxen. Removes namespace prefixes and limits the length of one token. */
import { Parser } from 'saxen';
import { UnreadableFile } from './unreadable-file.ts';
import { DAMAGED } from './zip-entries.ts';

export type XmlListener = {
  open(name: string, attributes: () => Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
};

/**
 * saxen keeps an unfinished token and scans it again with every chunk. A token far beyond Excel's 32,767 characters a cell is an attack.
 */
const LONGEST_TOKEN = 1024 * 1024;

/** Calls the listener as the document arrives and yields after every chunk, so that the caller can pass on what it has collected. */
export async function* parseXml(stream: AsyncIterable<Uint8Array>, listener: XmlListener): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new Parser();
  let pending = 0;
  parser.on('openTag', (name, attributes) => {
    pending = 0;
    listener.open(localName(name), attributes);
  });
  parser.on('closeTag', (name) => {
    pending = 0;
    listener.close?.(localName(name));
  });
  parser.on('text', (text, decodeEntities) => listener.text?.(decodeEntities(text)));
  parser.on('cdata', (text) => listener.text?.(text));
  for await (const piece of stream) {
    pending += piece.byteLength;
    guard(() => parser.write(decoder.decode(piece, { stream: true })));
    if (pending > LONGEST_TOKEN) throw new UnreadableFile(1, '', DAMAGED);
    yield;
  }
  guard(() => {
    parser.write(decoder.decode());
    parser.end();
  });
  yield;
}

/** Errors of the decoder and the parser mean a damaged document; our own errors pass through. */
function guard(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(1, '', DAMAGED);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
