import { formatPounds, pence } from '@portal/domain/money.ts';
import { addDays, dayOfWeek, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';

export type CalendarMonth = EndpointOutput<typeof practiceDashboardApi.calendar>;

type ViewProps = { data: CalendarMonth; dayLink: (day: PlainDate) => string; chosen: PlainDate | undefined };
type DayGroup = CalendarMonth['days'][number];

const NOUNS = { return: ['return', 'returns'], payment: ['payment', 'payments'], refund: ['refund', 'refunds'] } as const;

/** For example "VAT: 3 returns". */
export function formatDayGroup({ tax, what, items }: Pick<DayGroup, 'tax' | 'what' | 'items'>): string {
  const [one, many] = NOUNS[what];
  const name = tax === 'ct' ? 'CT' : tax === 'sa' ? 'SA' : TAX_NAMES[tax];
  return `${name}: ${items.toLocaleString('en-GB')} ${items === 1 ? one : many}`;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The month as weeks from Monday to Sunday, for wide screens. */
export function MonthGrid({ data, dayLink, chosen }: ViewProps) {
  const byDay = Map.groupBy(data.days, (day) => day.due_on);
  const ownByDay = Map.groupBy(data.own_days, (day) => day.on);
  const start = addDays(data.first, 1 - dayOfWeek(data.first));
  const weeks: PlainDate[][] = [];
  for (let monday = start; monday <= data.last; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, place) => addDays(monday, place)));
  }
  return (
    <Box
      component="table"
      aria-label="Deadlines of the month"
      sx={{ width: '100%', tableLayout: 'fixed', borderCollapse: 'collapse', bgcolor: 'background.paper' }}
    >
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <Box
              component="th"
              scope="col"
              key={name}
              sx={{ p: 1, textAlign: 'left', fontSize: '0.875rem', fontWeight: 600, color: 'text.secondary' }}
            >
              {name}
            </Box>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                items={byDay.get(day) ?? []}
                own={ownByDay.get(day) ?? []}
                data={data}
                dayLink={dayLink}
                isChosen={day === chosen}
                isOutside={day < data.first || day > data.last}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

type OwnDay = CalendarMonth['own_days'][number];
type DayCellProps = {
  day: PlainDate;
  items: readonly DayGroup[];
  own: readonly OwnDay[];
  data: CalendarMonth;
  dayLink: (day: PlainDate) => string;
  isChosen: boolean;
  isOutside: boolean;
};

function DayCell({ day, items, own, data, dayLink, isChosen, isOutside }: DayCellProps) {
  if (isOutside) return <Box component="td" sx={{ border: 1, borderColor: 'divider', bgcolor: 'background.default' }} />;
  const isHoliday = data.bank_holidays.includes(day);
  const isNonWorkingDay = isHoliday || dayOfWeek(day) > 5;
  const number = Number(day.slice(8));
  return (
    <Box
      component="td"
      sx={{
        height: 104,
        p: 1,
        verticalAlign: 'top',
        border: 1,
        borderColor: isChosen ? 'primary.tone' : 'divider',
        bgcolor: isNonWorkingDay ? 'background.default' : 'background.paper',
        fontSize: '0.8125rem',
      }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 0.5, flexWrap: 'wrap', mb: 0.5 }}>
        <Box
          component="span"
          sx={day === data.today ? { fontWeight: 700, color: 'primary.tone', textDecoration: 'underline' } : { fontWeight: 500 }}
          {...(day === data.today ? { 'aria-current': 'date' as const } : {})}
        >
          {number}
        </Box>
        {isHoliday && <Box sx={{ color: 'text.secondary' }}>Bank holiday</Box>}
      </Box>
      {items.length > 0 && (
        <Box
          component={Link}
          to={dayLink(day)}
          preventScrollReset
          sx={{ display: 'grid', gap: 0.25, color: 'primary.tone', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } }}
        >
          <HiddenText>{formatDate(day)}:</HiddenText>
          {items.map((item) => (
            <span key={`${item.tax}-${item.what}`}>{formatDayGroup(item)}</span>
          ))}
        </Box>
      )}
      {own.map((item) => (
        <Box key={`${item.tax}-${item.what}-${item.due_on}`} sx={{ mt: 0.5, pl: 0.75, borderLeft: 3, borderColor: 'info.main' }}>
          <OwnDate item={item} to={dayLink(item.due_on)} />
        </Box>
      ))}
    </Box>
  );
}

/** The practice's own date. It also names HMRC's date, so that the two can't be confused. */
function OwnDate({ item, to }: { item: OwnDay; to: string }) {
  return (
    <Box
      component={Link}
      to={to}
      preventScrollReset
      sx={{ color: 'info.tone', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } }}
    >
      Ours: {formatDayGroup(item)}, HMRC’s {formatDate(item.due_on, 'short')}
    </Box>
  );
}

/** The days of the month that have deadlines as a list, for phones. */
export function MonthAgenda({ data, dayLink, chosen }: ViewProps) {
  const byDay = Map.groupBy(data.days, (day) => day.due_on);
  const ownByDay = Map.groupBy(data.own_days, (day) => day.on);
  const days = [...new Set([...byDay.keys(), ...ownByDay.keys()])].toSorted();
  return (
    <SectionCard>
      {days.length === 0 ? (
        <Typography>Nothing is due in this month.</Typography>
      ) : (
        <Box component="ol" aria-label="Deadlines of the month" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {days.map((day) => (
            <Box component="li" key={day} sx={{ py: 1, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}>
              <Box
                component={Link}
                to={dayLink(day)}
                preventScrollReset
                aria-current={day === chosen ? 'true' : undefined}
                sx={{ display: 'inline-block', py: 0.5, fontWeight: 600, color: 'primary.tone' }}
              >
                {WEEKDAYS[dayOfWeek(day) - 1]}, {formatDate(day)}
              </Box>
              {data.bank_holidays.includes(day) && <Box>Bank holiday</Box>}
              {(byDay.get(day) ?? []).map((item) => (
                <Box
                  key={`${item.tax}-${item.what}`}
                  sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, flexWrap: 'wrap', fontSize: '0.875rem' }}
                >
                  <span>{formatDayGroup(item)}</span>
                  {item.amount_pence !== null && <span>{formatPounds(pence(Math.abs(item.amount_pence)))}</span>}
                </Box>
              ))}
              {(ownByDay.get(day) ?? []).map((item) => (
                <Box key={`${item.tax}-${item.what}-${item.due_on}`} sx={{ fontSize: '0.875rem' }}>
                  <OwnDate item={item} to={dayLink(item.due_on)} />
                </Box>
              ))}
            </Box>
          ))}
        </Box>
      )}
    </SectionCard>
  );
}
