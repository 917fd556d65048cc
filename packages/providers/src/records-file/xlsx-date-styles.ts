/** Finds which cell styles in an XLSX file show a number as a date (ECMA-376 part 1, section 18.8.30). */
import { parseXml } from './parse-xml.ts';
import { drain, type Entries } from './xlsx-workbook.ts';
import { readZipEntry } from './zip-entries.ts';

const MAX_STYLES_BYTES = 20_000_000;
/** The built-in formats 14 to 22 are dates and times, 45 to 47 durations. */
const isBuiltInDate = (id: number): boolean => id >= 14 && id <= 22;

/** Returns the indexes of the cell styles (attribute `s`) that are dates. */
export async function readDateStyles(entries: Entries): Promise<ReadonlySet<number>> {
  const styles = entries.get('xl/styles.xml');
  const dates = new Set<number>();
  if (!styles) return dates;
  const customDates = new Set<number>();
  let isInCellFormats = false;
  let index = 0;
  const listener = {
    open: (name: string, attributes: () => Record<string, string>) => {
      if (name === 'numFmt') {
        const { numFmtId = '', formatCode = '' } = attributes();
        if (isDateFormat(formatCode)) customDates.add(Number(numFmtId));
      }
      if (name === 'cellXfs') isInCellFormats = true;
      if (name !== 'xf' || !isInCellFormats) return;
      const format = Number(attributes()['numFmtId'] ?? 0);
      if (isBuiltInDate(format) || customDates.has(format)) dates.add(index);
      index += 1;
    },
    close: (name: string) => {
      if (name === 'cellXfs') isInCellFormats = false;
    },
  };
  await drain(parseXml(readZipEntry(styles, MAX_STYLES_BYTES), listener));
  return dates;
}

/** Returns true if a format contains a day, or a month and a year, outside quotes and brackets. */
function isDateFormat(code: string): boolean {
  const bareCode = code.toLowerCase().replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  return bareCode.includes('d') || (bareCode.includes('m') && bareCode.includes('y'));
}
