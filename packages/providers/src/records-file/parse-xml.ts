/** Parses a stream of XML bytes with saxen. Removes namespace prefixes and limits the length of a token. */
import { Parser } from 'saxen';
import { UnreadableFileError } from './unreadable-file-error.ts';
import { DAMAGED_MESSAGE } from './zip-entries.ts';

export type XmlListener = {
  open(name: string, attributes: () => Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
};

/**
 * saxen keeps an unfinished token and scans it again with every chunk. Excel allows 32,767 characters per cell, so a far longer token is an
 * attack.
 */
const MAX_TOKEN_BYTES = 1024 * 1024;

/** Calls the listener as the document arrives and yields after every chunk, so that the caller can pass on what it has collected. */
export async function* parseXml(stream: AsyncIterable<Uint8Array>, listener: XmlListener): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new Parser();
  let pendingBytes = 0;
  parser.on('openTag', (name, attributes) => {
    pendingBytes = 0;
    listener.open(getLocalName(name), attributes);
  });
  parser.on('closeTag', (name) => {
    pendingBytes = 0;
    listener.close?.(getLocalName(name));
  });
  parser.on('text', (text, decodeEntities) => listener.text?.(decodeEntities(text)));
  parser.on('cdata', (text) => listener.text?.(text));
  for await (const chunk of stream) {
    pendingBytes += chunk.byteLength;
    rejectDamaged(() => parser.write(decoder.decode(chunk, { stream: true })));
    if (pendingBytes > MAX_TOKEN_BYTES) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
    yield;
  }
  rejectDamaged(() => {
    parser.write(decoder.decode());
    parser.end();
  });
  yield;
}

/** Reports decoder and parser errors as a damaged document, and rethrows our own errors. */
function rejectDamaged(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
  }
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
