import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { detectFileType } from './detect-file-type.ts';

const zip = (...names: string[]): Buffer => Buffer.from(zipSync(Object.fromEntries(names.map((name) => [name, strToU8('x')]))));
const CONTENT_TYPES = '[Content_Types].xml';

describe('the type of an uploaded file', () => {
  it.each([
    ['pdf', Buffer.from('%PDF-1.7\n…')],
    ['pdf', Buffer.from(`${' '.repeat(100)}%PDF-1.4`)],
    ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])],
    ['jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['csv', Buffer.from('\uFEFFDate,Amount\r\n2026-05-01,12.00')],
    ['csv', Buffer.from('Datum;Betr\u00e4g\n1;2', 'latin1')],
    ['xlsx', zip(CONTENT_TYPES, 'xl/workbook.xml')],
    ['docx', zip(CONTENT_TYPES, 'word/document.xml')],
  ])('is %s by its content', (type, bytes) => {
    expect(detectFileType(bytes)).toEqual({ ok: true, type });
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['isn’t a PDF', Buffer.from('MZ\u0090\u0000\u0003')],
    ['isn’t a PDF', Buffer.from('<html><script>a,b</script>')],
    ['isn’t a PDF', Buffer.from('#!/bin/sh -c a,b')],
    ['isn’t a PDF', zip(CONTENT_TYPES, 'ppt/presentation.xml')],
    ['macros', zip(CONTENT_TYPES, 'word/document.xml', 'word/vbaProject.bin')],
    ['Unzip it', zip('a.pdf')],
    ['damaged', Buffer.concat([Buffer.from([0x50, 0x4b, 0x03, 0x04]), Buffer.alloc(100)])],
    ['password-protected', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
    ['HEIC', Buffer.from('\0\0\0\u0018ftypheic', 'latin1')],
  ])('is rejected with the reason: %s', (reason, bytes) => {
    expect(detectFileType(bytes)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});
