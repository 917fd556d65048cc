/** The deadlines of a month, day by day, with their clients and the bank holidays. */
import { TAXES, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { addMonths, formatDate, parsePlainDate, plainDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { changeSearchParams, useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { FirstLoad } from '../../ui/first-load.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { DayCard } from './day-card.tsx';
import { FeedCard } from './feed-card.tsx';
import { MonthAgenda, MonthGrid, MonthSkeleton, type CalendarMonth } from './month-views.tsx';
import styles from './practice-calendar-screen.module.css';

export function PracticeCalendarScreen() {
  const { companyId } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const today = systemClock.today();
  const day = parsePlainDate(search.get('day') ?? '');
  const month = parseMonth(search.get('month')) ?? (day ?? today).slice(0, 7);
  const tax = TAXES.find((known) => known === search.get('tax'));
  const member = search.get('member') ?? undefined;
  const filters = { ...(tax ? { tax } : {}), ...(member === undefined ? {} : { member }) };
  const query = useQuery({
    ...apiQuery(practiceDashboardApi.calendar, { company_id: companyId, month, ...filters }),
    enabled: companyId !== '',
    placeholderData: keepPreviousData,
  });
  const members = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  const isWide = !useMediaQuery(MEDIA_BELOW.md);
  const getHref = (changes: Readonly<Record<string, string | undefined>>): string => `?${changeSearchParams(search, changes)}`;
  const pick = (name: string) => (value: string | undefined) =>
    setSearch((current) => changeSearchParams(current, { [name]: value }), { replace: true, preventScrollReset: true });
  const first = plainDate(`${month}-01`);
  const step = (months: number): string => getHref({ month: addMonths(first, months).slice(0, 7), day: undefined });
  return (
    <PracticePage
      title="Calendar"
      maxWidth="full"
      lead={
        <>
          Statutory deadlines for your active clients, and your open tasks. Refunds appear on the date we expect them. You can set earlier
          internal deadlines{' '}
          <TextLink to={`${getSettingsPath('practice')}?${new URLSearchParams({ company_id: companyId })}#own-dates`}>in settings</TextLink>
          .
        </>
      }
    >
      <div className={styles.bar}>
        <Heading level={2} aria-live="polite" className={styles.month}>
          {formatDate(first).split(' ').slice(1).join(' ')}
        </Heading>
        <Button to={step(-1)} preventScrollReset variant="outlined" size="small">
          Previous <HiddenText>month</HiddenText>
        </Button>
        <Button to={step(1)} preventScrollReset variant="outlined" size="small">
          Next <HiddenText>month</HiddenText>
        </Button>
        <Button to={getHref({ month: today.slice(0, 7), day: today })} preventScrollReset variant="outlined" size="small">
          Today
        </Button>
        <FilterPill label="Tax" value={tax} onSelect={pick('tax')} options={TAXES.map((value) => ({ value, label: TAX_NAMES[value] }))} />
        <FilterPill
          label="Owner"
          value={member}
          onSelect={pick('member')}
          options={(members.data?.members ?? []).map((item) => ({
            value: item.user_id,
            label: item.is_you ? `${item.full_name} (you)` : item.full_name,
          }))}
        />
      </div>
      <LoadState query={query} skeleton={<MonthSkeleton />}>
        {(data) => {
          const getTaskLink = (date: string): string =>
            getPageLink('workItems', { company_id: companyId, due_on: date, ...(member === undefined ? {} : { owner: member }) });
          const getDayLink = (date: string): string => getHref({ day: date, month: date.slice(0, 7) });
          return (
            <FirstLoad skeleton={<MonthSkeleton />}>
              <Stack gap={24}>
                <div className={styles.monthAndDay}>
                  {day ? (
                    <DayCard companyId={companyId} day={day} filters={filters} month={data} closeLink={getHref({ day: undefined })} />
                  ) : (
                    <div className={styles.noDay}>
                      <Text tone="quiet">Choose a day to see its clients and amounts.</Text>
                    </div>
                  )}
                  {isWide ? (
                    <MonthGrid data={data} getDayLink={getDayLink} getTaskLink={getTaskLink} chosenDay={day} />
                  ) : (
                    <MonthAgenda data={data} getDayLink={getDayLink} getTaskLink={getTaskLink} chosenDay={day} />
                  )}
                </div>
                <Rules data={data} />
                <FeedCard companyId={companyId} />
              </Stack>
            </FirstLoad>
          );
        }}
      </LoadState>
    </PracticePage>
  );
}

function parseMonth(text: string | null): string | undefined {
  return text !== null && parsePlainDate(`${text}-01`) !== undefined ? text : undefined;
}

function Rules({ data }: { data: CalendarMonth }) {
  return (
    <SectionCard title="Weekends and bank holidays">
      <Stack gap={8}>
        <Text measure>
          A deadline doesn’t move if it falls on a weekend or bank holiday. Faster Payments arrive on any day. CHAPS and Bacs payments must
          reach HMRC by the last working day before. You can file returns on any day. Bank holidays are those for England and Wales.
        </Text>
        {data.bank_holidays.length > 0 && (
          <Text>Bank holidays this month: {data.bank_holidays.map((day) => formatDate(day, 'short')).join(', ')}.</Text>
        )}
        {data.pay_before.length > 0 && (
          <ul className={styles.payBefore}>
            {data.pay_before.map((item) => (
              <li key={item.due_on}>
                Due {formatDate(item.due_on, 'short')}: CHAPS and Bacs payments must reach HMRC by {formatDate(item.cleared_by, 'short')}
                {item.is_certain ? '' : ', unless another bank holiday is announced'}.
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </SectionCard>
  );
}
