/** Formats all-day events as iCalendar text (RFC 5545) for calendar subscriptions. */
import type { Instant } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';

export type CalendarEvent = {
  readonly uid: string;
  readonly day: PlainDate;
  readonly title: string;
  readonly text: string;
  readonly url: string;
};

type Calendar = { readonly name: string; readonly brand: string; readonly at: Instant; readonly events: readonly CalendarEvent[] };

export function formatCalendar({ name, brand, at, events }: Calendar): string {
  const stamp = at.replaceAll(/[-:]|\.\d+/g, '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(brand)}//Tax calendar//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${event.uid}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${event.day.replaceAll('-', '')}`,
      // The day after, because DTEND is exclusive (RFC 5545 section 3.6.1).
      `DTEND;VALUE=DATE:${addDays(event.day, 1).replaceAll('-', '')}`,
      `SUMMARY:${escapeText(event.title)}`,
      `DESCRIPTION:${escapeText(event.text)}`,
      `URL:${event.url}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}

/** Escapes text as RFC 5545 section 3.3.11 requires. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r\n|\r|\n/g, '\\n');
}

const MAX_LINE_BYTES = 75;

/** Folds lines at 75 bytes between characters. A continuation line starts with a space (RFC 5545 section 3.1). */
function foldLine(line: string): string {
  let foldedLine = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      foldedLine += '\r\n ';
      bytes = 1;
    }
    foldedLine += character;
    bytes += size;
  }
  return foldedLine;
}
