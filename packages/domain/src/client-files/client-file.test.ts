import { describe, expect, it } from 'vitest';
import { MAX_FILE_NAME_LENGTH, toFileName } from './client-file.ts';

describe('a file’s name', () => {
  it.each([
    ['Bank statement May.pdf', 'pdf', 'Bank statement May.pdf'],
    ['IMG_0042.JPEG', 'jpeg', 'IMG_0042.jpg'],
    // The type comes from the content, not the name.
    ['invoice.pdf.exe', 'pdf', 'invoice.pdf.pdf'],
    ['photo.pdf', 'png', 'photo.png'],
    ['C:\\Users\\Carl\\Desktop\\VAT.xlsx', 'xlsx', 'VAT.xlsx'],
    ['../../etc/passwd', 'csv', 'passwd.csv'],
    ['invoice\u202Efdp.exe', 'pdf', 'invoicefdp.pdf'],
    ['a"b\r\nc.pdf', 'pdf', 'abc.pdf'],
    ['.pdf', 'pdf', 'pdf.pdf'],
    ['  ', 'docx', 'File.docx'],
    ['Llythyr ŵyn.docx', 'docx', 'Llythyr ŵyn.docx'],
  ] as const)('%j as %s is %j', (givenName, type, name) => {
    expect(toFileName(givenName, type)).toBe(name);
  });

  it('is at most as long as allowed, ending included, and never half a character', () => {
    const name = toFileName('😀'.repeat(200), 'pdf');
    expect([...name].length).toBe(MAX_FILE_NAME_LENGTH);
    expect(name.endsWith('😀.pdf')).toBe(true);
  });
});
