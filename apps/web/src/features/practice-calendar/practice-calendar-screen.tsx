/** The deadlines of a month, day by day, with their clients and the bank holidays. */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { settingsPath } from '@portal/contract/practice.ts';
import MuiLink from '@mui/material/Link';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { addMonths, formatDate, parsePlainDate, plainDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../ui/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../ui/practice-nav.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { DayCard } from './day-card.tsx';
import { FeedCard } from './feed-card.tsx';
import { MonthAgenda, MonthGrid, type CalendarMonth } from './month-views.tsx';

export function PracticeCalendarScreen() {
  const { companyId, settled } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const day = parsePlainDate(search.get('day') ?? '');
  const month = parseMonth(search.get('month')) ?? (day ?? systemClock.today()).slice(0, 7);
  const tax = TAXES.find((known) => known === search.get('tax'));
  const member = search.get('member') ?? undefined;
  const filters = { ...(tax ? { tax } : {}), ...(member === undefined ? {} : { member }) };
  const query = useQuery({
    ...apiQuery(practiceDashboardApi.calendar, { company_id: companyId, month, ...filters }),
    enabled: companyId !== '',
    placeholderData: keepPreviousData,
  });
  const members = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  const wide = useMediaQuery(useTheme().breakpoints.up('md'));
  if ((settled && companyId === '') || query.error?.status === 404) return <NoPracticeCard title="Calendar" />;
  const getHref = (changes: Readonly<Record<string, string | undefined>>): string => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    return `?${next}`;
  };
  const pick = (name: string) => (value: string | undefined) =>
    setSearch(new URLSearchParams(getHref({ [name]: value })), { replace: true, preventScrollReset: true });
  const first = plainDate(`${month}-01`);
  const step = (months: number): string => getHref({ month: addMonths(first, months).slice(0, 7), day: undefined });
  return (
    <Page
      title="Calendar"
      lead={
        <>
          Statutory deadlines of your clients in hand. A refund stands on the day it is expected. Your own dates before them are set{' '}
          <MuiLink component={Link} to={`${settingsPath('practice')}?${new URLSearchParams({ company_id: companyId })}#own-dates`}>
            in the settings
          </MuiLink>
          .
        </>
      }
    >
      <PracticeNav companyId={companyId} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 2 }}>
        <Typography component="h2" variant="h2" aria-live="polite" sx={{ flexBasis: { xs: '100%', sm: 'auto' }, minWidth: 190 }}>
          {formatDate(first).split(' ').slice(1).join(' ')}
        </Typography>
        <Button component={Link} to={step(-1)} preventScrollReset variant="outlined" size="small">
          Earlier
        </Button>
        <Button component={Link} to={step(1)} preventScrollReset variant="outlined" size="small">
          Later
        </Button>
        <FilterPill label="Tax" value={tax} onSelect={pick('tax')} options={TAXES.map((value) => ({ value, label: TAX_NAMES[value] }))} />
        <FilterPill
          label="Looked after by"
          value={member}
          onSelect={pick('member')}
          options={(members.data?.members ?? []).map((one) => ({
            value: one.user_id,
            label: one.is_you ? `${one.full_name} (you)` : one.full_name,
          }))}
        />
      </Box>
      <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
        {(data) => {
          const dayLink = (date: string): string => getHref({ day: date, month: date.slice(0, 7) });
          return (
            <Box sx={{ display: 'grid', gap: 3 }}>
              {wide && <MonthGrid data={data} dayLink={dayLink} chosen={day} />}
              {day && <DayCard companyId={companyId} day={day} filters={filters} month={data} closeLink={getHref({ day: undefined })} />}
              {!wide && <MonthAgenda data={data} dayLink={dayLink} chosen={day} />}
              <Rules data={data} />
              <FeedCard companyId={companyId} />
            </Box>
          );
        }}
      </LoadState>
    </Page>
  );
}

function parseMonth(text: string | null): string | undefined {
  return text !== null && parsePlainDate(`${text}-01`) !== undefined ? text : undefined;
}

function Rules({ data }: { data: CalendarMonth }) {
  return (
    <SectionCard title="Weekends and bank holidays">
      <Typography sx={{ maxWidth: '68ch' }}>
        A deadline does not move when it falls on a weekend or a bank holiday. Faster Payments arrive on any day; CHAPS and Bacs must have
        reached HMRC by the last working day before. Returns may be filed on any day. Bank holidays are those of England and Wales.
      </Typography>
      {data.bank_holidays.length > 0 && (
        <Typography sx={{ mt: 1 }}>
          Bank holidays this month: {data.bank_holidays.map((day) => formatDate(day, 'short')).join(', ')}.
        </Typography>
      )}
      {data.pay_before.length > 0 && (
        <Box component="ul" sx={{ mt: 1, mb: 0, pl: 2.5 }}>
          {data.pay_before.map((one) => (
            <li key={one.due_on}>
              Due {formatDate(one.due_on, 'short')}: by CHAPS or Bacs at HMRC by {formatDate(one.cleared_by, 'short')}
              {one.is_certain ? '' : ', if no further bank holiday is announced'}.
            </li>
          ))}
        </Box>
      )}
    </SectionCard>
  );
}
